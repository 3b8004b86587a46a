//! What is offered to labelers, never counted: spans that came with imported documents, and the marks
//! from which a project learns what its labelers agree on.

use chrono::{DateTime, Utc};
use domain::{DocumentId, LabelId, MemberId, ProjectId, Range, Span, SuggestionSettings};
use sea_orm::{ActiveValue::Set, EntityTrait, QueryFilter, QueryOrder, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{chunks, sql},
    entity::suggestion::{self, Column, Entity},
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
    chunks::insert(tx, rows).await.map_err(|error| Error::unless_unique(&["suggestion"], error))
}

/// A document's suggestions in order of position, then label.
pub async fn list(db: &impl Db, document: DocumentId) -> Result<Vec<Span>, Error> {
    let rows = Entity::find()
        .filter(Column::DocumentId.eq(document.0))
        .order_by_asc(Column::StartAt)
        .order_by_asc(Column::EndAt)
        .order_by_asc(Column::LabelId)
        .all(db.connection())
        .await?;
    rows.into_iter().map(|row| sql::span(row.start_at, row.end_at, row.label_id)).collect()
}

/// What a project offers; none if there is no such project.
pub async fn settings(
    db: &impl Db,
    project: ProjectId,
) -> Result<Option<SuggestionSettings>, Error> {
    let row: Option<(bool, bool, bool)> = sql::tuple(
        db,
        "SELECT suggests_agreed, shields_agreed, shields_imported FROM project WHERE id = $1",
        [project.0.into()],
    )
    .await?;
    Ok(row.map(|(agreed, shields_agreed, shields_imported)| SuggestionSettings {
        agreed,
        shields_agreed,
        shields_imported,
    }))
}

/// Changes what a project offers.
pub async fn save_settings(
    tx: &Tx,
    project: ProjectId,
    settings: SuggestionSettings,
) -> Result<(), Error> {
    sql::execute(
        tx,
        "UPDATE project SET suggests_agreed = $2, shields_agreed = $3, shields_imported = $4
         WHERE id = $1",
        [
            project.0.into(),
            settings.agreed.into(),
            settings.shields_agreed.into(),
            settings.shields_imported.into(),
        ],
    )
    .await?;
    Ok(())
}

/// Whether two or more labelers have a copy of a document.
pub async fn is_shared(db: &impl Db, document: DocumentId) -> Result<bool, Error> {
    let row: Option<(i64,)> = sql::tuple(
        db,
        "SELECT COUNT(*) FROM assignment WHERE document_id = $1",
        [document.0.into()],
    )
    .await?;
    Ok(row.is_some_and(|(copies,)| copies > 1))
}

/// A mark in a document that at least two have submitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmittedMark {
    pub document: DocumentId,
    pub range: Range,
    pub label: LabelId,
    pub member: MemberId,
    /// How many have submitted the document.
    pub raters: u32,
    /// The marked text.
    pub words: String,
}

/// Every mark of the copies that are submitted, in documents that at least two labelers have
/// submitted, in order of document, position, member and label. Longer ones than `longest` characters
/// are left out. Repeats are no part of it.
pub async fn submitted_marks(
    db: &impl Db,
    project: ProjectId,
    longest: u32,
) -> Result<Vec<SubmittedMark>, Error> {
    let rows: Vec<(i64, i64, i64, i64, i64, i64, String)> = sql::tuples(
        db,
        "SELECT document.id, span.start_at, span.end_at, span.label_id, assignment.member_id,
                counted.raters,
                SUBSTR(document.text, CAST(span.start_at + 1 AS INTEGER),
                       CAST(span.end_at - span.start_at AS INTEGER))
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
    .await?;
    rows.into_iter()
        .map(|(document, start, end, label, member, raters, words)| {
            Ok(SubmittedMark {
                document: DocumentId(document),
                range: sql::range(start, end)?,
                label: LabelId(label),
                member: MemberId(member),
                raters: sql::number(raters)?,
                words,
            })
        })
        .collect()
}

/// The documents whose submission a labeler has ever taken back.
pub async fn taken_back(db: &impl Db, member: MemberId) -> Result<Vec<DocumentId>, Error> {
    let rows: Vec<(i64,)> = sql::tuples(
        db,
        "SELECT DISTINCT assignment.document_id
         FROM assignment JOIN copy_version ON copy_version.assignment_id = assignment.id
         WHERE assignment.member_id = $1 AND copy_version.repeat_id IS NULL
           AND copy_version.kind = 'reopen'",
        [member.0.into()],
    )
    .await?;
    Ok(rows.into_iter().map(|(document,)| DocumentId(document)).collect())
}

/// Something that changes whenever what is submitted in a project does: how many copies are, which,
/// and when the last of them was.
pub async fn submitted_stamp(
    db: &impl Db,
    project: ProjectId,
) -> Result<(i64, i64, Option<DateTime<Utc>>), Error> {
    let stamp: Option<(i64, i64, Option<DateTimeUtc>)> = sql::tuple(
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
