//! Documents with their texts.

pub mod deletion;
pub mod exports;
pub mod import_undo;
pub mod imports;
pub mod shelf;
pub mod unended_imports;

use std::collections::{BTreeSet, HashMap};

use domain::{DocumentCard, DocumentId, MemberProgress, Page, ProjectId};
use serde::{Deserialize, Serialize};

use crate::{
    Neighbours,
    base::chunks::rows_per_statement,
    base::prelude::*,
    entity::assignment,
    entity::document::{self, Column, Entity},
    project::{self, rounds},
    work::flags,
};

/// A document to store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewDocument {
    /// What the imported file calls it; unique in the project.
    pub external_id: Option<String>,
    pub name: String,
    pub text: String,
    /// The text's length in Unicode scalar values.
    pub characters: u32,
    pub sha256: String,
    /// How many labelers get an assignment; none for everyone, also those who join later.
    pub overlap: Option<u32>,
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
    let rows = documents
        .into_iter()
        .map(|document| document::ActiveModel {
            project_id: Set(project.0),
            external_id: Set(document.external_id),
            name: Set(document.name),
            text: Set(document.text),
            characters: Set(document.characters.into()),
            sha256: Set(document.sha256),
            overlap: Set(document.overlap.map(i64::from)),
            created_at: Set(now),
            round_id: Set(Some(round.0)),
            ..Default::default()
        })
        .collect();
    let ids = chunks::insert_for_ids(tx, rows, Column::Id).await;
    ids.map_err(|error| error.unless_unique(&["id"]))
}

/// The documents of a project after this one in the order of their import, with how far people have
/// come; at most so many.
pub async fn list_after(
    db: &impl Db,
    project: ProjectId,
    after: DocumentId,
    limit: u64,
) -> Result<Vec<DocumentCard>, Error> {
    let next = of_project(project)
        .columns([Column::Id, Column::Name, Column::Characters, Column::CreatedAt])
        .filter(Column::Id.gt(after.0))
        .limit(limit);
    with_progress(db, sql::all(db, next).await?).await
}

read_by_columns! {
    DocumentCard { id, name, characters, created_at, assignments: (none), reviews: (none) }
}

/// A project's documents in the order of their import, without their columns.
fn of_project(project: ProjectId) -> Select<Entity> {
    project::document_ids(project).select_only().order_by_asc(Column::Id)
}

