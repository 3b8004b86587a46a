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

/// An answer to keep.
#[derive(Clone, Debug)]
pub struct NewSave<'a> {
    pub user: UserId,
    pub key: &'a str,
    pub fingerprint: &'a str,
    pub response: String,
}

/// The answer to a person's save with this key, if there was one.
pub async fn find(db: &impl Db, user: UserId, key: &str) -> Result<Option<StoredSave>, Error> {
    sql::one(db, Entity::find_by_id((user.0, key.to_owned()))).await
}

read_by_columns! { StoredSave { fingerprint, response } }

/// Keeps answers; [`Error::Duplicate`] if one of the keys has one.
pub async fn insert(tx: &Tx, saves: Vec<NewSave<'_>>, now: DateTime<Utc>) -> Result<(), Error> {
    let rows = saves.into_iter().map(|save| save_key::ActiveModel {
        user_id: Set(save.user.0),
        key: Set(save.key.to_owned()),
        fingerprint: Set(save.fingerprint.to_owned()),
        response: Set(save.response),
        created_at: Set(now),
    });
    let inserted = chunks::insert(tx, rows.collect()).await;
    inserted.map_err(|error| error.unless_unique(&["key"]))
}

/// Forgets answers from before `time`; says how many.
pub async fn delete_older_than(tx: &Tx, time: DateTime<Utc>) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::CreatedAt.lt(time))).await
}
