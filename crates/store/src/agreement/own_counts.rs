//! What is counted of labelers with others to be shown to them: which documents were, so that none is
//! counted again, and what that makes.

use domain::{DocumentId, MemberId, ProjectId};
use sea_orm::{ActiveValue::Set, EntityTrait, QueryFilter, prelude::*, sea_query::OnConflict};

use crate::{
    Db, Error, Tx,
    base::{chunks, db::Connected, sql},
    entity::{own_count, own_pair},
};

/// A document that a labeler and somebody else have submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OwnPair {
    pub member: MemberId,
    pub other: MemberId,
    pub document: DocumentId,
}

fn pair((member, other, document): (i64, i64, i64)) -> OwnPair {
    OwnPair { member: MemberId(member), other: MemberId(other), document: DocumentId(document) }
}

const SELECT: &str = "SELECT member_id, other_id, document_id FROM own_pair";

/// What was counted of these documents.
pub async fn pairs_of(db: &impl Db, documents: &[DocumentId]) -> Result<Vec<OwnPair>, Error> {
    let mut pairs = Vec::new();
    for chunk in documents.chunks(chunks::rows_per_statement(db, 1, 0)) {
        let among = sql::placeholders(chunk.len());
        let select = format!("{SELECT} WHERE document_id IN ({among})");
        let ids: Vec<_> = chunk.iter().map(|document| document.0.into()).collect();
        pairs.extend(sql::tuples(db, &select, ids).await?.into_iter().map(pair));
    }
    Ok(pairs)
}

/// What was counted of all documents of a project.
pub async fn pairs_in(db: &impl Db, project: ProjectId) -> Result<Vec<OwnPair>, Error> {
    let select =
        format!("{SELECT} WHERE document_id IN (SELECT id FROM document WHERE project_id = $1)");
    let rows = sql::tuples(db, &select, [project.0.into()]).await?;
    Ok(rows.into_iter().map(pair).collect())
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
    Ok(chunks::insert(tx, rows).await?)
}

/// What is counted of each of these labelers, in JSON; of those of whom nothing is, nothing.
pub async fn list(db: &impl Db, members: &[MemberId]) -> Result<Vec<(MemberId, String)>, Error> {
    let mut counts = Vec::with_capacity(members.len());
    for chunk in members.chunks(chunks::rows_per_statement(db, 1, 0)) {
        let rows = own_count::Entity::find()
            .filter(own_count::Column::MemberId.is_in(chunk.iter().map(|member| member.0)))
            .all(db.connection())
            .await?;
        counts.extend(rows.into_iter().map(|row| (MemberId(row.member_id), row.counts)));
    }
    Ok(counts)
}

/// Puts what is counted now in the place of what was.
pub async fn save(tx: &Tx, counts: Vec<(MemberId, String)>) -> Result<(), Error> {
    let size = chunks::rows_per_statement(tx, 2, 0);
    let mut rows = counts
        .into_iter()
        .map(|(member, counts)| own_count::ActiveModel {
            member_id: Set(member.0),
            counts: Set(counts),
        })
        .peekable();
    while rows.peek().is_some() {
        own_count::Entity::insert_many(rows.by_ref().take(size))
            .on_conflict(
                OnConflict::column(own_count::Column::MemberId)
                    .update_column(own_count::Column::Counts)
                    .to_owned(),
            )
            .exec_without_returning(tx.connection())
            .await?;
    }
    Ok(())
}