/// A page of a project's documents in the order of their import, with how far people have come.
/// An assignment whose labeler was removed counts only with work in it: nobody is going to do the rest.
pub async fn list(
    db: &impl Db,
    project: ProjectId,
    page: u64,
    size: u64,
) -> Result<Page<DocumentCard>, Error> {
    let (limit, offset) = (sql::signed(size), sql::signed(page.saturating_mul(size)));
    // SQL: an outer join of two queries, which keeps a row with the total for a page past the end.
    let rows: Vec<Listed> = sql::rows(
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
    let total = rows.first().map_or(0, |row| row.total);
    let cards = rows.into_iter().filter_map(|row| row.card).collect();
    let rows = with_progress(db, cards).await?;
    Ok(Page { rows, total, number: page, size })
}

/// How many documents there are, and one of the page, if the page has any.
struct Listed {
    total: u64,
    card: Option<DocumentCard>,
}

read_by_columns! { Listed { total, card: (part_if_any id) } }

/// These documents with how far people have come, in the order in which they are named; those that there
/// are not are left out.
pub async fn cards(db: &impl Db, ids: &[DocumentId]) -> Result<Vec<DocumentCard>, Error> {
    let mut cards = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(rows_per_statement(db, 1, 0)) {
        let found = Entity::find()
            .select_only()
            .columns([Column::Id, Column::Name, Column::Characters, Column::CreatedAt])
            .filter(Column::Id.is_in(chunk.iter().map(|id| id.0)));
        cards.extend(sql::all(db, found).await?);
    }
    let places: HashMap<_, _> = ids.iter().zip(0_u64..).collect();
    cards.sort_by_key(|card: &DocumentCard| places.get(&card.id).copied());
    with_progress(db, cards).await
}

/// Documents with how far people have come with them.
async fn with_progress(
    db: &impl Db,
    mut cards: Vec<DocumentCard>,
) -> Result<Vec<DocumentCard>, Error> {
    let documents: Vec<_> = cards.iter().map(|card| card.id).collect();
    let mut assignments = HashMap::new();
    let mut reviews = HashMap::new();
    for chunk in documents.chunks(rows_per_statement(db, 1, 0)) {
        let these = sql::placeholders(chunk.len());
        let of_labelers = format!(
            "SELECT assignment.document_id, assignment.member_id, assignment.state, assignment.id
             FROM assignment JOIN member ON member.id = assignment.member_id
             WHERE (member.removed_at IS NULL OR assignment.state <> 'open')
               AND assignment.document_id IN ({these})
             ORDER BY assignment.member_id"
        );
        let of_reviewers = format!(
            "SELECT review.document_id, review.member_id, review.state, CAST(NULL AS BIGINT)
             FROM review WHERE review.document_id IN ({these})
             ORDER BY review.member_id"
        );
        assignments.extend(progress(db, &of_labelers, chunk).await?);
        reviews.extend(progress(db, &of_reviewers, chunk).await?);
    }
    let notes = flags::of_documents(db, &documents).await?;
    for card in &mut cards {
        card.assignments = assignments.remove(&card.id).unwrap_or_default();
        for assignment in &mut card.assignments {
            if let Some(notes) = notes.get(&(card.id, assignment.member)) {
                assignment.flags = notes.flags.iter().map(|flag| flag.kind).collect();
            }
        }
        card.reviews = reviews.remove(&card.id).unwrap_or_default();
    }
    Ok(cards)
}

/// How far members have come with documents: rows of document, member, state and assignment.
async fn progress(
    db: &impl Db,
    select: &str,
    documents: &[DocumentId],
) -> Result<HashMap<DocumentId, Vec<MemberProgress>>, Error> {
    // SQL: assignments and reviews are asked for alike, each by a text.
    let mut progress: HashMap<_, Vec<_>> = HashMap::new();
    let ids = documents.iter().map(|document| document.0.into());
    for (document, member, state, assignment) in sql::rows(db, select, ids).await? {
        let assignment = MemberProgress { member, state, assignment, flags: Vec::new() };
        progress.entry(document).or_default().push(assignment);
    }
    Ok(progress)
}

/// How many documents a project has.
pub async fn count(db: &impl Db, project: ProjectId) -> Result<u64, Error> {
    // One column: what is counted is a query, and texts would be read for it.
    let ids = Entity::find().select_only().column(Column::Id);
    Ok(ids.filter(Column::ProjectId.eq(project.0)).count(db.connection()).await?)
}

/// How many documents a project has, and the newest of them: what is the same while none came or went.
pub async fn extent(db: &impl Db, project: ProjectId) -> Result<(u64, Option<DocumentId>), Error> {
    // SQL: two aggregates of one index.
    let select = "SELECT COUNT(*), MAX(id) FROM document WHERE project_id = $1";
    Ok(sql::row(db, select, [project.0.into()]).await?.unwrap_or_default())
}

/// Which of these documents a project has.
pub async fn present(
    db: &impl Db,
    project: ProjectId,
    ids: &[DocumentId],
) -> Result<BTreeSet<DocumentId>, Error> {
    let mut present = BTreeSet::new();
    for chunk in ids.chunks(rows_per_statement(db, 1, 1)) {
        let among = Column::Id.is_in(chunk.iter().map(|id| id.0));
        let found: Vec<DocumentId> =
            sql::all(db, project::document_ids(project).filter(among)).await?;
        present.extend(found);
    }
    Ok(present)
}

/// The documents of a project that have these external ids, with the hashes of their texts.
pub async fn with_external_ids(
    db: &impl Db,
    project: ProjectId,
    ids: &[String],
) -> Result<HashMap<String, (DocumentId, String)>, Error> {
    let mut there = HashMap::new();
    for chunk in ids.chunks(rows_per_statement(db, 1, 1)) {
        let among = Column::ExternalId.is_in(chunk.iter().map(String::as_str));
        let found = Entity::find()
            .select_only()
            .columns([Column::ExternalId, Column::Id, Column::Sha256])
            .filter(Column::ProjectId.eq(project.0))
            .filter(among);
        let found: Vec<(String, DocumentId, String)> = sql::all(db, found).await?;
        there.extend(found.into_iter().map(|(external, id, sha256)| (external, (id, sha256))));
    }
    Ok(there)
}

/// How many documents of a project nobody is assigned.
pub async fn count_unassigned(db: &impl Db, project: ProjectId) -> Result<u64, Error> {
    let assigned = assignment::Entity::find().select_only().column(assignment::Column::Id).filter(
        Expr::col(assignment::Column::DocumentId.as_column_ref()).equals((Entity, Column::Id)),
    );
    let unassigned = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::ProjectId.eq(project.0))
        .filter(Expr::exists(assigned.into_query()).not());
    Ok(unassigned.count(db.connection()).await?)
}

/// The document with this id.
pub async fn find(db: &impl Db, id: DocumentId) -> Result<Option<Document>, Error> {
    sql::one(db, Entity::find_by_id(id.0)).await
}

