//! The guidelines of a project, version by version.

use chrono::{DateTime, Utc};
use domain::{GuidelinesVersion, ProjectId, UserId};
use sea_orm::{ActiveValue::Set, EntityTrait, FromQueryResult, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::guideline_version::{self, Entity},
};

/// Who changes guidelines, why and when.
#[derive(Clone, Copy, Debug)]
pub struct Edit<'a> {
    /// None for what the server did by itself.
    pub author: Option<UserId>,
    pub note: &'a str,
    pub at: DateTime<Utc>,
}

/// Gives a project these guidelines, and says which version of them it has now. The text that is
/// there already is no new version.
pub async fn change(tx: &Tx, project: ProjectId, text: &str, edit: Edit<'_>) -> Result<i64, Error> {
    let changed: Option<i64> = sql::tuple(
        tx,
        "UPDATE project SET guidelines = $2, guidelines_version = guidelines_version + 1
         WHERE id = $1 AND guidelines <> $2 RETURNING guidelines_version",
        [project.0.into(), text.into()],
    )
    .await?;
    if let Some(number) = changed {
        insert(tx, project, number, text, edit).await?;
        return Ok(number);
    }
    let present: Option<i64> =
        sql::tuple(tx, "SELECT guidelines_version FROM project WHERE id = $1", [project.0.into()])
            .await?;
    present.ok_or_else(|| Error::unreadable(format!("no project {project}")))
}

/// Stores a version.
pub(crate) async fn insert(
    tx: &Tx,
    project: ProjectId,
    number: i64,
    text: &str,
    edit: Edit<'_>,
) -> Result<(), Error> {
    let row = guideline_version::ActiveModel {
        project_id: Set(project.0),
        number: Set(number),
        text: Set(text.to_owned()),
        note: Set(edit.note.to_owned()),
        author_id: Set(edit.author.map(|author| author.0)),
        created_at: Set(edit.at),
        ..Default::default()
    };
    Entity::insert(row).exec_without_returning(tx.connection()).await?;
    Ok(())
}

#[derive(FromQueryResult)]
struct Row {
    number: i64,
    note: String,
    author: Option<String>,
    created_at: DateTimeUtc,
}

/// A project's versions, the newest first.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<GuidelinesVersion>, Error> {
    let rows = sql::rows::<Row, _>(
        db,
        "SELECT guideline_version.number, guideline_version.note, user_account.name AS author,
                guideline_version.created_at
         FROM guideline_version
         LEFT JOIN user_account ON user_account.id = guideline_version.author_id
         WHERE guideline_version.project_id = $1
         ORDER BY guideline_version.number DESC",
        [project.0.into()],
    )
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| GuidelinesVersion {
            number: row.number,
            note: row.note,
            author: row.author,
            created_at: row.created_at,
        })
        .collect())
}

/// The text of a version; none if the project has no such version.
pub async fn text(db: &impl Db, project: ProjectId, number: i64) -> Result<Option<String>, Error> {
    sql::tuple(
        db,
        "SELECT text FROM guideline_version WHERE project_id = $1 AND number = $2",
        [project.0.into(), number.into()],
    )
    .await
}
