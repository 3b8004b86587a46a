//! Wrong passwords in a row, by what they were tried at: an address, whether it has an account or
//! not, or a browser that was signed in before. Only hashes of these are stored.

use crate::{
    base::prelude::*,
    entity::sign_in_failure::{self, Column, Entity},
};

/// How often in a row a password was wrong, and until when no other is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failures {
    pub count: i32,
    pub locked_until: Option<DateTime<Utc>>,
    /// The last time.
    pub failed_at: DateTime<Utc>,
}

/// The failures at what has this hash.
pub async fn find(db: &impl Db, subject: &str) -> Result<Option<Failures>, Error> {
    sql::one(db, Entity::find_by_id(subject.to_owned())).await
}

read_by_columns! { Failures { count: failures, locked_until, failed_at } }

/// Stores failures in the place of those that were known of the same.
pub async fn save(tx: &Tx, all: &[(String, Failures)]) -> Result<(), Error> {
    let rows = all.iter().map(|(subject, failures)| sign_in_failure::ActiveModel {
        subject: Set(subject.clone()),
        failures: Set(failures.count),
        locked_until: Set(failures.locked_until),
        failed_at: Set(failures.failed_at),
    });
    let newer = OnConflict::column(Column::Subject)
        .update_columns([Column::Failures, Column::LockedUntil, Column::FailedAt])
        .to_owned();
    chunks::insert_or(tx, rows.collect(), newer).await
}

/// Forgets failures, after a right password.
pub async fn delete(tx: &Tx, subject: &str) -> Result<(), Error> {
    Entity::delete_by_id(subject.to_owned()).exec(tx.connection()).await?;
    Ok(())
}

/// Forgets failures from before `time`; says how many.
pub async fn delete_older_than(tx: &Tx, time: DateTime<Utc>) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::FailedAt.lt(time))).await
}

/// Forgets all failures.
pub async fn delete_all(tx: &Tx) -> Result<(), Error> {
    Entity::delete_many().exec(tx.connection()).await?;
    Ok(())
}
