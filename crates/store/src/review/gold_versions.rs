//! Gold standards that were locked. Nothing here changes one: there is no verb for it.

use chrono::{DateTime, Utc};
use domain::{DocumentId, GoldMark, GoldVersion, NewGoldVersion, ProjectId, Revision, UserId};
use sea_orm::{ActiveValue::Set, FromQueryResult, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{chunks, sql},
    entity::gold_version_document as row,
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
    pub marks: Vec<GoldMark>,
}

/// Stores a version and returns its number; [`Error::Duplicate`] if the project has one of this
/// name.
pub async fn insert(
    tx: &Tx,
    project: ProjectId,
    new: NewVersion<'_>,
    documents: &[LockedDocument],
) -> Result<i64, Error> {
    let count = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let there = u64::try_from(documents.len()).unwrap_or(u64::MAX);
    let inserted: Option<(i64, i64)> = sql::try_tuple(
        tx,
        "INSERT INTO gold_version (project_id, number, name, note, locked_at, locked_by, revision,
                                   guidelines_version, documents, positions, open, sha256)
         SELECT $1, COALESCE(MAX(number) + 1, 1), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
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
            count(there).into(),
            count(new.positions).into(),
            count(new.open).into(),
            new.sha256.into(),
        ],
    )
    .await
    .map_err(|error| Error::unless_unique(&["name"], error))?;
    let (id, number) = inserted.ok_or_else(|| Error::unreadable("a version without an id"))?;
    let rows = documents.iter().map(|document| {
        Ok(row::ActiveModel {
            version_id: Set(id),
            document_id: Set(document.document.0),
            name: Set(document.name.clone()),
            marks: Set(serde_json::to_string(&document.marks).map_err(Error::unreadable)?),
        })
    });
    chunks::insert(tx, rows.collect::<Result<_, Error>>()?).await?;
    Ok(number)
}

#[derive(FromQueryResult)]
struct VersionRow {
    number: i64,
    name: String,
    note: String,
    locked_at: DateTimeUtc,
    locked_by: Option<String>,
    revision: i64,
    guidelines_version: i64,
    documents: i64,
    positions: i64,
    open: i64,
    sha256: String,
}

/// A project's versions, the latest first.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<GoldVersion>, Error> {
    let rows = sql::rows::<VersionRow, _>(
        db,
        "SELECT gold_version.number, gold_version.name, gold_version.note, gold_version.locked_at,
                user_account.name AS locked_by, gold_version.revision,
                gold_version.guidelines_version, gold_version.documents, gold_version.positions,
                gold_version.open, gold_version.sha256
         FROM gold_version LEFT JOIN user_account ON user_account.id = gold_version.locked_by
         WHERE gold_version.project_id = $1
         ORDER BY gold_version.number DESC",
        [project.0.into()],
    )
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(GoldVersion {
                number: row.number,
                name: row.name,
                note: row.note,
                locked_at: row.locked_at,
                locked_by: row.locked_by,
                revision: Revision(row.revision),
                guidelines_version: row.guidelines_version,
                documents: sql::number(row.documents)?,
                positions: sql::number(row.positions)?,
                open: sql::number(row.open)?,
                sha256: row.sha256,
            })
        })
        .collect()
}

/// The documents of a version in the order of their import; none if there is no such version.
pub async fn documents(
    db: &impl Db,
    project: ProjectId,
    number: i64,
) -> Result<Vec<LockedDocument>, Error> {
    let rows: Vec<(i64, String, String)> = sql::tuples(
        db,
        "SELECT gold_version_document.document_id, gold_version_document.name,
                gold_version_document.marks
         FROM gold_version_document
         JOIN gold_version ON gold_version.id = gold_version_document.version_id
         WHERE gold_version.project_id = $1 AND gold_version.number = $2
         ORDER BY gold_version_document.document_id",
        [project.0.into(), number.into()],
    )
    .await?;
    rows.into_iter().map(locked).collect()
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
        let select = format!(
            "SELECT gold_version_document.document_id, gold_version_document.name,
                    gold_version_document.marks
             FROM gold_version_document
             JOIN gold_version ON gold_version.id = gold_version_document.version_id
             WHERE gold_version_document.document_id IN ({})
             AND gold_version.project_id = ${} AND gold_version.number = ${}
             ORDER BY gold_version_document.document_id",
            sql::placeholders(chunk.len()),
            chunk.len() + 1,
            chunk.len() + 2
        );
        let ids = chunk.iter().map(|document| document.0.into());
        let values = ids.chain([project.0.into(), number.into()]);
        let rows: Vec<(i64, String, String)> = sql::tuples(db, &select, values).await?;
        documents.extend(rows.into_iter().map(locked).collect::<Result<Vec<_>, _>>()?);
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
    let row: Option<(i64, String, String)> = sql::tuple(
        db,
        "SELECT gold_version_document.document_id, gold_version_document.name,
                gold_version_document.marks
         FROM gold_version_document
         JOIN gold_version ON gold_version.id = gold_version_document.version_id
         WHERE gold_version.project_id = $1 AND gold_version.number = $2
         AND gold_version_document.document_id = $3",
        [project.0.into(), number.into(), document.0.into()],
    )
    .await?;
    row.map(locked).transpose()
}

fn locked((document, name, marks): (i64, String, String)) -> Result<LockedDocument, Error> {
    let marks = serde_json::from_str(&marks).map_err(Error::unreadable)?;
    Ok(LockedDocument { document: DocumentId(document), name, marks })
}
