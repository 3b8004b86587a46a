//! Browsers that somebody has signed in with before. Only the hash of a browser's token is stored; it
//! opens nothing.

use chrono::{DateTime, Utc};
use domain::UserId;
use sea_orm::{
    ActiveValue::Set, EntityTrait, QueryFilter, QuerySelect, prelude::*, sea_query::OnConflict,
};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::device::{self, Column, Entity},
};

/// Whether the account with this address, in lower case, was signed in with in this browser.
pub async fn is_known(db: &impl Db, token_hash: &str, email: &str) -> Result<bool, Error> {
    let found: Option<(i64,)> = sql::tuple(
        db,
        "SELECT device.user_id
         FROM device JOIN user_account ON user_account.id = device.user_id
         WHERE device.token_hash = $1 AND user_account.email = $2",
        [token_hash.into(), email.into()],
    )
    .await?;
    Ok(found.is_some())
}

/// Whether anybody was signed in with in this browser.
pub async fn exists(db: &impl Db, token_hash: &str) -> Result<bool, Error> {
    let found = Entity::find()
        .filter(Column::TokenHash.eq(token_hash))
        .limit(1)
        .one(db.connection())
        .await?;
    Ok(found.is_some())
}

/// Notes that somebody signs in with this browser, and forgets the least used above `most`.
pub async fn note(
    tx: &Tx,
    token_hash: &str,
    user: UserId,
    now: DateTime<Utc>,
    most: u32,
) -> Result<(), Error> {
    let row = device::ActiveModel {
        token_hash: Set(token_hash.to_owned()),
        user_id: Set(user.0),
        used_at: Set(now),
    };
    let again = OnConflict::columns([Column::TokenHash, Column::UserId])
        .update_column(Column::UsedAt)
        .to_owned();
    Entity::insert(row).on_conflict(again).exec_without_returning(tx.connection()).await?;
    sql::execute(
        tx,
        "DELETE FROM device WHERE user_id = $1 AND token_hash NOT IN
             (SELECT token_hash FROM device WHERE user_id = $1
              ORDER BY used_at DESC, token_hash LIMIT $2)",
        [user.0.into(), i64::from(most).into()],
    )
    .await?;
    Ok(())
}

/// Forgets the browsers of a person, but for the one with the token `except`.
pub async fn delete_of_user(tx: &Tx, user: UserId, except: Option<&str>) -> Result<(), Error> {
    let mut delete = Entity::delete_many().filter(Column::UserId.eq(user.0));
    if let Some(kept) = except {
        delete = delete.filter(Column::TokenHash.ne(kept));
    }
    delete.exec(tx.connection()).await?;
    Ok(())
}

/// Forgets browsers that were not signed in with since `time`; says how many.
pub async fn delete_older_than(tx: &Tx, time: DateTime<Utc>) -> Result<u64, Error> {
    let deleted =
        Entity::delete_many().filter(Column::UsedAt.lt(time)).exec(tx.connection()).await?;
    Ok(deleted.rows_affected)
}

/// Forgets all browsers.
pub async fn delete_all(tx: &Tx) -> Result<(), Error> {
    Entity::delete_many().exec(tx.connection()).await?;
    Ok(())
}
