//! What exports are made of, a stretch of documents at a time. What raters said is read by
//! [`crate::agreement::ratings`].

use std::collections::HashMap;

use domain::{DocumentId, MemberId, ProjectId, Span, WorkState};

use crate::{
    base::{chunks::rows_per_statement, prelude::*},
    entity::document::{Column, Entity},
};

/// A document without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    pub id: DocumentId,
    /// What the imported file called it.
    pub external_id: Option<String>,
    pub name: String,
    /// The text's length in Unicode scalar values.
    pub characters: u64,
}

/// An assignment as its labeler has it before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAssignment {
    pub state: WorkState,
    /// In order of position, then label.
    pub spans: Vec<Span>,
    /// How many choices of attributes there are, on the spans and on the document.
    pub choices: u64,
}

/// A project's next documents after one, or its first, in the order of their import.
pub async fn heads(
    db: &impl Db,
    project: ProjectId,
    after: Option<DocumentId>,
    most: u32,
) -> Result<Vec<Head>, Error> {
    let next = Entity::find()
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::Id.gt(after.map_or(i64::MIN, |id| id.0)))
        .order_by_asc(Column::Id)
        .limit(u64::from(most))
        .select_only()
        .columns([Column::Id, Column::ExternalId, Column::Name, Column::Characters]);
    sql::all(db, next).await
}

read_by_columns! { Head { id, external_id, name, characters } }

/// Which of these documents a labeler has saved, and what they have in them: of what they were given
/// back, the second pass alone, as everywhere before them.
pub async fn own_assignments(
    db: &impl Db,
    member: MemberId,
    documents: &[DocumentId],
) -> Result<HashMap<DocumentId, OwnAssignment>, Error> {
    let mut assignments = HashMap::new();
    for chunk in documents.chunks(rows_per_statement(db, 1, 1)) {
        let values = || {
            let ids = chunk.iter().map(|document| document.0.into());
            ids.chain([member.0.into()]).collect::<Vec<_>>()
        };
        let wanted = format!(
            "assignment.document_id IN ({}) AND assignment.member_id = ${}",
            sql::placeholders(chunk.len()),
            chunk.len() + 1
        );
        // SQL: `CASE` over joins that may be absent, and a union.
        let rows = sql::rows(
            db,
            &format!(
                "SELECT assignment.document_id, COALESCE(repeat.state, assignment.state),
                        CASE WHEN repeat.id IS NULL
                        THEN (SELECT COUNT(*) FROM span_choice
                              WHERE span_choice.assignment_id = assignment.id)
                           + (SELECT COUNT(*) FROM document_choice
                              WHERE document_choice.assignment_id = assignment.id)
                        ELSE (SELECT COUNT(*) FROM repeat_span_choice
                              WHERE repeat_span_choice.repeat_id = repeat.id)
                           + (SELECT COUNT(*) FROM repeat_document_choice
                              WHERE repeat_document_choice.repeat_id = repeat.id) END
                 FROM assignment LEFT JOIN repeat ON repeat.assignment_id = assignment.id
                 WHERE {wanted} AND COALESCE(repeat.state, assignment.state) <> 'open'"
            ),
            values(),
        )
        .await?;
        for (document, state, choices) in rows {
            assignments.insert(document, OwnAssignment { state, spans: Vec::new(), choices });
        }
        let spans = sql::rows(
            db,
            &format!(
                "SELECT document_id, start_at, end_at, label_id FROM (
                     SELECT assignment.document_id, span.start_at, span.end_at, span.label_id
                     FROM assignment JOIN span ON span.assignment_id = assignment.id
                     WHERE {wanted} AND NOT EXISTS
                         (SELECT 1 FROM repeat WHERE repeat.assignment_id = assignment.id)
                     UNION ALL
                     SELECT assignment.document_id, repeat_span.start_at, repeat_span.end_at,
                            repeat_span.label_id
                     FROM assignment JOIN repeat ON repeat.assignment_id = assignment.id
                     JOIN repeat_span ON repeat_span.repeat_id = repeat.id
                     WHERE {wanted}
                 ) AS marked ORDER BY document_id, start_at, end_at, label_id"
            ),
            values(),
        )
        .await?;
        for (document, spans) in sql::grouped(spans) {
            if let Some(assignment) = assignments.get_mut(&document) {
                assignment.spans = spans;
            }
        }
    }
    Ok(assignments)
}

/// How many choices of attributes labelers have in their first passes over these documents.
pub async fn choice_counts(
    db: &impl Db,
    documents: &[DocumentId],
) -> Result<HashMap<(DocumentId, MemberId), u64>, Error> {
    let mut counts = HashMap::new();
    for chunk in documents.chunks(rows_per_statement(db, 1, 0)) {
        // SQL: counts over joins, in groups.
        let rows: Vec<(_, _, u64)> = sql::rows(
            db,
            &format!(
                "SELECT assignment.document_id, assignment.member_id, COUNT(*)
                 FROM (SELECT assignment_id FROM span_choice
                       UNION ALL SELECT assignment_id FROM document_choice) AS chosen
                 JOIN assignment ON assignment.id = chosen.assignment_id
                 WHERE assignment.document_id IN ({}) AND assignment.state <> 'open'
                 GROUP BY assignment.document_id, assignment.member_id",
                sql::placeholders(chunk.len())
            ),
            chunk.iter().map(|document| document.0.into()),
        )
        .await?;
        counts.extend(rows.into_iter().map(|(document, member, n)| ((document, member), n)));
    }
    Ok(counts)
}
