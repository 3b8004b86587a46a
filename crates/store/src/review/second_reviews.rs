//! Documents that a second reviewer reviews without knowing what others have decided.

use chrono::{DateTime, Utc};
use domain::{DocumentId, MemberId, ProjectId, SecondReviewId, SecondReviewSample, UserId};
use sea_orm::{ActiveValue::Set, FromQueryResult, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{chunks, sql},
    entity::second_review as part,
};

/// Documents whose review by another is ended, which this reviewer has not begun and is not asked
/// to review already; in the order of import.
pub async fn candidates(
    db: &impl Db,
    project: ProjectId,
    reviewer: MemberId,
) -> Result<Vec<(DocumentId, String)>, Error> {
    let rows: Vec<(i64, String)> = sql::tuples(
        db,
        "SELECT document.id, document.name FROM document
         WHERE document.project_id = $1
         AND EXISTS (SELECT 1 FROM review WHERE review.document_id = document.id
                     AND review.member_id <> $2 AND review.state = 'submitted')
         AND NOT EXISTS (SELECT 1 FROM review WHERE review.document_id = document.id
                         AND review.member_id = $2 AND review.state <> 'open')
         AND NOT EXISTS (SELECT 1 FROM second_review
                         JOIN second_review_act ON second_review_act.id = second_review.act_id
                         WHERE second_review.document_id = document.id
                         AND second_review_act.member_id = $2
                         AND second_review_act.undone_at IS NULL)
         ORDER BY document.id",
        [project.0.into(), reviewer.0.into()],
    )
    .await?;
    Ok(rows.into_iter().map(|(id, name)| (DocumentId(id), name)).collect())
}

/// A sample to keep.
#[derive(Clone, Copy, Debug)]
pub struct NewSample<'a> {
    pub reviewer: MemberId,
    pub percent: u32,
    pub seed: &'a str,
    pub by: UserId,
    pub at: DateTime<Utc>,
}

/// Keeps a sample.
pub async fn insert(
    tx: &Tx,
    project: ProjectId,
    new: NewSample<'_>,
    documents: &[DocumentId],
) -> Result<SecondReviewId, Error> {
    let id: Option<i64> = sql::tuple(
        tx,
        "INSERT INTO second_review_act (project_id, member_id, percent, seed, made_by, made_at)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
        [
            project.0.into(),
            new.reviewer.0.into(),
            i64::from(new.percent).into(),
            new.seed.into(),
            new.by.0.into(),
            new.at.into(),
        ],
    )
    .await?;
    let id = id.ok_or_else(|| Error::unreadable("a sample without an id"))?;
    let rows = documents
        .iter()
        .map(|document| part::ActiveModel { act_id: Set(id), document_id: Set(document.0) });
    chunks::insert(tx, rows.collect()).await?;
    Ok(SecondReviewId(id))
}

/// Undoes a sample; false if the project has none like that, or it was undone before. What was
/// decided stays.
pub async fn undo(
    tx: &Tx,
    project: ProjectId,
    id: SecondReviewId,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let undone = sql::execute(
        tx,
        "UPDATE second_review_act SET undone_at = $3
         WHERE id = $1 AND project_id = $2 AND undone_at IS NULL",
        [id.0.into(), project.0.into(), now.into()],
    )
    .await?;
    Ok(undone == 1)
}

#[derive(FromQueryResult)]
struct SampleRow {
    id: i64,
    member_id: i64,
    name: String,
    percent: i64,
    seed: String,
    made_at: DateTimeUtc,
    made_by: Option<String>,
    undone_at: Option<DateTimeUtc>,
    documents: i64,
    ended: i64,
}

/// A project's samples, the latest first.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<SecondReviewSample>, Error> {
    let rows = sql::rows::<SampleRow, _>(
        db,
        "SELECT act.id, act.member_id, second.name, act.percent, act.seed, act.made_at,
                maker.name AS made_by, act.undone_at,
                (SELECT COUNT(*) FROM second_review WHERE second_review.act_id = act.id)
                    AS documents,
                (SELECT COUNT(*) FROM second_review
                 JOIN review ON review.document_id = second_review.document_id
                     AND review.member_id = act.member_id AND review.state = 'submitted'
                 WHERE second_review.act_id = act.id) AS ended
         FROM second_review_act AS act
         JOIN member ON member.id = act.member_id
         JOIN user_account AS second ON second.id = member.user_id
         LEFT JOIN user_account AS maker ON maker.id = act.made_by
         WHERE act.project_id = $1 ORDER BY act.id DESC",
        [project.0.into()],
    )
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(SecondReviewSample {
                id: SecondReviewId(row.id),
                reviewer: MemberId(row.member_id),
                reviewer_name: row.name,
                percent: sql::number(row.percent)?,
                seed: row.seed,
                made_at: row.made_at,
                made_by: row.made_by,
                documents: sql::number(row.documents)?,
                ended: sql::number(row.ended)?,
                undone_at: row.undone_at,
            })
        })
        .collect()
}

/// The documents that a reviewer is asked to review a second time.
pub async fn of_reviewer(db: &impl Db, reviewer: MemberId) -> Result<Vec<DocumentId>, Error> {
    let rows: Vec<(i64,)> = sql::tuples(
        db,
        "SELECT DISTINCT second_review.document_id FROM second_review
         JOIN second_review_act ON second_review_act.id = second_review.act_id
         WHERE second_review_act.member_id = $1 AND second_review_act.undone_at IS NULL
         ORDER BY second_review.document_id",
        [reviewer.0.into()],
    )
    .await?;
    Ok(rows.into_iter().map(|(document,)| DocumentId(document)).collect())
}

/// Whether a second review waits: this reviewer has not ended it, or another reviewer of the same
/// document is at work on theirs.
pub async fn is_waiting(db: &impl Db, reviewer: MemberId) -> Result<bool, Error> {
    let found: Option<(i64,)> = sql::tuple(
        db,
        "SELECT COUNT(*) FROM second_review
         JOIN second_review_act ON second_review_act.id = second_review.act_id
         WHERE second_review_act.member_id = $1 AND second_review_act.undone_at IS NULL
         AND (NOT EXISTS (SELECT 1 FROM review
                          WHERE review.document_id = second_review.document_id
                          AND review.member_id = $1 AND review.state = 'submitted')
              OR EXISTS (SELECT 1 FROM review
                         WHERE review.document_id = second_review.document_id
                         AND review.member_id <> $1 AND review.state = 'saved'))",
        [reviewer.0.into()],
    )
    .await?;
    Ok(found.is_some_and(|(n,)| n > 0))
}
