//! Backups that were restored where their key is not: what is to be noted of them waits for whoever has it.

use chrono::{DateTime, Utc};
use sea_orm::prelude::DateTimeUtc;

use crate::{Db, Error, Tx, base::sql};

/// What is known of a backup that was restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restored {
    pub at: DateTime<Utc>,
    /// How many sessions, open links and tokens it ended; none if tokens were kept.
    pub sessions: u64,
    pub links: u64,
    pub tokens: Option<u64>,
}

/// Leaves it to be noted.
pub async fn leave(tx: &Tx, restored: Restored) -> Result<(), Error> {
    let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let values = [
        restored.at.into(),
        number(restored.sessions).into(),
        number(restored.links).into(),
        restored.tokens.map(number).into(),
    ];
    let insert =
        "INSERT INTO restored_backup (at, sessions, links, tokens) VALUES ($1, $2, $3, $4)";
    sql::execute(tx, insert, values).await?;
    Ok(())
}

/// Whether something was left to be noted.
pub async fn is_left(db: &impl Db) -> Result<bool, Error> {
    let found: Option<i64> = sql::tuple(db, "SELECT COUNT(*) FROM restored_backup", []).await?;
    Ok(found.is_some_and(|count| count > 0))
}

/// Takes up what was left to be noted, the first first.
pub async fn take_up(tx: &Tx) -> Result<Vec<Restored>, Error> {
    let mut rows: Vec<(i64, DateTimeUtc, i64, i64, Option<i64>)> = sql::tuples(
        tx,
        "DELETE FROM restored_backup RETURNING id, at, sessions, links, tokens",
        [],
    )
    .await?;
    rows.sort_unstable_by_key(|(id, ..)| *id);
    rows.into_iter()
        .map(|(_, at, sessions, links, tokens)| {
            let tokens = tokens.map(sql::number).transpose()?;
            Ok(Restored {
                at,
                sessions: sql::number(sessions)?,
                links: sql::number(links)?,
                tokens,
            })
        })
        .collect()
}
