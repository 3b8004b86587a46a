//! People with an account.

use chrono::{DateTime, Utc};
use domain::{OwnKeys, User, UserId};
use sea_orm::{
    ActiveValue::Set, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, prelude::*,
};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::user_account::{self, Entity},
};

/// What it takes to check a sign-in.
#[derive(Clone, Debug)]
pub struct Credentials {
    pub user: User,
    pub password_hash: String,
    /// Nobody signs in with it, whatever the password.
    pub is_disabled: bool,
    /// Whether it is one of the demo's people.
    pub is_demo: bool,
    /// Whether the password alone does not do.
    pub has_second_factor: bool,
}

/// What people are called, of those who are there.
pub async fn names(db: &impl Db, ids: &[UserId]) -> Result<Vec<(UserId, String)>, Error> {
    let found = Entity::find()
        .select_only()
        .columns([user_account::Column::Id, user_account::Column::Name])
        .filter(user_account::Column::Id.is_in(ids.iter().map(|id| id.0)))
        .into_tuple::<(i64, String)>()
        .all(db.connection())
        .await?;
    Ok(found.into_iter().map(|(id, name)| (UserId(id), name)).collect())
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

/// What it takes to sign in with this account.
pub async fn find_credentials(db: &impl Db, id: UserId) -> Result<Option<Credentials>, Error> {
    Ok(Entity::find_by_id(id.0).one(db.connection()).await?.map(credentials))
}

/// Gives somebody another password.
pub async fn set_password(tx: &Tx, id: UserId, password_hash: &str) -> Result<(), Error> {
    update(tx, id, user_account::Column::PasswordHash, password_hash).await
}

/// Gives somebody another address to sign in with; [`Error::Duplicate`] if it has an account.
pub async fn set_email(tx: &Tx, id: UserId, email: &str) -> Result<(), Error> {
    Entity::update_many()
        .col_expr(user_account::Column::Email, email.to_lowercase().into())
        .filter(user_account::Column::Id.eq(id.0))
        .exec(tx.connection())
        .await
        .map_err(|error| Error::unless_unique(&["email"], error))?;
    Ok(())
}

/// Lets somebody create projects, or not any more.
pub async fn set_may_create_projects(tx: &Tx, id: UserId, may: bool) -> Result<(), Error> {
    update(tx, id, user_account::Column::MayCreateProjects, may).await
}

/// Says that these are the demo's people.
pub async fn mark_demo(tx: &Tx, people: &[UserId]) -> Result<(), Error> {
    Entity::update_many()
        .col_expr(user_account::Column::IsDemo, true.into())
        .filter(user_account::Column::Id.is_in(people.iter().map(|user| user.0)))
        .exec(tx.connection())
        .await?;
    Ok(())
}

/// Gives all of the demo's people a password that nobody has, and ends what is open to them.
pub async fn lock_demo(tx: &Tx, nobodys_hash: &str) -> Result<(), Error> {
    Entity::update_many()
        .col_expr(user_account::Column::PasswordHash, nobodys_hash.into())
        .filter(user_account::Column::IsDemo.eq(true))
        .exec(tx.connection())
        .await?;
    for close in [
        "DELETE FROM session WHERE user_id IN (SELECT id FROM user_account WHERE is_demo)",
        "DELETE FROM api_token WHERE user_id IN (SELECT id FROM user_account WHERE is_demo)",
        "DELETE FROM device WHERE user_id IN (SELECT id FROM user_account WHERE is_demo)",
        "DELETE FROM password_reset WHERE user_id IN (SELECT id FROM user_account WHERE is_demo)",
    ] {
        sql::execute(tx, close, []).await?;
    }
    Ok(())
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
        is_disabled: row.disabled_at.is_some(),
        is_demo: row.is_demo,
        has_second_factor: row.second_factor_since.is_some(),
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
