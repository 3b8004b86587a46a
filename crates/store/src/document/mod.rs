//! Documents with their texts.

pub mod exports;
pub mod import_undo;
pub mod imports;

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use domain::{AssignmentId, CopyProgress, DocumentCard, DocumentId, MemberId, Page, ProjectId};
use sea_orm::{
    ActiveValue::Set, ConnectionTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, prelude::*,
};

use crate::{
    Db, Error, Neighbours, Tx,
    base::{
        chunks::{rows_per_statement, steadily},
        db::Connected,
        sql,
    },
    entity::document::{self, Column, Entity},
    project::rounds,
    work::flags,
};

/// A document to store.
#[derive(Clone, Debug)]
pub struct NewDocument {
    /// What the imported file calls it; unique in the project.
    pub external_id: Option<String>,
    pub name: String,
    pub text: String,
    /// The text's length in Unicode scalar values.
    pub characters: u32,
    pub sha256: String,
    /// How many labelers get a copy; none for everyone, also those who join later.
    pub copies: Option<u32>,
}

/// A document with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    pub id: DocumentId,
    pub project: ProjectId,
    pub name: String,
    pub text: String,
    pub characters: u32,
}

/// Stores documents in the project's current round and returns their ids in the same order;
/// [`Error::Duplicate`] if the project has one with the same external id.
pub async fn insert_many(
    tx: &Tx,
    project: ProjectId,
    documents: Vec<NewDocument>,
    now: DateTime<Utc>,
) -> Result<Vec<DocumentId>, Error> {
    let round = rounds::current(tx, project).await?;
    let mut ids = Vec::with_capacity(documents.len());
    let rows = documents
        .into_iter()
        .map(|document| document::ActiveModel {
            project_id: Set(project.0),
            external_id: Set(document.external_id),
            name: Set(document.name),
            text: Set(document.text),
            characters: Set(document.characters.into()),
            sha256: Set(document.sha256),
            copies: Set(document.copies.map(i64::from)),
            created_at: Set(now),
            round_id: Set(Some(round.0)),
            ..Default::default()
        })
        .collect();
    for piece in steadily(rows) {
        let mut insert = Entity::insert_many(piece).into_query();
        insert.returning_col(Column::Id);
        let returned = tx
            .connection()
            .query_all(&insert)
            .await
            .map_err(|error| Error::unless_unique(&["id"], error))?;
        let mut chunk = returned
            .iter()
            .map(|row| row.try_get_by_index(0).map(DocumentId))
            .collect::<Result<Vec<_>, _>>()?;
        // Ids are given out in the order of the rows, but come back in any order.
        chunk.sort_unstable();
        ids.append(&mut chunk);
    }
    Ok(ids)
}

/// The documents of a project after this one in the order of their import, with how far people have
/// come; at most so many.
pub async fn list_after(
    db: &impl Db,
    project: ProjectId,
    after: DocumentId,
    limit: u64,
) -> Result<Vec<DocumentCard>, Error> {
    let rows: Vec<(i64, String, i64, DateTimeUtc)> = Entity::find()
        .select_only()
        .columns([Column::Id, Column::Name, Column::Characters, Column::CreatedAt])
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::Id.gt(after.0))
        .order_by_asc(Column::Id)
        .limit(limit)
        .into_tuple()
        .all(db.connection())
        .await?;
    let mut cards = Vec::with_capacity(rows.len());
    for (id, name, characters, created_at) in rows {
        cards.push(DocumentCard {
            id: DocumentId(id),
            name,
            characters: sql::number(characters)?,
            created_at,
            copies: Vec::new(),
            reviews: Vec::new(),
        });
    }
    let window = "SELECT id FROM document WHERE project_id = $1 AND id > $2 ORDER BY id LIMIT $3";
    let values = [project.0.into(), after.0.into(), as_limit(limit).into()];
    add_progress(db, &mut cards, window, values).await?;
    Ok(cards)
}

#[derive(FromQueryResult)]
struct CardRow {
    total: i64,
    id: Option<i64>,
    name: Option<String>,
    characters: Option<i64>,
    created_at: Option<DateTimeUtc>,
}

