//! People with an account.

pub mod directories;
pub mod identities;

use domain::{OwnKeys, User, UserId};
use sea_orm::sea_query::{LockType, Query};

use crate::{
    base::prelude::*,
    entity::user_account::{self, Column, Entity},
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
        .columns([Column::Id, Column::Name])
        .filter(Column::Id.is_in(ids.iter().map(|id| id.0)));
    sql::all(db, found).await
}

/// The name of the person whose id a column has, to be read with its row.
pub(crate) fn name_of(column: impl ColumnTrait) -> Expr {
    let is_theirs = Expr::col((Entity, Column::Id)).eq(column.into_expr());
    let name = Entity::find().select_only().column(Column::Name).filter(is_theirs);
    Expr::SubQuery(None, Box::new(name.into_query().into()))
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
    sql::insert(tx, row).await.map_err(|error| error.unless_unique(&["email"]))
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
    update(tx, id, Column::IsPlaceholder, true).await?;
    Ok(id)
}

/// The person with this id.
pub async fn find(db: &impl Db, id: UserId) -> Result<Option<User>, Error> {
    sql::one(db, Entity::find_by_id(id.0)).await
}

read_by_columns! {
    User { id, email, name, may_create_projects, is_administrator, has_factor_elsewhere: (none) }
}

/// The person with this id, unless their account is disabled.
pub async fn find_enabled(db: &impl Db, id: UserId) -> Result<Option<User>, Error> {
    sql::one(db, Entity::find_by_id(id.0).filter(Column::DisabledAt.is_null())).await
}

/// Whether an account is there and enabled; until the transaction ends, nobody disables or erases it.
pub async fn lock_enabled(tx: &Tx, id: UserId) -> Result<bool, Error> {
    // Rows that name the account are still inserted by others meanwhile.
    let known = Entity::find_by_id(id.0).select_only().column(Column::Id);
    let enabled = known.filter(Column::DisabledAt.is_null()).lock(LockType::NoKeyUpdate);
    Ok(sql::one::<UserId>(tx, enabled).await?.is_some())
}

/// Waits until all that is under way about an account has ended, also what has inserted rows that name it; until
/// the transaction ends, nobody begins anything.
pub async fn lock(tx: &Tx, id: UserId) -> Result<(), Error> {
    Entity::find_by_id(id.0).lock_exclusive().one(tx.connection()).await?;
    Ok(())
}

/// What it takes to sign in with this address, in any case.
pub async fn find_by_email(db: &impl Db, email: &str) -> Result<Option<Credentials>, Error> {
    sql::one(db, Entity::find().filter(Column::Email.eq(email.to_lowercase()))).await
}

read_by_columns! {
    Credentials { user: (part), password_hash, is_disabled: (is_some disabled_at), is_demo, has_second_factor: (is_some second_factor_since) }
}

/// What it takes to sign in with this account.
pub async fn find_credentials(db: &impl Db, id: UserId) -> Result<Option<Credentials>, Error> {
    sql::one(db, Entity::find_by_id(id.0)).await
}

/// Gives somebody another password.
pub async fn set_password(tx: &Tx, id: UserId, password_hash: &str) -> Result<(), Error> {
    update(tx, id, Column::PasswordHash, password_hash).await
}

/// Calls somebody something else.
pub async fn set_name(tx: &Tx, id: UserId, name: &str) -> Result<(), Error> {
    update(tx, id, Column::Name, name).await
}

/// Gives somebody another address to sign in with; [`Error::Duplicate`] if it has an account.
pub async fn set_email(tx: &Tx, id: UserId, email: &str) -> Result<(), Error> {
    let changed = update(tx, id, Column::Email, email.to_lowercase()).await;
    changed.map_err(|error| error.unless_unique(&["email"]))
}

/// Lets somebody create projects, or not any more.
pub async fn set_may_create_projects(tx: &Tx, id: UserId, may: bool) -> Result<(), Error> {
    update(tx, id, Column::MayCreateProjects, may).await
}

/// Says that these are the demo's people.
pub async fn set_demo(tx: &Tx, people: &[UserId]) -> Result<(), Error> {
    Entity::update_many()
        .col_expr(Column::IsDemo, true.into())
        .filter(Column::Id.is_in(people.iter().map(|user| user.0)))
        .exec(tx.connection())
        .await?;
    Ok(())
}

/// Gives all of the demo's people a password that nobody has, and ends what is open to them.
pub async fn lock_demo(tx: &Tx, nobodys_hash: &str) -> Result<(), Error> {
    Entity::update_many()
        .col_expr(Column::PasswordHash, nobodys_hash.into())
        .filter(Column::IsDemo.eq(true))
        .exec(tx.connection())
        .await?;
    let demo = Entity::find().select_only().column(Column::Id).filter(Column::IsDemo.eq(true));
    let of_demo = Expr::col("user_id").in_subquery(demo.into_query());
    delete_of(tx, &["session", "api_token", "device", "password_reset", "sent_reset"], of_demo)
        .await
}

/// Deletes the rows of tables that meet a condition on whose they are.
pub(in crate::account) async fn delete_of(
    tx: &Tx,
    tables: &[&'static str],
    whose: Expr,
) -> Result<(), Error> {
    for table in tables {
        let delete = Query::delete().from_table(*table).and_where(whose.clone()).take();
        tx.connection().execute(&delete).await?;
    }
    Ok(())
}

/// The keys that somebody has given commands.
pub async fn keys(db: &impl Db, id: UserId) -> Result<OwnKeys, Error> {
    let found = Entity::find_by_id(id.0).select_only().column(Column::Keys);
    let keys: Option<Json<_>> = sql::one(db, found).await?;
    Ok(keys.map_or_else(OwnKeys::default, |Json(keys)| keys))
}

/// Gives commands other keys, all at once.
pub async fn set_keys(tx: &Tx, id: UserId, keys: &OwnKeys) -> Result<(), Error> {
    update(tx, id, Column::Keys, sql::json(keys)?).await
}

/// How many people have an account.
pub async fn count(db: &impl Db) -> Result<u64, Error> {
    Ok(Entity::find().count(db.connection()).await?)
}

/// Everybody with an account, in the order of their accounts.
pub async fn list(db: &impl Db) -> Result<Vec<User>, Error> {
    sql::all(db, Entity::find().order_by_asc(Column::Id)).await
}

pub(in crate::account) async fn update(
    tx: &Tx,
    id: UserId,
    column: Column,
    value: impl Into<Expr>,
) -> Result<(), Error> {
    let update = Entity::update_many().col_expr(column, value.into()).filter(Column::Id.eq(id.0));
    sql::run(tx, update).await?;
    Ok(())
}
