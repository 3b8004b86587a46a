//! Browsers that somebody has signed in with before. Only the hash of a browser's token is stored; it
//! opens nothing.

use domain::UserId;

use crate::{
    base::prelude::*,
    entity::{
        device::{self, Column, Entity},
        user_account,
    },
};

/// Whether the account with this address, in lower case, was signed in with in this browser.
pub async fn is_known(db: &impl Db, token_hash: &str, email: &str) -> Result<bool, Error> {
    let account = user_account::Entity::find()
        .select_only()
        .column(user_account::Column::Id)
        .filter(user_account::Column::Email.eq(email));
    let found = Entity::find()
        .filter(Column::TokenHash.eq(token_hash))
        .filter(Column::UserId.in_subquery(account.into_query()));
    Ok(found.one(db.connection()).await?.is_some())
}

/// Whether anybody was signed in with in this browser.
pub async fn exists(db: &impl Db, token_hash: &str) -> Result<bool, Error> {
    let found = Entity::find().filter(Column::TokenHash.eq(token_hash));
    Ok(found.one(db.connection()).await?.is_some())
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
    sql::run(tx, Entity::insert(row).on_conflict(again)).await?;
    let kept = Entity::find()
        .select_only()
        .column(Column::TokenHash)
        .filter(Column::UserId.eq(user.0))
        .order_by_desc(Column::UsedAt)
        .order_by_asc(Column::TokenHash)
        .limit(u64::from(most));
    let least = Entity::delete_many()
        .filter(Column::UserId.eq(user.0))
        .filter(Column::TokenHash.not_in_subquery(kept.into_query()));
    sql::run(tx, least).await?;
    Ok(())
}

/// Forgets the browsers of a person, but for the one with the token `except`.
pub async fn delete_of_user(tx: &Tx, user: UserId, except: Option<&str>) -> Result<(), Error> {
    // No token has an empty hash.
    let others = Column::TokenHash.ne(except.unwrap_or_default());
    sql::run(tx, Entity::delete_many().filter(Column::UserId.eq(user.0)).filter(others)).await?;
    Ok(())
}

/// Forgets browsers that were not signed in with since `time`; says how many.
pub async fn delete_older_than(tx: &Tx, time: DateTime<Utc>) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::UsedAt.lt(time))).await
}

/// Forgets all browsers.
pub async fn delete_all(tx: &Tx) -> Result<(), Error> {
    Entity::delete_many().exec(tx.connection()).await?;
    Ok(())
}
