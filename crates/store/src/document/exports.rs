//! What exports are made of, a stretch of documents at a time. What raters said is read by
//! [`crate::agreement::ratings`].

use std::collections::HashMap;

use domain::{
    Answer, AttributeId, DocumentId, Fact, LabelId, MemberId, ProjectId, Range, Span, WorkState,
};

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
    /// What was chosen on the spans and on the document.
    pub choices: Vec<Fact>,
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
        // SQL: joins that may be absent, and unions.
        let rows = sql::rows(
            db,
            &format!(
                "SELECT assignment.document_id, COALESCE(repeat.state, assignment.state)
                 FROM assignment LEFT JOIN repeat ON repeat.assignment_id = assignment.id
                 WHERE {wanted} AND COALESCE(repeat.state, assignment.state) <> 'open'"
            ),
            values(),
        )
        .await?;
        for (document, state) in rows {
            let (spans, choices) = (Vec::new(), Vec::new());
            assignments.insert(document, OwnAssignment { state, spans, choices });
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
        let of_first = "JOIN assignment ON assignment.id = chosen.assignment_id
             AND NOT EXISTS (SELECT 1 FROM repeat WHERE repeat.assignment_id = assignment.id)";
        let of_repeat = "JOIN repeat ON repeat.id = chosen.repeat_id
             JOIN assignment ON assignment.id = repeat.assignment_id";
        let on_span = "chosen.start_at, chosen.end_at, chosen.label_id";
        let chosen = [
            ("span_choice", on_span, of_first),
            ("document_choice", "0, 0, 0", of_first),
            ("repeat_span_choice", on_span, of_repeat),
            ("repeat_document_choice", "0, 0, 0", of_repeat),
        ];
        let chosen = chosen.map(|(table, place, join)| {
            format!(
                "SELECT assignment.document_id, {place}, chosen.attribute_id, chosen.number
                 FROM {table} AS chosen {join} WHERE {wanted}"
            )
        });
        let rows: Vec<OwnChoice> = sql::rows(db, &chosen.join(" UNION ALL "), values()).await?;
        for (document, start, end, label, attribute, answer) in rows {
            if let Some(assignment) = assignments.get_mut(&document) {
                let span = Span { range: Range::new(start, end), label };
                assignment.choices.push(Fact::chosen(span, attribute, answer));
            }
        }
    }
    for assignment in assignments.values_mut() {
        assignment.choices.sort_unstable();
    }
    Ok(assignments)
}

/// What was chosen of an attribute, and where.
type OwnChoice = (DocumentId, u32, u32, LabelId, AttributeId, Answer);