/// A page of a project's documents in the order of their import, with how far people have come.
/// A copy whose labeler was removed counts only with work in it: nobody is going to do the rest.
pub async fn list(
    db: &impl Db,
    project: ProjectId,
    page: u64,
    size: u64,
) -> Result<Page<DocumentCard>, Error> {
    let (limit, offset) = (as_limit(size), as_limit(page.saturating_mul(size)));
    // The outer join keeps a row with the total for a page past the end.
    let rows = sql::rows::<CardRow, _>(
        db,
        "SELECT counted.total, listed.id, listed.name, listed.characters, listed.created_at
         FROM (SELECT COUNT(*) AS total FROM document WHERE project_id = $1) AS counted
         LEFT JOIN (
             SELECT id, name, characters, created_at FROM document WHERE project_id = $1
             ORDER BY id LIMIT $2 OFFSET $3
         ) AS listed ON 1 = 1
         ORDER BY listed.id",
        [project.0.into(), limit.into(), offset.into()],
    )
    .await?;
    let total = rows.first().map_or(Ok(0), |row| sql::number(row.total))?;
    let mut cards = Vec::with_capacity(rows.len());
    for row in rows {
        if let (Some(id), Some(name), Some(characters), Some(created_at)) =
            (row.id, row.name, row.characters, row.created_at)
        {
            cards.push(DocumentCard {
                id: DocumentId(id),
                name,
                characters: sql::number(characters)?,
                created_at,
                copies: Vec::new(),
                reviews: Vec::new(),
            });
        }
    }
    let window = "SELECT id FROM document WHERE project_id = $1 ORDER BY id LIMIT $2 OFFSET $3";
    add_progress(db, &mut cards, window, [project.0.into(), limit.into(), offset.into()]).await?;
    Ok(Page { rows: cards, total, number: page, size })
}

/// Both engines take a limit as a signed number.
fn as_limit(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Says of the documents that `window` selects how far people have come with them.
async fn add_progress(
    db: &impl Db,
    cards: &mut [DocumentCard],
    window: &str,
    values: [Value; 3],
) -> Result<(), Error> {
    let copies = format!(
        "SELECT assignment.document_id, assignment.member_id, assignment.state, assignment.id
         FROM assignment JOIN member ON member.id = assignment.member_id
         WHERE (member.removed_at IS NULL OR assignment.state <> 'open')
           AND assignment.document_id IN ({window})
         ORDER BY assignment.member_id"
    );
    let reviews = format!(
        "SELECT review.document_id, review.member_id, review.state, CAST(NULL AS BIGINT)
         FROM review WHERE review.document_id IN ({window})
         ORDER BY review.member_id"
    );
    let mut copies = progress(db, &copies, values.clone()).await?;
    let mut reviews = progress(db, &reviews, values).await?;
    let documents: Vec<_> = cards.iter().map(|card| card.id).collect();
    let marks = flags::of_documents(db, &documents).await?;
    for card in cards {
        card.copies = copies.remove(&card.id).unwrap_or_default();
        for copy in &mut card.copies {
            if let Some(marks) = marks.get(&(card.id, copy.member)) {
                copy.flags = marks.flags.iter().map(|flag| flag.kind).collect();
            }
        }
        card.reviews = reviews.remove(&card.id).unwrap_or_default();
    }
    Ok(())
}

/// How far members have come with documents: rows of document, member, state and copy.
async fn progress(
    db: &impl Db,
    sql: &str,
    values: [Value; 3],
) -> Result<HashMap<DocumentId, Vec<CopyProgress>>, Error> {
    let mut progress: HashMap<_, Vec<_>> = HashMap::new();
    let rows: Vec<(i64, i64, String, Option<i64>)> = sql::tuples(db, sql, values).await?;
    for (document, member, state, copy) in rows {
        let (member, copy) = (MemberId(member), copy.map(AssignmentId));
        let copy = CopyProgress { member, state: sql::word(&state)?, copy, flags: Vec::new() };
        progress.entry(DocumentId(document)).or_default().push(copy);
    }
    Ok(progress)
}

/// How many documents a project has.
pub async fn count(db: &impl Db, project: ProjectId) -> Result<u64, Error> {
    Ok(Entity::find().filter(Column::ProjectId.eq(project.0)).count(db.connection()).await?)
}

/// The document with this id.
pub async fn find(db: &impl Db, id: DocumentId) -> Result<Option<Document>, Error> {
    let row = Entity::find_by_id(id.0).one(db.connection()).await?;
    row.map(|row| {
        Ok(Document {
            id: DocumentId(row.id),
            project: ProjectId(row.project_id),
            name: row.name,
            text: row.text,
            characters: sql::number(row.characters)?,
        })
    })
    .transpose()
}

/// The project that a document is in.
pub async fn project_of(db: &impl Db, id: DocumentId) -> Result<Option<ProjectId>, Error> {
    let project: Option<i64> =
        sql::tuple(db, "SELECT project_id FROM document WHERE id = $1", [id.0.into()]).await?;
    Ok(project.map(ProjectId))
}

/// Where a document stands in its project's list; none if the project has no such document.
pub async fn neighbours(
    db: &impl Db,
    project: ProjectId,
    id: DocumentId,
) -> Result<Option<Neighbours<DocumentId>>, Error> {
    let row: Option<(Option<i64>, Option<i64>, i64, i64)> = sql::tuple(
        db,
        "SELECT previous_id, next_id, place, places FROM (
             SELECT id, LAG(id) OVER listed AS previous_id, LEAD(id) OVER listed AS next_id,
                    ROW_NUMBER() OVER listed AS place, COUNT(*) OVER () AS places
             FROM document WHERE project_id = $1
             WINDOW listed AS (ORDER BY id)
         ) AS placed WHERE id = $2",
        [project.0.into(), id.0.into()],
    )
    .await?;
    row.map(|(previous, next, place, places)| {
        Ok(Neighbours {
            previous: previous.map(DocumentId),
            next: next.map(DocumentId),
            place: sql::number(place)?,
            places: sql::number(places)?,
        })
    })
    .transpose()
}

