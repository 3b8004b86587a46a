//! Saves that were answered, so that the same save sent again gets the same answer.

use chrono::{DateTime, Utc};
use domain::UserId;
use sea_orm::{ActiveValue::Set, EntityTrait, QueryFilter, prelude::*};

use crate::{
    Db, Error, Tx,
    base::db::Connected,
    entity::save_key::{self, Column, Entity},
};

/// A save that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSave {
    /// Tells another save under the same key from the same save sent again.
    pub fingerprint: String,
    pub response: String,
}

/// The answer to a person's save with this key, if there was one.
pub async fn find(db: &impl Db, user: UserId, key: &str) -> Result<Option<StoredSave>, Error> {
    let row = Entity::find_by_id((user.0, key.to_owned())).one(db.connection()).await?;
    Ok(row.map(|row| StoredSave { fingerprint: row.fingerprint, response: row.response }))
}

/// Keeps an answer; [`Error::Duplicate`] if the key has one.
pub async fn insert(
    tx: &Tx,
    user: UserId,
    key: &str,
    fingerprint: &str,
    response: &str,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let row = save_key::ActiveModel {
        user_id: Set(user.0),
        key: Set(key.to_owned()),
        fingerprint: Set(fingerprint.to_owned()),
        response: Set(response.to_owned()),
        created_at: Set(now),
    };
    Entity::insert(row)
        .exec_without_returning(tx.connection())
        .await
        .map_err(|error| Error::unless_unique(&["key"], error))?;
    Ok(())
}

/// Forgets answers from before `time`; says how many.
pub async fn delete_older_than(tx: &Tx, time: DateTime<Utc>) -> Result<u64, Error> {
    let deleted =
        Entity::delete_many().filter(Column::CreatedAt.lt(time)).exec(tx.connection()).await?;
    Ok(deleted.rows_affected)
}
