//! Tokens with which programs act for a person. Only the hash of a token is stored.

use chrono::NaiveTime;
use domain::{ApiToken, ApiTokenId, ModelId, NewApiToken, User, UserId};

use crate::{
    account::users,
    base::prelude::*,
    entity::api_token::{self, Column, Entity},
};

/// Stores a token's hash with what it is for, and the model that it is of.
pub async fn create(
    tx: &Tx,
    user: UserId,
    token_hash: &str,
    (token, model): (&NewApiToken, Option<ModelId>),
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<ApiTokenId, Error> {
    let scopes: Vec<_> = token.scopes.iter().map(|scope| scope.name()).collect();
    let projects = token.projects.as_ref().map(sql::json).transpose()?;
    let row = api_token::ActiveModel {
        user_id: Set(user.0),
        name: Set(token.name.clone()),
        token_hash: Set(token_hash.to_owned()),
        scopes: Set(scopes.join(" ")),
        projects: Set(projects),
        created_at: Set(now),
        expires_at: Set(expires_at),
        model_id: Set(model.map(|model| model.0)),
        ..Default::default()
    };
    sql::insert(tx, row).await
}

/// The token with this hash and whose it is, unless it has expired or their account is disabled.
pub async fn find(
    db: &impl Db,
    token_hash: &str,
    now: DateTime<Utc>,
) -> Result<Option<(User, ApiToken)>, Error> {
    let found =
        Entity::find().filter(Column::TokenHash.eq(token_hash)).filter(Column::ExpiresAt.gt(now));
    let Some(Owned(user, token)) = sql::one(db, found).await? else { return Ok(None) };
    Ok(users::find_enabled(db, user).await?.map(|user| (user, token)))
}

/// Somebody's tokens, the newest first, those that have expired lately included.
pub async fn list_of_user(db: &impl Db, user: UserId) -> Result<Vec<ApiToken>, Error> {
    sql::all(db, Entity::find().filter(Column::UserId.eq(user.0)).order_by_desc(Column::Id)).await
}

/// How many tokens somebody has.
pub async fn count_of_user(db: &impl Db, user: UserId) -> Result<u64, Error> {
    Ok(Entity::find().filter(Column::UserId.eq(user.0)).count(db.connection()).await?)
}

/// Notes that a token is in use; false if that was noted today already.
pub async fn touch(tx: &Tx, id: ApiTokenId, now: DateTime<Utc>) -> Result<bool, Error> {
    let today = now.date_naive().and_time(NaiveTime::MIN).and_utc();
    let touch = Entity::update_many()
        .col_expr(Column::LastUsedAt, now.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::LastUsedAt.is_null().or(Column::LastUsedAt.lt(today)));
    Ok(sql::run(tx, touch).await? == 1)
}

/// Ends a token of somebody's; false if they have none with this id.
pub async fn delete(tx: &Tx, user: UserId, id: ApiTokenId) -> Result<bool, Error> {
    let deleted =
        Entity::delete_many().filter(Column::Id.eq(id.0)).filter(Column::UserId.eq(user.0));
    Ok(sql::run(tx, deleted).await? == 1)
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
    sql::run(tx, Entity::delete_many()).await
}

/// Forgets tokens that expired by `time`; says how many.
pub async fn delete_expired(tx: &Tx, time: DateTime<Utc>) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::ExpiresAt.lte(time))).await
}

impl FromRow for ApiToken {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let scopes: String = row.get("scopes")?;
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            // What a newer server has given it, this one does not know, and grants nothing of it.
            scopes: scopes.split(' ').filter_map(|scope| scope.parse().ok()).collect(),
            projects: row.get::<Option<Json<_>>>("projects")?.map(|Json(projects)| projects),
            model: row.get("model_id")?,
            created_at: row.get("created_at")?,
            expires_at: row.get("expires_at")?,
            last_used_on: row.day("last_used_at")?,
        })
    }
}

/// A token with whose it is.
struct Owned(UserId, ApiToken);

impl FromRow for Owned {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self(row.get("user_id")?, row.part()?))
    }
}
