//! What is offered to labelers, never counted: spans that came with imported documents, and the spans
//! from which a project learns what its labelers agree on.

use domain::{
    DocumentId, LabelId, MemberId, ProjectId, Range, Span, SuggestionSettings, VersionKind,
};

use crate::{
    base::prelude::*,
    entity::{
        assignment, assignment_version, project,
        suggestion::{self, Column, Entity},
    },
};

/// Stores suggestions; [`Error::Duplicate`] if a document has one twice.
pub async fn insert_many(tx: &Tx, suggestions: &[(DocumentId, Span)]) -> Result<(), Error> {
    let rows = suggestions
        .iter()
        .map(|(document, span)| suggestion::ActiveModel {
            document_id: Set(document.0),
            start_at: Set(span.range.start.into()),
            end_at: Set(span.range.end.into()),
            label_id: Set(span.label.0),
            ..Default::default()
        })
        .collect();
    chunks::insert(tx, rows).await.map_err(|error| error.unless_unique(&["suggestion"]))
}

/// A document's suggestions in order of position, then label.
pub async fn list(db: &impl Db, document: DocumentId) -> Result<Vec<Span>, Error> {
    let suggestions = Entity::find()
        .filter(Column::DocumentId.eq(document.0))
        .order_by_asc(Column::StartAt)
        .order_by_asc(Column::EndAt)
        .order_by_asc(Column::LabelId);
    sql::all(db, suggestions).await
}

/// What a project offers; none if there is no such project.
pub async fn settings(
    db: &impl Db,
    project: ProjectId,
) -> Result<Option<SuggestionSettings>, Error> {
    use project::Column::{ShieldsAgreed, ShieldsImported, SuggestsAgreed};
    let settings = project::Entity::find_by_id(project.0).select_only().columns([
        SuggestsAgreed,
        ShieldsAgreed,
        ShieldsImported,
    ]);
    sql::one(db, settings).await
}

read_by_columns! {
    SuggestionSettings { agreed: suggests_agreed, shields_agreed, shields_imported }
}

/// Changes what a project offers.
pub async fn save_settings(
    tx: &Tx,
    project: ProjectId,
    settings: SuggestionSettings,
) -> Result<(), Error> {
    let save = project::Entity::update_many()
        .col_expr(project::Column::SuggestsAgreed, settings.agreed.into())
        .col_expr(project::Column::ShieldsAgreed, settings.shields_agreed.into())
        .col_expr(project::Column::ShieldsImported, settings.shields_imported.into())
        .filter(project::Column::Id.eq(project.0));
    sql::run(tx, save).await?;
    Ok(())
}

/// Whether two or more labelers have an assignment.
pub async fn is_shared(db: &impl Db, document: DocumentId) -> Result<bool, Error> {
    let assignments =
        assignment::Entity::find().filter(assignment::Column::DocumentId.eq(document.0));
    Ok(assignments.count(db.connection()).await? > 1)
}

/// A mark in a document that at least two have submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmittedSpan {
    pub document: DocumentId,
    pub range: Range,
    pub label: LabelId,
    pub member: MemberId,
    /// How many have submitted the document.
    pub raters: u32,
    /// The marked text.
    pub words: String,
}

/// Every mark of the assignments that are submitted, in documents that at least two labelers have
/// submitted, in order of document, position, member and label. Longer ones than `longest` characters
/// are left out. Repeats are no part of it.
pub async fn submitted_spans(
    db: &impl Db,
    project: ProjectId,
    longest: u32,
) -> Result<Vec<SubmittedSpan>, Error> {
    // SQL: a join with a query, and a part of a text.
    sql::rows(
        db,
        "SELECT document.id AS document_id, span.start_at, span.end_at, span.label_id, assignment.member_id,
                counted.raters,
                SUBSTR(document.text, CAST(span.start_at + 1 AS INTEGER),
                       CAST(span.end_at - span.start_at AS INTEGER)) AS words
         FROM (SELECT assignment.document_id, COUNT(*) AS raters
               FROM assignment JOIN document ON document.id = assignment.document_id
               WHERE document.project_id = $1 AND assignment.state = 'submitted'
               GROUP BY assignment.document_id HAVING COUNT(*) > 1) AS counted
         JOIN document ON document.id = counted.document_id
         JOIN assignment ON assignment.document_id = document.id
             AND assignment.state = 'submitted'
         JOIN span ON span.assignment_id = assignment.id
         WHERE span.end_at - span.start_at <= $2
         ORDER BY document.id, span.start_at, span.end_at, assignment.member_id, span.label_id",
        [project.0.into(), i64::from(longest).into()],
    )
    .await
}

read_by_columns! {
    SubmittedSpan { document: document_id, range: (part), label: label_id, member: member_id, raters, words }
}

/// The documents whose submission a labeler has ever taken back.
pub async fn taken_back(db: &impl Db, member: MemberId) -> Result<Vec<DocumentId>, Error> {
    let taken_back = assignment_version::Entity::find()
        .select_only()
        .distinct()
        .joined(
            assignment_version::Column::AssignmentId,
            assignment::Entity,
            assignment::Column::Id,
        )
        .column(assignment::Column::DocumentId)
        .filter(assignment::Column::MemberId.eq(member.0))
        .filter(assignment_version::Column::RepeatId.is_null())
        .filter(assignment_version::Column::Kind.eq(VersionKind::Reopen.name()));
    sql::all(db, taken_back).await
}

/// Something that changes whenever what is submitted in a project does: how many assignments are, which,
/// and when the last of them was.
pub async fn submitted_stamp(
    db: &impl Db,
    project: ProjectId,
) -> Result<(i64, i64, Option<DateTime<Utc>>), Error> {
    // SQL: a sum over joins, cast.
    let stamp = sql::row(
        db,
        "SELECT COUNT(*), CAST(COALESCE(SUM(assignment.id), 0) AS BIGINT),
                MAX(assignment.submitted_at)
         FROM assignment JOIN document ON document.id = assignment.document_id
         WHERE document.project_id = $1 AND assignment.state = 'submitted'",
        [project.0.into()],
    )
    .await?;
    Ok(stamp.unwrap_or_default())
}
