//! Tokens with which programs act for a person. Only the hash of a token is stored.

use chrono::{DateTime, NaiveTime, Utc};
use domain::{ApiToken, ApiTokenId, NewApiToken, User, UserId};
use sea_orm::{
    ActiveValue::Set, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, prelude::*,
    sea_query::ExprTrait,
};

use crate::{
    Db, Error, Tx,
    account::users,
    base::{db::Connected, sql},
    entity::api_token::{self, Column, Entity},
};

/// Stores a token's hash with what it is for.
pub async fn create(
    tx: &Tx,
    user: UserId,
    token_hash: &str,
    token: &NewApiToken,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<ApiTokenId, Error> {
    let scopes: Vec<_> = token.scopes.iter().map(|scope| scope.name()).collect();
    let projects = token.projects.as_ref().map(serde_json::to_string).transpose();
    let row = api_token::ActiveModel {
        user_id: Set(user.0),
        name: Set(token.name.clone()),
        token_hash: Set(token_hash.to_owned()),
        scopes: Set(scopes.join(" ")),
        projects: Set(projects.map_err(Error::unreadable)?),
        created_at: Set(now),
        expires_at: Set(expires_at),
        ..Default::default()
    };
    Ok(ApiTokenId(Entity::insert(row).exec(tx.connection()).await?.last_insert_id))
}

/// The token with this hash and whose it is, unless it has expired or their account is disabled.
pub async fn find(
    db: &impl Db,
    token_hash: &str,
    now: DateTime<Utc>,
) -> Result<Option<(User, ApiToken)>, Error> {
    let row = Entity::find()
        .filter(Column::TokenHash.eq(token_hash))
        .filter(Column::ExpiresAt.gt(now))
        .one(db.connection())
        .await?;
    let Some(row) = row else { return Ok(None) };
    let user = users::find_enabled(db, UserId(row.user_id)).await?;
    user.map(|user| Ok((user, token(row)?))).transpose()
}

/// Somebody's tokens, the newest first, those that have expired lately included.
pub async fn list_of_user(db: &impl Db, user: UserId) -> Result<Vec<ApiToken>, Error> {
    let rows = Entity::find()
        .filter(Column::UserId.eq(user.0))
        .order_by_desc(Column::Id)
        .all(db.connection())
        .await?;
    rows.into_iter().map(token).collect()
}

/// How many tokens somebody has.
pub async fn count_of_user(db: &impl Db, user: UserId) -> Result<u64, Error> {
    Ok(Entity::find().filter(Column::UserId.eq(user.0)).count(db.connection()).await?)
}

/// Notes that a token is in use; false if that was noted today already.
pub async fn touch(tx: &Tx, id: ApiTokenId, now: DateTime<Utc>) -> Result<bool, Error> {
    let today = now.date_naive().and_time(NaiveTime::MIN).and_utc();
    let touched = Entity::update_many()
        .col_expr(Column::LastUsedAt, now.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::LastUsedAt.is_null().or(Column::LastUsedAt.lt(today)))
        .exec(tx.connection())
        .await?;
    Ok(touched.rows_affected == 1)
}

/// Ends a token of somebody's; false if they have none with this id.
pub async fn delete(tx: &Tx, user: UserId, id: ApiTokenId) -> Result<bool, Error> {
    let deleted = Entity::delete_many()
        .filter(Column::Id.eq(id.0))
        .filter(Column::UserId.eq(user.0))
        .exec(tx.connection())
        .await?;
    Ok(deleted.rows_affected == 1)
}

/// Ends all tokens of a person.
pub async fn delete_of_user(tx: &Tx, user: UserId) -> Result<(), Error> {
    Entity::delete_many().filter(Column::UserId.eq(user.0)).exec(tx.connection()).await?;
    Ok(())
}

/// How many tokens work.
pub async fn count_working(db: &impl Db, now: DateTime<Utc>) -> Result<u64, Error> {
    Ok(Entity::find().filter(Column::ExpiresAt.gt(now)).count(db.connection()).await?)
}

/// Ends everybody's tokens; says how many.
pub async fn delete_all(tx: &Tx) -> Result<u64, Error> {
    Ok(Entity::delete_many().exec(tx.connection()).await?.rows_affected)
}

/// Forgets tokens that expired by `time`; says how many.
pub async fn delete_expired(tx: &Tx, time: DateTime<Utc>) -> Result<u64, Error> {
    let deleted =
        Entity::delete_many().filter(Column::ExpiresAt.lte(time)).exec(tx.connection()).await?;
    Ok(deleted.rows_affected)
}

fn token(row: api_token::Model) -> Result<ApiToken, Error> {
    let projects = row.projects.map(|ids| serde_json::from_str(&ids)).transpose();
    Ok(ApiToken {
        id: ApiTokenId(row.id),
        name: row.name,
        scopes: row.scopes.split(' ').map(sql::word).collect::<Result<_, _>>()?,
        projects: projects.map_err(Error::unreadable)?,
        created_at: row.created_at,
        expires_at: row.expires_at,
        last_used_on: row.last_used_at.map(|at| at.date_naive()),
    })
}
