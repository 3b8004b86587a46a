//! Gold standards that were locked. Nothing here changes one: there is no verb for it.

use domain::{
    DocumentId, GoldAnswer, GoldPosition, GoldVersion, NewGoldVersion, ProjectId, Revision, UserId,
};

use crate::{
    account::users,
    base::prelude::*,
    entity::{
        gold_version::{Column, Entity as Versions},
        gold_version_document as row,
    },
};

/// What is stored of a version beside its documents.
#[derive(Clone, Debug)]
pub struct NewVersion<'a> {
    pub asked: &'a NewGoldVersion,
    pub by: UserId,
    pub at: DateTime<Utc>,
    pub revision: Revision,
    pub guidelines_version: i64,
    pub positions: u64,
    pub open: u64,
    pub sha256: &'a str,
}

/// A document of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedDocument {
    pub document: DocumentId,
    pub name: String,
    /// In order of position.
    pub positions: Vec<GoldPosition>,
    /// Those about the document first, then in order of position.
    pub answers: Vec<GoldAnswer>,
}

/// Stores a version and returns its number; [`Error::Duplicate`] if the project has one of this
/// name.
pub async fn insert(
    tx: &Tx,
    project: ProjectId,
    new: NewVersion<'_>,
    documents: &[LockedDocument],
) -> Result<i64, Error> {
    // SQL: an insert from a select; models insert values.
    let inserted: Option<(i64, i64)> = sql::row(
        tx,
        "INSERT INTO gold_version (project_id, number, name, note, locked_at, locked_by, revision,
                                   guidelines_version, documents, positions, open, sha256, has_own_ids)
         SELECT $1, COALESCE(MAX(number) + 1, 1), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, TRUE
         FROM gold_version WHERE project_id = $1
         RETURNING id, number",
        [
            project.0.into(),
            new.asked.name.as_str().into(),
            new.asked.note.as_str().into(),
            new.at.into(),
            new.by.0.into(),
            new.revision.0.into(),
            new.guidelines_version.into(),
            sql::signed(documents.len()).into(),
            sql::signed(new.positions).into(),
            sql::signed(new.open).into(),
            new.sha256.into(),
        ],
    )
    .await
    .map_err(|error| error.unless_unique(&["name"]))?;
    let (id, number) = inserted.ok_or_else(|| Error::unreadable("a version without an id"))?;
    let rows = documents.iter().map(|document| {
        Ok(row::ActiveModel {
            version_id: Set(id),
            document_id: Set(document.document.0),
            name: Set(document.name.clone()),
            positions: Set(sql::json(&document.positions)?),
            answers: Set(sql::json(&document.answers)?),
        })
    });
    chunks::insert(tx, rows.collect::<Result<_, Error>>()?).await?;
    Ok(number)
}

/// A project's versions, the latest first.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<GoldVersion>, Error> {
    let versions = Versions::find()
        .column_as(users::name_of(Column::LockedBy), "locked_by_name")
        .filter(Column::ProjectId.eq(project.0))
        .order_by_desc(Column::Number);
    sql::all(db, versions).await
}

read_by_columns! {
    GoldVersion {
        number, name, note, locked_at, locked_by: locked_by_name, revision, guidelines_version,
        documents, positions, open, sha256,
    }
}

/// Whether a version's lines have the documents' own ids, or the numbers of this database; none if there is no
/// such version.
pub async fn has_own_ids(
    db: &impl Db,
    project: ProjectId,
    number: i64,
) -> Result<Option<bool>, Error> {
    let version = Versions::find()
        .select_only()
        .column(Column::HasOwnIds)
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::Number.eq(number));
    sql::one(db, version).await
}

/// The documents of a version in the order of their import; none if there is no such version.
pub async fn documents(
    db: &impl Db,
    project: ProjectId,
    number: i64,
) -> Result<Vec<LockedDocument>, Error> {
    sql::all(db, of_version(project, number)).await
}

/// Those of these documents that a version has.
pub async fn documents_among(
    db: &impl Db,
    project: ProjectId,
    number: i64,
    among: &[DocumentId],
) -> Result<Vec<LockedDocument>, Error> {
    let mut documents = Vec::with_capacity(among.len());
    for chunk in among.chunks(chunks::rows_per_statement(db, 1, 2)) {
        let among = row::Column::DocumentId.is_in(chunk.iter().map(|document| document.0));
        documents.append(&mut sql::all(db, of_version(project, number).filter(among)).await?);
    }
    Ok(documents)
}

/// One document of a version.
pub async fn document(
    db: &impl Db,
    project: ProjectId,
    number: i64,
    document: DocumentId,
) -> Result<Option<LockedDocument>, Error> {
    Ok(documents_among(db, project, number, &[document]).await?.pop())
}

/// What a version has, in the order of its import.
fn of_version(project: ProjectId, number: i64) -> Select<row::Entity> {
    let version = Versions::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::Number.eq(number));
    row::Entity::find()
        .filter(row::Column::VersionId.in_subquery(version.into_query()))
        .order_by_asc(row::Column::DocumentId)
}

read_by_columns! {
    LockedDocument { document: document_id, name, positions: (json), answers: (json) }
}
