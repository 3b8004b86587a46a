//! Backups that were restored where their key is not: what is to be noted of them waits for whoever has it.

use crate::{
    base::prelude::*,
    entity::restored_backup::{self, Entity},
};

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
    let row = restored_backup::ActiveModel {
        at: Set(restored.at),
        sessions: Set(sql::signed(restored.sessions)),
        links: Set(sql::signed(restored.links)),
        tokens: Set(restored.tokens.map(sql::signed)),
        ..Default::default()
    };
    sql::run(tx, Entity::insert(row)).await?;
    Ok(())
}

/// Whether something was left to be noted.
pub async fn is_left(db: &impl Db) -> Result<bool, Error> {
    Ok(Entity::find().count(db.connection()).await? > 0)
}

/// Takes up what was left to be noted, the first first.
pub async fn take_up(tx: &Tx) -> Result<Vec<Restored>, Error> {
    let mut take = Entity::delete_many();
    QueryTrait::query(&mut take).returning_all();
    let mut left: Vec<Left> = sql::all(tx, take).await?;
    left.sort_unstable_by_key(|left| left.0);
    Ok(left.into_iter().map(|left| left.1).collect())
}

struct Left(i64, Restored);

impl FromRow for Left {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self(row.get("id")?, row.part()?))
    }
}

read_by_columns! { Restored { at, sessions, links, tokens } }
