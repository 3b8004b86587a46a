//! Whom providers know people as: an issuer and a subject each, of one account.

use domain::{IdentityId, OwnIdentity, UserId};

use crate::{
    base::prelude::*,
    entity::identity::{self, Column, Entity},
};

/// Whom a provider knows somebody as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub id: IdentityId,
    pub user: UserId,
    pub issuer: String,
    /// What its owner knows it by, such as the address there.
    pub label: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

/// An identity to store.
#[derive(Clone, Copy, Debug)]
pub struct NewIdentity<'a> {
    pub user: UserId,
    pub issuer: &'a str,
    pub subject: &'a str,
    /// What the issuer's directory calls whom it is of, if the issuer says so.
    pub external_id: Option<&'a str>,
    /// What its owner knows it by, such as the address there.
    pub label: &'a str,
}

/// Stores an identity; [`Error::Duplicate`] if an account has it already.
pub async fn create(
    tx: &Tx,
    new: NewIdentity<'_>,
    now: DateTime<Utc>,
) -> Result<IdentityId, Error> {
    let row = identity::ActiveModel {
        user_id: Set(new.user.0),
        issuer: Set(new.issuer.to_owned()),
        subject: Set(new.subject.to_owned()),
        external_id: Set(new.external_id.map(str::to_owned)),
        label: Set(new.label.to_owned()),
        created_at: Set(now),
        last_used_at: Set(None),
        ..Default::default()
    };
    sql::insert(tx, row).await.map_err(|error| error.unless_unique(&["subject"]))
}

/// The identity that an issuer knows by this subject.
pub async fn find(db: &impl Db, issuer: &str, subject: &str) -> Result<Option<Identity>, Error> {
    let found =
        Entity::find().filter(Column::Issuer.eq(issuer)).filter(Column::Subject.eq(subject));
    sql::one(db, found).await
}

/// The identity of whom an issuer's directory calls this, as the issuer has said last.
pub async fn find_by_external_id(
    db: &impl Db,
    issuer: &str,
    external_id: &str,
) -> Result<Option<Identity>, Error> {
    let found =
        Entity::find().filter(Column::Issuer.eq(issuer)).filter(Column::ExternalId.eq(external_id));
    // Where it says the same of two, it says nothing.
    let Ok([one]) = <[Identity; 1]>::try_from(sql::all(db, found).await?) else { return Ok(None) };
    Ok(Some(one))
}

read_by_columns! { Identity { id, user: user_id, issuer, label, created_at, last_used_at } }

/// Somebody's identities, the oldest first.
pub async fn list_of_user(db: &impl Db, user: UserId) -> Result<Vec<Identity>, Error> {
    sql::all(db, of_user(user)).await
}

/// As [`list_of_user`]; nobody signs in by them or removes one until the transaction ends.
pub async fn lock_of_user(tx: &Tx, user: UserId) -> Result<Vec<Identity>, Error> {
    sql::all(tx, of_user(user).lock_exclusive()).await
}

fn of_user(user: UserId) -> Select<Entity> {
    Entity::find().filter(Column::UserId.eq(user.0)).order_by_asc(Column::Id)
}

/// Notes that somebody signs in by an identity, what they know it by now, and what the issuer's directory calls
/// them; false if it is gone. Nobody removes it until the transaction ends.
pub async fn note_use(
    tx: &Tx,
    id: IdentityId,
    (label, external_id): (&str, Option<&str>),
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let noted = Entity::update_many()
        .col_expr(Column::Label, label.into())
        .col_expr(Column::ExternalId, external_id.map(str::to_owned).into())
        .col_expr(Column::LastUsedAt, now.into())
        .filter(Column::Id.eq(id.0));
    Ok(sql::run(tx, noted).await? == 1)
}

/// Removes an identity of somebody's; false if they have none with this id.
pub async fn delete(tx: &Tx, user: UserId, id: IdentityId) -> Result<bool, Error> {
    let deleted =
        Entity::delete_many().filter(Column::Id.eq(id.0)).filter(Column::UserId.eq(user.0));
    Ok(sql::run(tx, deleted).await? == 1)
}

/// Removes all identities of somebody's; says how many.
pub async fn delete_of_user(tx: &Tx, user: UserId) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::UserId.eq(user.0))).await
}

impl Identity {
    /// What its owner is shown of it; `provider` is what the provider is called.
    pub fn shown(self, provider: String) -> OwnIdentity {
        let Self { id, label, created_at, last_used_at, .. } = self;
        OwnIdentity { id, provider, label, created_at, last_used_at }
    }
}
