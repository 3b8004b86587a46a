//! Links by which somebody chooses a new password. Only the hash of a link's token is stored.

use domain::UserId;

use crate::{
    base::prelude::*,
    entity::password_reset::{self, Column, Entity},
};

/// A link that has not been used and has not expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordReset {
    pub user: UserId,
    pub expires_at: DateTime<Utc>,
}

/// Stores a link in the place of the one that the account had.
pub async fn create(
    tx: &Tx,
    token_hash: &str,
    user: UserId,
    created_by: Option<UserId>,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<(), Error> {
    delete_of_user(tx, user).await?;
    let row = password_reset::ActiveModel {
        token_hash: Set(token_hash.to_owned()),
        user_id: Set(user.0),
        created_by: Set(created_by.map(|user| user.0)),
        created_at: Set(now),
        expires_at: Set(expires_at),
    };
    Entity::insert(row).exec_without_returning(tx.connection()).await?;
    Ok(())
}

/// The link with this token.
pub async fn find(
    db: &impl Db,
    token_hash: &str,
    now: DateTime<Utc>,
) -> Result<Option<PasswordReset>, Error> {
    let found = Entity::find_by_id(token_hash.to_owned()).filter(Column::ExpiresAt.gt(now));
    sql::one(db, found).await
}

read_by_columns! { PasswordReset { user: user_id, expires_at } }

/// Uses a link up; false if somebody else was first.
pub async fn use_up(tx: &Tx, token_hash: &str) -> Result<bool, Error> {
    let deleted = Entity::delete_by_id(token_hash.to_owned()).exec(tx.connection()).await?;
    Ok(deleted.rows_affected == 1)
}

/// Takes back the link of an account, if it has one.
pub async fn delete_of_user(tx: &Tx, user: UserId) -> Result<(), Error> {
    Entity::delete_many().filter(Column::UserId.eq(user.0)).exec(tx.connection()).await?;
    Ok(())
}

/// Forgets links that have expired; says how many.
pub async fn delete_expired(tx: &Tx, now: DateTime<Utc>) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::ExpiresAt.lte(now))).await
}

/// Takes back all links.
pub async fn delete_all(tx: &Tx) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many()).await
}
