//! The reviewers' passes over documents.

pub mod decision_batches;
pub mod decisions;
pub mod gold_versions;
pub mod second_reviews;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{DocumentId, MemberId, ProjectId, ReviewId, Revision, WorkState};
use sea_orm::{
    ActiveValue::Set,
    ConnectionTrait, EntityTrait, Iterable, QueryFilter, QueryTrait,
    prelude::*,
    sea_query::{ExprTrait, OnConflict},
};

use crate::{
    Db, Error, Tx,
    base::{
        chunks::{among, rows_per_statement},
        db::Connected,
        sql,
    },
    entity::review::{self, Column, Entity},
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

/// A reviewer's passes over documents, begun where there are none yet, by document.
pub async fn find_or_create_many(
    tx: &Tx,
    documents: &[DocumentId],
    member: MemberId,
) -> Result<BTreeMap<DocumentId, Review>, Error> {
    let mut reviews = BTreeMap::new();
    for chunk in documents.chunks(rows_per_statement(tx, Column::iter().count(), 0)) {
        let rows = chunk.iter().map(|document| review::ActiveModel {
            document_id: Set(document.0),
            member_id: Set(member.0),
            state: Set(WorkState::Open.name().to_owned()),
            revision: Set(0),
            ..Default::default()
        });
        let there =
            OnConflict::columns([Column::DocumentId, Column::MemberId]).do_nothing().to_owned();
        let mut begun = Entity::insert_many(rows).into_query();
        begun.on_conflict(there);
        tx.connection().execute(&begun).await?;
        let found = Entity::find()
            .filter(Column::MemberId.eq(member.0))
            .filter(Column::DocumentId.is_in(chunk.iter().map(|document| document.0)))
            .all(tx.connection())
            .await?;
        for row in found {
            reviews.insert(DocumentId(row.document_id), review(row)?);
        }
    }
    Ok(reviews)
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

/// Moves reviews on from the revisions that they are at to the next, in `state`; false if one of
/// them is not where it was any more: somebody was faster, and nothing of this is to be kept.
pub async fn save_many(
    tx: &Tx,
    reviews: &[(ReviewId, Revision)],
    state: WorkState,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let submitted_at = matches!(state, WorkState::Submitted).then_some(now);
    for chunk in reviews.chunks(rows_per_statement(tx, 2, 4)) {
        let updated = Entity::update_many()
            .col_expr(Column::Revision, Expr::col(Column::Revision).add(1))
            .col_expr(Column::State, state.name().into())
            .col_expr(Column::SavedAt, now.into())
            .col_expr(Column::SubmittedAt, submitted_at.into())
            .filter(among(
                [Column::Id, Column::Revision],
                chunk.iter().map(|(id, base)| (id.0, base.0)),
            ))
            .exec(tx.connection())
            .await?;
        if usize::try_from(updated.rows_affected) != Ok(chunk.len()) {
            return Ok(false);
        }
    }
    Ok(true)
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
