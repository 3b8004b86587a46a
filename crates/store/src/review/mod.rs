//! The reviewers' passes over documents.

pub mod answers;
pub mod decision_batches;
pub mod decisions;
pub mod gold_versions;
pub mod second_reviews;

use std::collections::BTreeMap;

use domain::{DocumentId, MemberId, ProjectId, ReviewId, Revision, WorkState};

use crate::{
    base::chunks::{among, rows_per_statement},
    base::prelude::*,
    entity::review::{self, Column, Entity},
    project,
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
    let review = find_or_create_many(tx, &[document], member).await?.remove(&document);
    review.ok_or_else(|| Error::unreadable("a review that is not existing"))
}

/// A reviewer's passes over documents, begun where there are none yet, by document.
pub async fn find_or_create_many(
    tx: &Tx,
    documents: &[DocumentId],
    member: MemberId,
) -> Result<BTreeMap<DocumentId, Review>, Error> {
    let rows = documents.iter().map(|document| review::ActiveModel {
        document_id: Set(document.0),
        member_id: Set(member.0),
        state: Set(WorkState::Open.name().to_owned()),
        revision: Set(0),
        ..Default::default()
    });
    let existing =
        OnConflict::columns([Column::DocumentId, Column::MemberId]).do_nothing().to_owned();
    chunks::insert_or(tx, rows.collect(), existing).await?;
    let mut reviews = BTreeMap::new();
    for chunk in documents.chunks(rows_per_statement(tx, 1, 1)) {
        let found = Entity::find()
            .filter(Column::MemberId.eq(member.0))
            .filter(Column::DocumentId.is_in(chunk.iter().map(|document| document.0)));
        let found = sql::all(tx, found).await?.into_iter();
        reviews.extend(found.map(|review: Review| (review.document, review)));
    }
    Ok(reviews)
}

/// A reviewer's pass over a document, if they have begun one.
pub async fn find(
    db: &impl Db,
    document: DocumentId,
    member: MemberId,
) -> Result<Option<Review>, Error> {
    let own = Entity::find()
        .filter(Column::DocumentId.eq(document.0))
        .filter(Column::MemberId.eq(member.0));
    sql::one(db, own).await
}

read_by_columns! {
    Review { id, document: document_id, member: member_id, state, revision, saved_at }
}

/// Moves reviews on from the revisions that they are at to the next, in `state`; false if one of
/// them is not where it was any more: somebody was faster, and nothing of this is to be kept.
pub async fn save(
    tx: &Tx,
    reviews: &[(ReviewId, Revision)],
    state: WorkState,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let submitted_at = matches!(state, WorkState::Submitted).then_some(now);
    for chunk in reviews.chunks(rows_per_statement(tx, 2, 4)) {
        let save = Entity::update_many()
            .col_expr(Column::Revision, Expr::col(Column::Revision).add(1))
            .col_expr(Column::State, state.name().into())
            .col_expr(Column::SavedAt, now.into())
            .col_expr(Column::SubmittedAt, submitted_at.into())
            .filter(among(
                [Column::Id, Column::Revision],
                chunk.iter().map(|(id, base)| (id.0, base.0)),
            ));
        if usize::try_from(sql::run(tx, save).await?) != Ok(chunk.len()) {
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
    let documents = project::document_ids(project).into_query();
    let own = Entity::find()
        .filter(Column::MemberId.eq(member.0))
        .filter(Column::DocumentId.in_subquery(documents))
        .order_by_asc(Column::DocumentId);
    let own = sql::all(db, own).await?.into_iter();
    Ok(own.map(|review: Review| (review.document, review)).collect())
}
