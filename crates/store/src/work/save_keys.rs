//! Saves that were answered, so that the same save sent again gets the same answer.

use domain::UserId;

use crate::{
    base::prelude::*,
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
    sql::one(db, Entity::find_by_id((user.0, key.to_owned()))).await
}

read_by_columns! { StoredSave { fingerprint, response } }

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
    let inserted = sql::run(tx, Entity::insert(row)).await;
    inserted.map(|_| ()).map_err(|error| error.unless_unique(&["key"]))
}

/// Forgets answers from before `time`; says how many.
pub async fn delete_older_than(tx: &Tx, time: DateTime<Utc>) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::CreatedAt.lt(time))).await
}
