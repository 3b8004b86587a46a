//! Challenges that were answered once and are not to be answered again while they last. Only their
//! hashes are stored.

use chrono::{DateTime, Utc};
use sea_orm::{EntityTrait, QueryFilter, prelude::*};

use crate::{
    Error, Tx,
    base::{db::Connected, sql},
    entity::used_challenge::{Column, Entity},
};

/// Uses a challenge up; false if it was answered before.
pub async fn take(tx: &Tx, hash: &str, expires_at: DateTime<Utc>) -> Result<bool, Error> {
    let taken = sql::execute(
        tx,
        "INSERT INTO used_challenge (challenge_hash, expires_at) VALUES ($1, $2)
         ON CONFLICT (challenge_hash) DO NOTHING",
        [hash.into(), expires_at.into()],
    )
    .await?;
    Ok(taken == 1)
}

/// Forgets challenges that nobody can answer any more; says how many.
pub async fn delete_expired(tx: &Tx, now: DateTime<Utc>) -> Result<u64, Error> {
    let deleted =
        Entity::delete_many().filter(Column::ExpiresAt.lte(now)).exec(tx.connection()).await?;
    Ok(deleted.rows_affected)
}
