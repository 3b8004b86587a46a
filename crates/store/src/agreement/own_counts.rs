//! What is counted of labelers with others to be shown to them: which documents were, so that none is
//! counted again, and what that makes.

use domain::{DocumentId, MemberId, ProjectId};

use crate::{
    base::prelude::*,
    entity::{own_count, own_pair},
    project,
};

/// A document that a labeler and somebody else have submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OwnPair {
    pub member: MemberId,
    pub other: MemberId,
    pub document: DocumentId,
}

/// What was counted of these documents.
pub async fn pairs_of(db: &impl Db, documents: &[DocumentId]) -> Result<Vec<OwnPair>, Error> {
    let mut pairs = Vec::new();
    for chunk in documents.chunks(chunks::rows_per_statement(db, 1, 0)) {
        let among = own_pair::Column::DocumentId.is_in(chunk.iter().map(|document| document.0));
        pairs.append(&mut sql::all(db, own_pair::Entity::find().filter(among)).await?);
    }
    Ok(pairs)
}

read_by_columns! { OwnPair { member: member_id, other: other_id, document: document_id } }

/// What was counted of all documents of a project.
pub async fn pairs_in(db: &impl Db, project: ProjectId) -> Result<Vec<OwnPair>, Error> {
    let documents = project::document_ids(project).into_query();
    let among = own_pair::Column::DocumentId.in_subquery(documents);
    sql::all(db, own_pair::Entity::find().filter(among)).await
}

/// Notes what was counted now; none of it may have been before.
pub async fn insert_pairs(tx: &Tx, pairs: impl Iterator<Item = OwnPair>) -> Result<(), Error> {
    let rows = pairs
        .map(|pair| own_pair::ActiveModel {
            member_id: Set(pair.member.0),
            other_id: Set(pair.other.0),
            document_id: Set(pair.document.0),
        })
        .collect();
    chunks::insert(tx, rows).await
}

/// What is counted of each of these labelers, in JSON; of those of whom nothing is, nothing.
pub async fn list(db: &impl Db, members: &[MemberId]) -> Result<Vec<(MemberId, String)>, Error> {
    let mut counts = Vec::with_capacity(members.len());
    for chunk in members.chunks(chunks::rows_per_statement(db, 1, 0)) {
        let among = own_count::Column::MemberId.is_in(chunk.iter().map(|member| member.0));
        counts.append(&mut sql::all(db, own_count::Entity::find().filter(among)).await?);
    }
    Ok(counts)
}

/// Puts what is counted now in the place of what was.
pub async fn save(tx: &Tx, counts: Vec<(MemberId, String)>) -> Result<(), Error> {
    let rows = counts.into_iter().map(|(member, counts)| own_count::ActiveModel {
        member_id: Set(member.0),
        counts: Set(counts),
    });
    let newer = OnConflict::column(own_count::Column::MemberId)
        .update_column(own_count::Column::Counts)
        .to_owned();
    chunks::insert_or(tx, rows.collect(), newer).await
}
