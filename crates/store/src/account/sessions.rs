//! Signed-in browsers. Only the hash of a session's token is stored.

use chrono::{DateTime, Utc};
use domain::{User, UserId};
use sea_orm::{
    ActiveValue::Set, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, prelude::*,
};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::session::{self, Column, Entity},
};

/// A session that has not expired, with whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub user: User,
    /// Whether its owner has a second factor.
    pub has_second_factor: bool,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// A session to start.
#[derive(Clone, Debug)]
pub struct NewSession {
    pub token_hash: String,
    pub user: UserId,
    /// What kind of browser it is in; empty if nobody knows.
    pub device: String,
    /// The network address that it was started from.
    pub address: String,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// Starts a session.
pub async fn create(tx: &Tx, new: NewSession) -> Result<(), Error> {
    let row = session::ActiveModel {
        token_hash: Set(new.token_hash),
        user_id: Set(new.user.0),
        created_at: Set(new.created_at),
        last_seen_at: Set(new.created_at),
        expires_at: Set(new.expires_at),
        device: Set(new.device),
        address: Set(new.address),
    };
    Entity::insert(row).exec_without_returning(tx.connection()).await?;
    Ok(())
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    email: String,
    name: String,
    may_create_projects: bool,
    is_administrator: bool,
    second_factor_since: Option<DateTimeUtc>,
    created_at: DateTimeUtc,
    last_seen_at: DateTimeUtc,
    expires_at: DateTimeUtc,
}

/// The session with this token, unless it has expired or its account is disabled.
pub async fn find(
    db: &impl Db,
    token_hash: &str,
    now: DateTime<Utc>,
) -> Result<Option<Session>, Error> {
    let row = sql::row::<Row, _>(
        db,
        "SELECT user_account.id, user_account.email, user_account.name,
                user_account.may_create_projects, user_account.is_administrator,
                user_account.second_factor_since,
                session.created_at, session.last_seen_at, session.expires_at
         FROM session JOIN user_account ON user_account.id = session.user_id
         WHERE session.token_hash = $1 AND session.expires_at > $2
         AND user_account.disabled_at IS NULL",
        [token_hash.into(), now.into()],
    )
    .await?;
    Ok(row.map(|row| Session {
        user: User {
            id: UserId(row.id),
            email: row.email,
            name: row.name,
            may_create_projects: row.may_create_projects,
            is_administrator: row.is_administrator,
        },
        has_second_factor: row.second_factor_since.is_some(),
        created_at: row.created_at,
        last_seen_at: row.last_seen_at,
        expires_at: row.expires_at,
    }))
}

/// Notes that a session is in use and lets it live on.
pub async fn touch(
    tx: &Tx,
    token_hash: &str,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<(), Error> {
    Entity::update_many()
        .col_expr(Column::LastSeenAt, now.into())
        .col_expr(Column::ExpiresAt, expires_at.into())
        .filter(Column::TokenHash.eq(token_hash))
        .exec(tx.connection())
        .await?;
    Ok(())
}

/// A session as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub token_hash: String,
    /// What kind of browser it is in; empty if nobody knows.
    pub device: String,
    /// The network address that it was started from; empty if nobody knows.
    pub address: String,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// A person's sessions that have not expired, the one that was used last first.
pub async fn list_of_user(
    db: &impl Db,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<Vec<Listed>, Error> {
    let rows = Entity::find()
        .filter(Column::UserId.eq(user.0))
        .filter(Column::ExpiresAt.gt(now))
        .order_by_desc(Column::LastSeenAt)
        .order_by_desc(Column::CreatedAt)
        .all(db.connection())
        .await?;
    let listed = |row: session::Model| Listed {
        token_hash: row.token_hash,
        device: row.device,
        address: row.address,
        created_at: row.created_at,
        last_seen_at: row.last_seen_at,
        expires_at: row.expires_at,
    };
    Ok(rows.into_iter().map(listed).collect())
}

/// Ends the session that a person started at this moment; false if there is none.
pub async fn delete_started(
    tx: &Tx,
    user: UserId,
    created_at: DateTime<Utc>,
) -> Result<bool, Error> {
    let deleted = Entity::delete_many()
        .filter(Column::UserId.eq(user.0))
        .filter(Column::CreatedAt.eq(created_at))
        .exec(tx.connection())
        .await?;
    Ok(deleted.rows_affected > 0)
}

/// Ends everybody's sessions; says how many.
pub async fn delete_all(tx: &Tx) -> Result<u64, Error> {
    Ok(Entity::delete_many().exec(tx.connection()).await?.rows_affected)
}

/// Ends a session.
pub async fn delete(tx: &Tx, token_hash: &str) -> Result<(), Error> {
    Entity::delete_many().filter(Column::TokenHash.eq(token_hash)).exec(tx.connection()).await?;
    Ok(())
}

/// Ends all sessions of a person, but for the one with the token `except`.
pub async fn delete_of_user(tx: &Tx, user: UserId, except: Option<&str>) -> Result<(), Error> {
    let mut delete = Entity::delete_many().filter(Column::UserId.eq(user.0));
    if let Some(kept) = except {
        delete = delete.filter(Column::TokenHash.ne(kept));
    }
    delete.exec(tx.connection()).await?;
    Ok(())
}

/// Forgets sessions that have expired; says how many.
pub async fn delete_expired(tx: &Tx, now: DateTime<Utc>) -> Result<u64, Error> {
    let deleted =
        Entity::delete_many().filter(Column::ExpiresAt.lte(now)).exec(tx.connection()).await?;
    Ok(deleted.rows_affected)
}