read_by_columns! { Document { id, project: project_id, name, text, characters } }

/// The project that a document is in.
pub async fn project_of(db: &impl Db, id: DocumentId) -> Result<Option<ProjectId>, Error> {
    sql::one(db, Entity::find_by_id(id.0).select_only().column(Column::ProjectId)).await
}

/// Where a document stands in its project's list; none if the project has no such document.
pub async fn neighbours(
    db: &impl Db,
    project: ProjectId,
    id: DocumentId,
) -> Result<Option<Neighbours<DocumentId>>, Error> {
    // SQL: numbers beside each other that are each read from an index; a `WINDOW` would number the whole
    // project for one document.
    sql::row(
        db,
        "SELECT (SELECT MAX(id) FROM document WHERE project_id = $1 AND id < $2) AS previous_id,
                (SELECT MIN(id) FROM document WHERE project_id = $1 AND id > $2) AS next_id,
                (SELECT COUNT(*) FROM document WHERE project_id = $1 AND id <= $2) AS place,
                (SELECT COUNT(*) FROM document WHERE project_id = $1) AS places
         FROM document WHERE project_id = $1 AND id = $2",
        [project.0.into(), id.0.into()],
    )
    .await
}

/// Names and texts of these documents, for those that exist.
pub async fn texts(
    db: &impl Db,
    ids: &[DocumentId],
) -> Result<HashMap<DocumentId, (String, String)>, Error> {
    let mut texts = HashMap::with_capacity(ids.len());
    for chunk in ids.chunks(rows_per_statement(db, 1, 0)) {
        let found = Entity::find()
            .select_only()
            .columns([Column::Id, Column::Name, Column::Text])
            .filter(Column::Id.is_in(chunk.iter().map(|id| id.0)));
        let rows = sql::all(db, found).await?;
        texts.extend(rows.into_iter().map(|(id, name, text)| (id, (name, text))));
    }
    Ok(texts)
}

/// What the imported files called these documents, for those that were given an id.
pub async fn external_ids(
    db: &impl Db,
    ids: &[DocumentId],
) -> Result<HashMap<DocumentId, String>, Error> {
    let mut external = HashMap::new();
    for chunk in ids.chunks(rows_per_statement(db, 1, 0)) {
        let found = Entity::find()
            .select_only()
            .columns([Column::Id, Column::ExternalId])
            .filter(Column::Id.is_in(chunk.iter().map(|id| id.0)))
            .filter(Column::ExternalId.is_not_null());
        let found: Vec<(DocumentId, String)> = sql::all(db, found).await?;
        external.extend(found);
    }
    Ok(external)
}

/// The names of a project's documents in the order of their import.
pub async fn names(db: &impl Db, project: ProjectId) -> Result<Vec<(DocumentId, String)>, Error> {
    sql::all(db, of_project(project).columns([Column::Id, Column::Name])).await
}

/// The names of these documents, for those that exist.
pub async fn names_of(
    db: &impl Db,
    ids: &[DocumentId],
) -> Result<HashMap<DocumentId, String>, Error> {
    let mut names = HashMap::with_capacity(ids.len());
    for chunk in ids.chunks(rows_per_statement(db, 1, 0)) {
        let found = Entity::find()
            .select_only()
            .columns([Column::Id, Column::Name])
            .filter(Column::Id.is_in(chunk.iter().map(|id| id.0)));
        names.extend(sql::all::<(DocumentId, String)>(db, found).await?);
    }
    Ok(names)
}

/// The SHA-256 of the texts of a project's documents, in the order of their import.
pub async fn hashes(db: &impl Db, project: ProjectId) -> Result<Vec<(DocumentId, String)>, Error> {
    sql::all(db, of_project(project).columns([Column::Id, Column::Sha256])).await
}

/// Deletes a document with all work on it; false if the project has none with this id,
/// [`Error::InUse`] while it stands in a locked gold standard.
pub async fn delete(tx: &Tx, project: ProjectId, id: DocumentId) -> Result<bool, Error> {
    let delete =
        Entity::delete_many().filter(Column::Id.eq(id.0)).filter(Column::ProjectId.eq(project.0));
    Ok(sql::run(tx, delete).await.map_err(Error::unless_unused)? == 1)
}

/// The documents that every labeler gets, also one who joins now.
pub async fn open_to_everyone(db: &impl Db, project: ProjectId) -> Result<Vec<DocumentId>, Error> {
    sql::all(
        db,
        project::document_ids(project).filter(Column::Overlap.is_null()).order_by_asc(Column::Id),
    )
    .await
}
