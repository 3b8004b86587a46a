//! Projects that are archived, restored and deleted, and what administrators see of them.

use chrono::{DateTime, Utc};
use domain::{ImportId, ImportState, KeptProject, Page, ProjectId, SearchQuery};
use sea_orm::{FromQueryResult, Value, prelude::*};

use crate::{Db, Error, Tx, base::sql};

/// How many projects stand on a page.
const SIZE: u64 = 50;

/// Archives a project at this time, or takes it out of the archive again.
pub async fn set_archived(
    tx: &Tx,
    project: ProjectId,
    since: Option<DateTime<Utc>>,
) -> Result<(), Error> {
    let sql = "UPDATE project SET archived_at = $2, revision = revision + 1 WHERE id = $1";
    sql::execute(tx, sql, [project.0.into(), since.into()]).await?;
    Ok(())
}

/// Refuses to go on with a project that is archived, or that there is not.
pub async fn refuse_archived(tx: &Tx, project: ProjectId) -> Result<(), Error> {
    let sql = "SELECT archived_at IS NOT NULL FROM project WHERE id = $1";
    match sql::tuple(tx, sql, [project.0.into()]).await? {
        Some((false,)) => Ok(()),
        Some((true,)) => Err(Error::Archived),
        None => Err(Error::Missing),
    }
}

/// The imports into a project that have begun and not ended.
pub async fn running_imports(db: &impl Db, project: ProjectId) -> Result<Vec<ImportId>, Error> {
    let sql = "SELECT id FROM import WHERE project_id = $1 AND state = $2";
    let values = [project.0.into(), ImportState::Running.name().into()];
    let rows: Vec<(i64,)> = sql::tuples(db, sql, values).await?;
    Ok(rows.into_iter().map(|(id,)| ImportId(id)).collect())
}

/// Deletes a project with everything that belongs to it: what needs something else goes before it.
/// Its audit trail stays, in which everybody and everything is a number.
/// Accounts of people whose work was imported into it, and whom nobody has claimed to be, go, too.
pub async fn delete(tx: &Tx, project: ProjectId) -> Result<(), Error> {
    for sql in [
        "DELETE FROM gold_version WHERE project_id = $1",
        "DELETE FROM document WHERE project_id = $1",
        "DELETE FROM project WHERE id = $1",
    ] {
        sql::execute(tx, sql, [project.0.into()]).await?;
    }
    let unclaimed = "DELETE FROM user_account WHERE is_placeholder AND NOT EXISTS
        (SELECT 1 FROM member WHERE member.user_id = user_account.id)";
    sql::execute(tx, unclaimed, []).await?;
    Ok(())
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    name: String,
    created_at: DateTimeUtc,
    archived_at: Option<DateTimeUtc>,
    members: i64,
    documents: i64,
}

/// The projects whose name has the text that is looked for, by name.
pub async fn list(db: &impl Db, query: &SearchQuery) -> Result<Page<KeptProject>, Error> {
    let pattern = sql::containing(&query.search.to_lowercase());
    let found = "LOWER(project.name) LIKE $1 ESCAPE '!'";
    let count = format!("SELECT COUNT(*) FROM project WHERE {found}");
    let total: Option<i64> = sql::tuple(db, &count, [pattern.as_str().into()]).await?;
    let offset = i64::try_from(query.page.saturating_mul(SIZE)).unwrap_or(i64::MAX);
    let size = i64::try_from(SIZE).unwrap_or(i64::MAX);
    let page = format!("{found} ORDER BY project.name, project.id LIMIT $2 OFFSET $3");
    let rows = select(db, &page, [pattern.into(), size.into(), offset.into()]).await?;
    let total = sql::number(total.unwrap_or_default())?;
    Ok(Page { rows, total, number: query.page, size: SIZE })
}

/// What is told of one project.
pub async fn find(db: &impl Db, project: ProjectId) -> Result<Option<KeptProject>, Error> {
    Ok(select(db, "project.id = $1", [project.0.into()]).await?.into_iter().next())
}

/// Projects; `condition` is a constant of this module.
async fn select<const N: usize>(
    db: &impl Db,
    condition: &str,
    values: [Value; N],
) -> Result<Vec<KeptProject>, Error> {
    let select = format!(
        "SELECT project.id, project.name, project.created_at, project.archived_at,
                (SELECT COUNT(*) FROM member
                 WHERE member.project_id = project.id AND member.removed_at IS NULL) AS members,
                (SELECT COUNT(*) FROM document WHERE document.project_id = project.id) AS documents
         FROM project WHERE {condition}"
    );
    let rows = sql::rows::<Row, _>(db, &select, values).await?;
    rows.into_iter()
        .map(|row| {
            Ok(KeptProject {
                id: ProjectId(row.id),
                name: row.name,
                created_at: row.created_at,
                archived_at: row.archived_at,
                members: sql::number(row.members)?,
                documents: sql::number(row.documents)?,
            })
        })
        .collect()
}
