//! Links by which somebody chooses a new password: one that was made by hand, and those that were sent by mail.
//! Only the hash of a link's token is stored.

use domain::UserId;

use crate::{
    base::prelude::*,
    entity::{
        password_reset::{self, Column, Entity},
        sent_reset,
    },
};

/// A link that has not been used and has not expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PasswordReset {
    pub user: UserId,
    pub expires_at: DateTime<Utc>,
}

/// Stores a link that was made by hand, in the place of all that the account had.
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

/// Stores a link that is sent by mail, beside those that the account has: anybody can ask for one.
pub async fn add_sent(
    tx: &Tx,
    token_hash: &str,
    user: UserId,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<(), Error> {
    let row = sent_reset::ActiveModel {
        token_hash: Set(token_hash.to_owned()),
        user_id: Set(user.0),
        created_at: Set(now),
        expires_at: Set(expires_at),
    };
    sent_reset::Entity::insert(row).exec_without_returning(tx.connection()).await?;
    Ok(())
}

/// When the links of an account were made that were sent by mail and can still be used, the latest first.
pub async fn list_sent(
    db: &impl Db,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<Vec<DateTime<Utc>>, Error> {
    use sent_reset::{Column, Entity};
    let sent = Entity::find()
        .select_only()
        .column(Column::CreatedAt)
        .filter(Column::UserId.eq(user.0))
        .filter(Column::ExpiresAt.gt(now))
        .order_by_desc(Column::CreatedAt);
    sql::all(db, sent).await
}

/// The link with this token.
pub async fn find(
    db: &impl Db,
    token_hash: &str,
    now: DateTime<Utc>,
) -> Result<Option<PasswordReset>, Error> {
    let made = Entity::find_by_id(token_hash.to_owned()).filter(Column::ExpiresAt.gt(now));
    if let Some(found) = sql::one(db, made).await? {
        return Ok(Some(found));
    }
    let sent = sent_reset::Entity::find_by_id(token_hash.to_owned())
        .filter(sent_reset::Column::ExpiresAt.gt(now));
    sql::one(db, sent).await
}

read_by_columns! { PasswordReset { user: user_id, expires_at } }

/// Uses a link up; false if somebody else was first.
pub async fn use_up(tx: &Tx, token_hash: &str) -> Result<bool, Error> {
    let made = Entity::delete_many().filter(Column::TokenHash.eq(token_hash));
    let sent =
        sent_reset::Entity::delete_many().filter(sent_reset::Column::TokenHash.eq(token_hash));
    Ok(sql::run(tx, made).await? + sql::run(tx, sent).await? == 1)
}

/// Takes back the links of an account.
pub async fn delete_of_user(tx: &Tx, user: UserId) -> Result<(), Error> {
    sql::run(tx, Entity::delete_many().filter(Column::UserId.eq(user.0))).await?;
    let sent = sent_reset::Entity::delete_many().filter(sent_reset::Column::UserId.eq(user.0));
    sql::run(tx, sent).await?;
    Ok(())
}

/// Takes back the links that somebody has made for others.
pub async fn delete_by(tx: &Tx, maker: UserId) -> Result<(), Error> {
    sql::run(tx, Entity::delete_many().filter(Column::CreatedBy.eq(maker.0))).await?;
    Ok(())
}

/// Forgets links that have expired; says how many.
pub async fn delete_expired(tx: &Tx, now: DateTime<Utc>) -> Result<u64, Error> {
    let made = Entity::delete_many().filter(Column::ExpiresAt.lte(now));
    let sent = sent_reset::Entity::delete_many().filter(sent_reset::Column::ExpiresAt.lte(now));
    Ok(sql::run(tx, made).await? + sql::run(tx, sent).await?)
}

/// Takes back all links.
pub async fn delete_all(tx: &Tx) -> Result<u64, Error> {
    let made = sql::run(tx, Entity::delete_many()).await?;
    Ok(made + sql::run(tx, sent_reset::Entity::delete_many()).await?)
}
