//! Signed-in browsers. Only the hash of a session's token is stored.

use std::collections::BTreeSet;

use domain::{IdentityId, User, UserId};

use crate::{
    base::prelude::*,
    entity::{
        identity,
        session::{self, Column, Entity},
        user_account,
    },
};

/// A session that has not expired, with whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub user: User,
    /// Whether its owner has a second factor.
    pub has_second_factor: bool,
    /// Whether it was started through a provider.
    pub is_by_provider: bool,
    /// Whose word it was started by, if the identity is still there.
    pub issuer: Option<String>,
    /// When its owner proved to the provider who they are, if that is known.
    pub proven_at: Option<DateTime<Utc>>,
    /// Whether that provider vouches for a second factor.
    pub has_factor_elsewhere: bool,
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
    /// The identity that it was started by, if a provider has proven who it is.
    pub identity: Option<IdentityId>,
    /// What the provider calls its own session (`sid`).
    pub provider_session: Option<String>,
    /// When its owner proved to the provider who they are, if it says so.
    pub proven_at: Option<DateTime<Utc>>,
    /// Whether the provider vouches for a second factor.
    pub has_factor_elsewhere: bool,
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
        identity_id: Set(new.identity.map(|identity| identity.0)),
        provider_session: Set(new.provider_session),
        proven_at: Set(new.proven_at),
        has_factor_elsewhere: Set(new.has_factor_elsewhere),
    };
    Entity::insert(row).exec_without_returning(tx.connection()).await?;
    Ok(())
}

read_by_columns! {
    Session {
        user: (part), has_second_factor, is_by_provider, issuer, proven_at, has_factor_elsewhere,
        created_at, last_seen_at, expires_at
    }
}

/// The session with this token, unless it has expired or its account is disabled.
pub async fn find(
    db: &impl Db,
    token_hash: &str,
    now: DateTime<Utc>,
) -> Result<Option<Session>, Error> {
    use user_account::Column::{
        DisabledAt, Email, Id, IsAdministrator, MayCreateProjects, Name, SecondFactorSince,
    };
    let found = Entity::find()
        .joined(Column::UserId, user_account::Entity, Id)
        .joined_if_any(Column::IdentityId, identity::Entity, identity::Column::Id)
        .column(identity::Column::Issuer)
        .columns([Id, Email, Name, MayCreateProjects, IsAdministrator])
        .column_as(SecondFactorSince.is_not_null(), "has_second_factor")
        .column_as(Column::IdentityId.is_not_null(), "is_by_provider")
        .filter(Column::TokenHash.eq(token_hash))
        .filter(Column::ExpiresAt.gt(now))
        .filter(DisabledAt.is_null());
    sql::one(db, found).await
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
    let open = Entity::find()
        .filter(Column::UserId.eq(user.0))
        .filter(Column::ExpiresAt.gt(now))
        .order_by_desc(Column::LastSeenAt)
        .order_by_desc(Column::CreatedAt);
    sql::all(db, open).await
}

read_by_columns! { Listed { token_hash, device, address, created_at, last_seen_at, expires_at } }

/// Ends the session that a person started at this moment; false if there is none.
pub async fn delete_started(
    tx: &Tx,
    user: UserId,
    created_at: DateTime<Utc>,
) -> Result<bool, Error> {
    let delete = Entity::delete_many()
        .filter(Column::UserId.eq(user.0))
        .filter(Column::CreatedAt.eq(created_at));
    Ok(sql::run(tx, delete).await? > 0)
}

/// Ends the sessions that were started by an identity, all of them or that of one session of the
/// provider; says how many.
pub async fn delete_of_identity(
    tx: &Tx,
    identity: IdentityId,
    provider_session: Option<&str>,
) -> Result<u64, Error> {
    let mut delete = Entity::delete_many().filter(Column::IdentityId.eq(identity.0));
    if let Some(session) = provider_session {
        delete = delete.filter(Column::ProviderSession.eq(session));
    }
    sql::run(tx, delete).await
}

/// Ends those that were started by an issuer's identities in this session of the issuer's; says whose they
/// were.
pub async fn delete_of_provider_session(
    tx: &Tx,
    issuer: &str,
    provider_session: &str,
) -> Result<BTreeSet<UserId>, Error> {
    let identities = identity::Entity::find()
        .select_only()
        .column(identity::Column::Id)
        .filter(identity::Column::Issuer.eq(issuer));
    let mut delete = Entity::delete_many()
        .filter(Column::ProviderSession.eq(provider_session))
        .filter(Column::IdentityId.in_subquery(identities.into_query()));
    QueryTrait::query(&mut delete).returning_col(Column::UserId);
    Ok(sql::all::<UserId>(tx, delete).await?.into_iter().collect())
}

/// Ends everybody's sessions; says how many.
pub async fn delete_all(tx: &Tx) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many()).await
}

/// Ends a session.
pub async fn delete(tx: &Tx, token_hash: &str) -> Result<(), Error> {
    Entity::delete_many().filter(Column::TokenHash.eq(token_hash)).exec(tx.connection()).await?;
    Ok(())
}

/// Ends all sessions of a person, but for the one with the token `except`.
pub async fn delete_of_user(tx: &Tx, user: UserId, except: Option<&str>) -> Result<(), Error> {
    // No token has an empty hash.
    let others = Column::TokenHash.ne(except.unwrap_or_default());
    sql::run(tx, Entity::delete_many().filter(Column::UserId.eq(user.0)).filter(others)).await?;
    Ok(())
}

/// Forgets sessions that have expired; says how many.
pub async fn delete_expired(tx: &Tx, now: DateTime<Utc>) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::ExpiresAt.lte(now))).await
}
