//! The reviewers' passes over documents.

use chrono::{DateTime, Utc};
use domain::{DocumentId, MemberId, ProjectId, ReviewId, Revision, WorkState};
use sea_orm::{EntityTrait, QueryFilter, prelude::*};

use crate::{
    Db, Error, Tx,
    db::Connected,
    entity::review::{self, Column, Entity},
    sql,
};

/// A reviewer's pass over a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    pub id: ReviewId,
    pub document: DocumentId,
    pub member: MemberId,
    pub state: WorkState,
    pub revision: Revision,
    pub saved_at: Option<DateTime<Utc>>,
}

/// A reviewer's pass over a document, begun if there is none yet.
pub async fn find_or_create(
    tx: &Tx,
    document: DocumentId,
    member: MemberId,
) -> Result<Review, Error> {
    sql::execute(
        tx,
        "INSERT INTO review (document_id, member_id, state) VALUES ($1, $2, 'open')
         ON CONFLICT (document_id, member_id) DO NOTHING",
        [document.0.into(), member.0.into()],
    )
    .await?;
    let review = find(tx, document, member).await?;
    review.ok_or_else(|| Error::unreadable("a review that is not there"))
}

/// A reviewer's pass over a document, if they have begun one.
pub async fn find(
    db: &impl Db,
    document: DocumentId,
    member: MemberId,
) -> Result<Option<Review>, Error> {
    let row = Entity::find()
        .filter(Column::DocumentId.eq(document.0))
        .filter(Column::MemberId.eq(member.0))
        .one(db.connection())
        .await?;
    row.map(review).transpose()
}

/// Moves a review on from the revision `base` to the next, in `state`; false if it is not at
/// `base` any more: somebody was faster.
pub async fn save(
    tx: &Tx,
    id: ReviewId,
    base: Revision,
    state: WorkState,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let submitted_at = matches!(state, WorkState::Submitted).then_some(now);
    let updated = Entity::update_many()
        .col_expr(Column::Revision, base.next().0.into())
        .col_expr(Column::State, state.name().into())
        .col_expr(Column::SavedAt, now.into())
        .col_expr(Column::SubmittedAt, submitted_at.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::Revision.eq(base.0))
        .exec(tx.connection())
        .await?;
    Ok(updated.rows_affected == 1)
}

/// A reviewer's passes in a project, in the order of the documents.
pub async fn list_of_member(
    db: &impl Db,
    project: ProjectId,
    member: MemberId,
) -> Result<Vec<(DocumentId, Review)>, Error> {
    let rows = sql::rows::<review::Model, _>(
        db,
        "SELECT review.* FROM review JOIN document ON document.id = review.document_id
         WHERE document.project_id = $1 AND review.member_id = $2
         ORDER BY review.document_id",
        [project.0.into(), member.0.into()],
    )
    .await?;
    rows.into_iter().map(|row| Ok((DocumentId(row.document_id), review(row)?))).collect()
}

fn review(row: review::Model) -> Result<Review, Error> {
    Ok(Review {
        id: ReviewId(row.id),
        document: DocumentId(row.document_id),
        member: MemberId(row.member_id),
        state: sql::word(&row.state)?,
        revision: Revision(row.revision),
        saved_at: row.saved_at,
    })
}
