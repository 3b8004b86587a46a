//! What tells the server by SCIM who is there: a directory for each provider, its people and its groups.
//! Only the hash of a directory's token is stored.

pub mod groups;
pub mod people;
pub mod wanted;

use chrono::{NaiveDate, NaiveTime};
use domain::{Directory, DirectoryId};

use crate::{
    base::prelude::*,
    entity::directory::{self, Column, Entity},
};

read_by_columns! {
    Directory { id, provider }
    KeptToken { provider, created_at, last_used_on: (day last_used_at) }
}

/// A token of a directory, as whoever runs the server sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptToken {
    /// The name of the provider.
    pub provider: String,
    pub created_at: DateTime<Utc>,
    /// The day, in UTC; nothing finer is shown.
    pub last_used_on: Option<NaiveDate>,
}

/// Gives the directory of a provider a token, in the place of the one that it had.
pub async fn set_token(
    tx: &Tx,
    provider: &str,
    token_hash: &str,
    now: DateTime<Utc>,
) -> Result<DirectoryId, Error> {
    let row = directory::ActiveModel {
        provider: Set(provider.to_owned()),
        token_hash: Set(Some(token_hash.to_owned())),
        created_at: Set(now),
        last_used_at: Set(None),
        ..Default::default()
    };
    let replacing = OnConflict::column(Column::Provider)
        .update_columns([Column::TokenHash, Column::CreatedAt, Column::LastUsedAt])
        .to_owned();
    Entity::insert(row).on_conflict(replacing).exec_without_returning(tx.connection()).await?;
    let made =
        Entity::find().select_only().column(Column::Id).filter(Column::Provider.eq(provider));
    sql::one(tx, made).await?.ok_or_else(|| Error::unreadable("no directory"))
}

/// The directory whose token has this hash, and the day on which it was last used.
pub async fn find_by_token(
    db: &impl Db,
    token_hash: &str,
) -> Result<Option<(Directory, Option<NaiveDate>)>, Error> {
    let found: Option<Used> =
        sql::one(db, Entity::find().filter(Column::TokenHash.eq(token_hash))).await?;
    Ok(found.map(|Used { directory, last_used_on }| (directory, last_used_on)))
}

/// A directory with when it was last used.
struct Used {
    directory: Directory,
    last_used_on: Option<NaiveDate>,
}

read_by_columns! { Used { directory: (part), last_used_on: (day last_used_at) } }

/// The directories that have a token, by the names of their providers.
pub async fn list_tokens(db: &impl Db) -> Result<Vec<KeptToken>, Error> {
    let kept = Entity::find().filter(Column::TokenHash.is_not_null());
    sql::all(db, kept.order_by_asc(Column::Provider)).await
}

/// Notes that a token is in use; false if that was noted today already.
pub async fn touch(tx: &Tx, id: DirectoryId, now: DateTime<Utc>) -> Result<bool, Error> {
    let today = now.date_naive().and_time(NaiveTime::MIN).and_utc();
    let touch = Entity::update_many()
        .col_expr(Column::LastUsedAt, now.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::LastUsedAt.is_null().or(Column::LastUsedAt.lt(today)));
    Ok(sql::run(tx, touch).await? == 1)
}

/// Takes the token away from a provider's directory; its people stay. The answer is the directory, if it
/// had one.
pub async fn delete_token(tx: &Tx, provider: &str) -> Result<Option<DirectoryId>, Error> {
    let mut delete = Entity::update_many()
        .col_expr(Column::TokenHash, Option::<String>::None.into())
        .filter(Column::Provider.eq(provider))
        .filter(Column::TokenHash.is_not_null());
    QueryTrait::query(&mut delete).returning_col(Column::Id);
    sql::one(tx, delete).await
}

/// Takes all directories' tokens away; says how many.
pub async fn delete_all_tokens(tx: &Tx) -> Result<u64, Error> {
    let delete = Entity::update_many()
        .col_expr(Column::TokenHash, Option::<String>::None.into())
        .filter(Column::TokenHash.is_not_null());
    sql::run(tx, delete).await
}

/// Lets one change of a directory at a time go on.
pub async fn lock(tx: &Tx, id: DirectoryId) -> Result<(), Error> {
    let own = Entity::find_by_id(id.0).select_only().column(Column::Id).lock_exclusive();
    sql::one::<DirectoryId>(tx, own).await?;
    Ok(())
}

/// As names are compared.
pub(super) fn key(name: &str) -> String {
    name.to_lowercase()
}
