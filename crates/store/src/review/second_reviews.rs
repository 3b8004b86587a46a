//! Documents that a second reviewer reviews without knowing what others have decided.

use domain::{DocumentId, MemberId, ProjectId, SecondReviewId, SecondReviewSample, UserId};

use crate::{
    base::prelude::*,
    entity::{
        second_review as part,
        second_review_act::{self, Column, Entity as Acts},
    },
};

/// Documents whose review by another is ended, which this reviewer has not begun and is not asked
/// to review already; in the order of import.
pub async fn candidates(
    db: &impl Db,
    project: ProjectId,
    reviewer: MemberId,
) -> Result<Vec<(DocumentId, String)>, Error> {
    // SQL: `EXISTS` and `NOT EXISTS` over joins.
    sql::rows(
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
    .await
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
    let sample = second_review_act::ActiveModel {
        project_id: Set(project.0),
        member_id: Set(new.reviewer.0),
        percent: Set(new.percent.into()),
        seed: Set(new.seed.to_owned()),
        made_by: Set(Some(new.by.0)),
        made_at: Set(new.at),
        ..Default::default()
    };
    let id: SecondReviewId = sql::insert(tx, sample).await?;
    let rows = documents
        .iter()
        .map(|document| part::ActiveModel { act_id: Set(id.0), document_id: Set(document.0) });
    chunks::insert(tx, rows.collect()).await?;
    Ok(id)
}

/// Undoes a sample; false if the project has none like that, or it was undone before. What was
/// decided stays.
pub async fn undo(
    tx: &Tx,
    project: ProjectId,
    id: SecondReviewId,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let undo = Acts::update_many()
        .col_expr(Column::UndoneAt, now.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::UndoneAt.is_null());
    Ok(sql::run(tx, undo).await? == 1)
}

/// A project's samples, the latest first.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<SecondReviewSample>, Error> {
    // SQL: tables under second names, with counts of others.
    sql::rows(
        db,
        "SELECT act.id, act.member_id, second.name AS reviewer_name, act.percent, act.seed, act.made_at,
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
    .await
}

read_by_columns! {
    SecondReviewSample {
        id, reviewer: member_id, reviewer_name, percent, seed, made_at, made_by, documents, ended,
        undone_at,
    }
}

/// The documents that a reviewer is asked to review a second time.
pub async fn of_reviewer(db: &impl Db, reviewer: MemberId) -> Result<Vec<DocumentId>, Error> {
    let asked = Acts::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::MemberId.eq(reviewer.0))
        .filter(Column::UndoneAt.is_null());
    let documents = part::Entity::find()
        .select_only()
        .column(part::Column::DocumentId)
        .distinct()
        .filter(part::Column::ActId.in_subquery(asked.into_query()))
        .order_by_asc(part::Column::DocumentId);
    sql::all(db, documents).await
}

/// Whether a second review waits: this reviewer has not ended it, or another reviewer of the same
/// document is at work on theirs.
pub async fn is_waiting(db: &impl Db, reviewer: MemberId) -> Result<bool, Error> {
    // SQL: `EXISTS` and `NOT EXISTS` over joins.
    let found: Option<i64> = sql::row(
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
    Ok(found.is_some_and(|n| n > 0))
}
