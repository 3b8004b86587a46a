//! People with an account.

use chrono::{DateTime, Utc};
use domain::{OwnKeys, User, UserId};
use sea_orm::{
    ActiveValue::Set, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, prelude::*,
};

use crate::{
    Db, Error, Tx,
    db::Connected,
    entity::user_account::{self, Entity},
};

/// What it takes to check a sign-in.
#[derive(Clone, Debug)]
pub struct Credentials {
    pub user: User,
    pub password_hash: String,
    /// Wrong passwords in a row.
    pub failed_attempts: i32,
    pub locked_until: Option<DateTime<Utc>>,
    /// Nobody signs in with it, whatever the password.
    pub is_disabled: bool,
}

/// Creates an account. The address is kept in lower case; [`Error::Duplicate`] if it has one.
pub async fn create(
    tx: &Tx,
    email: &str,
    name: &str,
    password_hash: &str,
    may_create_projects: bool,
    now: DateTime<Utc>,
) -> Result<UserId, Error> {
    let row = user_account::ActiveModel {
        email: Set(email.to_lowercase()),
        name: Set(name.to_owned()),
        password_hash: Set(password_hash.to_owned()),
        may_create_projects: Set(may_create_projects),
        created_at: Set(now),
        ..Default::default()
    };
    let inserted = Entity::insert(row)
        .exec(tx.connection())
        .await
        .map_err(|error| Error::unless_unique(&["email"], error))?;
    Ok(UserId(inserted.last_insert_id))
}

/// Creates the account of somebody whose work was imported: nobody can sign in with it, since no
/// password has this hash.
pub async fn create_placeholder(
    tx: &Tx,
    (address, name): (&str, &str),
    nobodys_hash: &str,
    now: DateTime<Utc>,
) -> Result<UserId, Error> {
    let id = create(tx, address, name, nobodys_hash, false, now).await?;
    update(tx, id, user_account::Column::IsPlaceholder, true).await?;
    Ok(id)
}

/// The person with this id.
pub async fn find(db: &impl Db, id: UserId) -> Result<Option<User>, Error> {
    Ok(Entity::find_by_id(id.0).one(db.connection()).await?.map(user))
}

/// The person with this id, unless their account is disabled.
pub async fn find_enabled(db: &impl Db, id: UserId) -> Result<Option<User>, Error> {
    let row = Entity::find_by_id(id.0).one(db.connection()).await?;
    Ok(row.filter(|row| row.disabled_at.is_none()).map(user))
}

/// What it takes to sign in with this address, in any case.
pub async fn find_by_email(db: &impl Db, email: &str) -> Result<Option<Credentials>, Error> {
    let row = Entity::find()
        .filter(user_account::Column::Email.eq(email.to_lowercase()))
        .one(db.connection())
        .await?;
    Ok(row.map(credentials))
}

/// What it takes to sign in with this account, which nobody else can change until the transaction
/// ends: failures that are counted on top of what this returns are not lost.
pub async fn lock(tx: &Tx, id: UserId) -> Result<Option<Credentials>, Error> {
    let row = Entity::find_by_id(id.0).lock_exclusive().one(tx.connection()).await?;
    Ok(row.map(credentials))
}

/// Gives somebody another password.
pub async fn set_password(tx: &Tx, id: UserId, password_hash: &str) -> Result<(), Error> {
    update(tx, id, user_account::Column::PasswordHash, password_hash).await
}

/// Notes how many wrong passwords there were in a row, and until when no more are taken.
pub async fn record_failure(
    tx: &Tx,
    id: UserId,
    failed_attempts: i32,
    locked_until: Option<DateTime<Utc>>,
) -> Result<(), Error> {
    Entity::update_many()
        .col_expr(user_account::Column::FailedAttempts, failed_attempts.into())
        .col_expr(user_account::Column::LockedUntil, locked_until.into())
        .filter(user_account::Column::Id.eq(id.0))
        .exec(tx.connection())
        .await?;
    Ok(())
}

/// Forgets wrong passwords, after a right one.
pub async fn clear_failures(tx: &Tx, id: UserId) -> Result<(), Error> {
    record_failure(tx, id, 0, None).await
}

/// Lets somebody create projects.
pub async fn allow_projects(tx: &Tx, id: UserId) -> Result<(), Error> {
    update(tx, id, user_account::Column::MayCreateProjects, true).await
}

/// The keys that somebody has given commands.
pub async fn keys(db: &impl Db, id: UserId) -> Result<OwnKeys, Error> {
    let row = Entity::find_by_id(id.0).one(db.connection()).await?;
    row.map_or_else(
        || Ok(OwnKeys::default()),
        |row| serde_json::from_str(&row.keys).map_err(Error::unreadable),
    )
}

/// Gives commands other keys, all at once.
pub async fn set_keys(tx: &Tx, id: UserId, keys: &OwnKeys) -> Result<(), Error> {
    let keys = serde_json::to_string(keys).map_err(Error::unreadable)?;
    update(tx, id, user_account::Column::Keys, keys).await
}

/// How many people have an account.
pub async fn count(db: &impl Db) -> Result<u64, Error> {
    Ok(Entity::find().count(db.connection()).await?)
}

/// Everybody with an account, in the order of their accounts.
pub async fn list(db: &impl Db) -> Result<Vec<User>, Error> {
    let rows = Entity::find().order_by_asc(user_account::Column::Id).all(db.connection()).await?;
    Ok(rows.into_iter().map(user).collect())
}

async fn update(
    tx: &Tx,
    id: UserId,
    column: user_account::Column,
    value: impl Into<Expr>,
) -> Result<(), Error> {
    Entity::update_many()
        .col_expr(column, value.into())
        .filter(user_account::Column::Id.eq(id.0))
        .exec(tx.connection())
        .await?;
    Ok(())
}

fn credentials(mut row: user_account::Model) -> Credentials {
    Credentials {
        password_hash: std::mem::take(&mut row.password_hash),
        failed_attempts: row.failed_attempts,
        locked_until: row.locked_until,
        is_disabled: row.disabled_at.is_some(),
        user: user(row),
    }
}

pub(crate) fn user(row: user_account::Model) -> User {
    User {
        id: UserId(row.id),
        email: row.email,
        name: row.name,
        may_create_projects: row.may_create_projects,
        is_administrator: row.is_administrator,
    }
}