/// Names and texts of these documents, for those that exist.
pub async fn texts(
    db: &impl Db,
    ids: &[DocumentId],
) -> Result<HashMap<DocumentId, (String, String)>, Error> {
    let mut texts = HashMap::with_capacity(ids.len());
    for chunk in ids.chunks(rows_per_statement(db, 1, 0)) {
        let rows: Vec<(i64, String, String)> = Entity::find()
            .select_only()
            .columns([Column::Id, Column::Name, Column::Text])
            .filter(Column::Id.is_in(chunk.iter().map(|id| id.0)))
            .into_tuple()
            .all(db.connection())
            .await?;
        texts.extend(rows.into_iter().map(|(id, name, text)| (DocumentId(id), (name, text))));
    }
    Ok(texts)
}

/// The names of a project's documents in the order of their import.
pub async fn names(db: &impl Db, project: ProjectId) -> Result<Vec<(DocumentId, String)>, Error> {
    let rows: Vec<(i64, String)> = Entity::find()
        .select_only()
        .columns([Column::Id, Column::Name])
        .filter(Column::ProjectId.eq(project.0))
        .order_by_asc(Column::Id)
        .into_tuple()
        .all(db.connection())
        .await?;
    Ok(rows.into_iter().map(|(id, name)| (DocumentId(id), name)).collect())
}

/// The SHA-256 of the texts of a project's documents, in the order of their import.
pub async fn hashes(db: &impl Db, project: ProjectId) -> Result<Vec<(DocumentId, String)>, Error> {
    let rows: Vec<(i64, String)> = Entity::find()
        .select_only()
        .columns([Column::Id, Column::Sha256])
        .filter(Column::ProjectId.eq(project.0))
        .order_by_asc(Column::Id)
        .into_tuple()
        .all(db.connection())
        .await?;
    Ok(rows.into_iter().map(|(id, hash)| (DocumentId(id), hash)).collect())
}

/// Which of these external ids the project has already.
pub async fn existing_external_ids(
    db: &impl Db,
    project: ProjectId,
    external_ids: &[String],
) -> Result<Vec<String>, Error> {
    let mut existing = Vec::new();
    for chunk in external_ids.chunks(rows_per_statement(db, 1, 1)) {
        let mut found: Vec<String> = Entity::find()
            .select_only()
            .column(Column::ExternalId)
            .filter(Column::ProjectId.eq(project.0))
            .filter(Column::ExternalId.is_in(chunk))
            .order_by_asc(Column::Id)
            .into_tuple()
            .all(db.connection())
            .await?;
        existing.append(&mut found);
    }
    Ok(existing)
}

/// Deletes a document with all work on it; false if the project has none with this id,
/// [`Error::InUse`] while it stands in a locked gold standard.
pub async fn delete(tx: &Tx, project: ProjectId, id: DocumentId) -> Result<bool, Error> {
    let deleted = Entity::delete_many()
        .filter(Column::Id.eq(id.0))
        .filter(Column::ProjectId.eq(project.0))
        .exec(tx.connection())
        .await
        .map_err(Error::unless_unused)?;
    Ok(deleted.rows_affected == 1)
}

/// The documents that every labeler gets, also one who joins now.
pub async fn open_to_everyone(db: &impl Db, project: ProjectId) -> Result<Vec<DocumentId>, Error> {
    let ids: Vec<i64> = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::Copies.is_null())
        .order_by_asc(Column::Id)
        .into_tuple()
        .all(db.connection())
        .await?;
    Ok(ids.into_iter().map(DocumentId).collect())
}
