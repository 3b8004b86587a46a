//! Challenges that were answered once and are not to be answered again while they last. Only their
//! hashes are stored.

use crate::{
    base::prelude::*,
    entity::used_challenge::{self, Column, Entity},
};

/// Uses a challenge up; false if it was answered before.
pub async fn use_up(tx: &Tx, hash: &str, expires_at: DateTime<Utc>) -> Result<bool, Error> {
    let row = used_challenge::ActiveModel {
        challenge_hash: Set(hash.to_owned()),
        expires_at: Set(expires_at),
    };
    let before = OnConflict::column(Column::ChallengeHash).do_nothing().to_owned();
    Ok(sql::run(tx, Entity::insert(row).on_conflict(before)).await? == 1)
}

/// Forgets challenges that nobody can answer any more; says how many.
pub async fn delete_expired(tx: &Tx, now: DateTime<Utc>) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::ExpiresAt.lte(now))).await
}
