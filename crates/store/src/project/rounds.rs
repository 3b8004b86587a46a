//! The rounds of a project. Every document belongs to exactly one.

use chrono::{DateTime, Utc};
use domain::{ProjectId, Round, RoundId, UserId};
use sea_orm::{ActiveValue::Set, EntityTrait, FromQueryResult, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::round::{self, Entity},
};

/// A round to start.
#[derive(Clone, Copy, Debug)]
pub struct NewRow<'a> {
    pub title: &'a str,
    pub note: &'a str,
    pub guidelines_version: i64,
    /// None for the round that a project begins with.
    pub by: Option<UserId>,
    pub at: DateTime<Utc>,
}

/// Starts the project's next round, with no documents in it yet.
pub async fn insert(tx: &Tx, project: ProjectId, new: NewRow<'_>) -> Result<RoundId, Error> {
    let last: Option<i64> = sql::tuple(
        tx,
        "SELECT COALESCE(MAX(number), 0) FROM round WHERE project_id = $1",
        [project.0.into()],
    )
    .await?;
    let row = round::ActiveModel {
        project_id: Set(project.0),
        number: Set(last.unwrap_or(0) + 1),
        title: Set(new.title.to_owned()),
        note: Set(new.note.to_owned()),
        guidelines_version: Set(new.guidelines_version),
        started_at: Set(new.at),
        started_by: Set(new.by.map(|user| user.0)),
        ..Default::default()
    };
    Ok(RoundId(Entity::insert(row).exec(tx.connection()).await?.last_insert_id))
}

/// The documents of project `$1` that nobody has saved work on.
const UNTOUCHED: &str = "document.project_id = $1
    AND NOT EXISTS (SELECT 1 FROM assignment
                    WHERE assignment.document_id = document.id AND assignment.state <> 'open')
    AND NOT EXISTS (SELECT 1 FROM review
                    WHERE review.document_id = document.id AND review.state <> 'open')";

/// Moves the documents that nobody has saved work on into a round, and says how many.
pub async fn move_untouched(tx: &Tx, project: ProjectId, round: RoundId) -> Result<u64, Error> {
    let update = format!("UPDATE document SET round_id = $2 WHERE {UNTOUCHED}");
    sql::execute(tx, &update, [project.0.into(), round.0.into()]).await
}

/// How many documents nobody has saved work on.
pub async fn count_untouched(db: &impl Db, project: ProjectId) -> Result<u64, Error> {
    let count = format!("SELECT COUNT(*) FROM document WHERE {UNTOUCHED}");
    let counted: Option<i64> = sql::tuple(db, &count, [project.0.into()]).await?;
    sql::number(counted.unwrap_or(0))
}

/// The round that is under way: the one started last.
pub async fn current(db: &impl Db, project: ProjectId) -> Result<RoundId, Error> {
    let current: Option<i64> = sql::tuple(
        db,
        "SELECT id FROM round WHERE project_id = $1 ORDER BY number DESC LIMIT 1",
        [project.0.into()],
    )
    .await?;
    current.map(RoundId).ok_or_else(|| Error::unreadable(format!("project {project}, no round")))
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    number: i64,
    title: String,
    note: String,
    guidelines_version: i64,
    started_at: DateTimeUtc,
    started_by: Option<String>,
    documents: i64,
}

/// A project's rounds, the first one first.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<Round>, Error> {
    let rows = sql::rows::<Row, _>(
        db,
        "SELECT round.id, round.number, round.title, round.note, round.guidelines_version,
                round.started_at, user_account.name AS started_by,
                (SELECT COUNT(*) FROM document WHERE document.round_id = round.id) AS documents
         FROM round LEFT JOIN user_account ON user_account.id = round.started_by
         WHERE round.project_id = $1
         ORDER BY round.number",
        [project.0.into()],
    )
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(Round {
                id: RoundId(row.id),
                number: sql::number(row.number)?,
                title: row.title,
                note: row.note,
                guidelines_version: row.guidelines_version,
                started_at: row.started_at,
                started_by: row.started_by,
                documents: sql::number(row.documents)?,
            })
        })
        .collect()
}
