//! Passkeys: a public key each, with what a browser's device knows it by. What is written in base64
//! is for the caller to understand.

use domain::{OwnPasskey, PasskeyId, UserId};

use crate::{
    base::prelude::*,
    entity::passkey::{self, Column, Entity},
};

/// A passkey with all that it takes to check an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    pub id: PasskeyId,
    pub user: UserId,
    pub credential_id: String,
    pub user_handle: String,
    pub static_state: String,
    pub dynamic_state: String,
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

/// A passkey to store.
#[derive(Clone, Debug)]
pub struct NewPasskey {
    pub user: UserId,
    pub credential_id: String,
    pub user_handle: String,
    pub static_state: String,
    pub dynamic_state: String,
    pub name: String,
}

/// Stores a passkey; [`Error::Duplicate`] if somebody has it already.
pub async fn create(tx: &Tx, new: NewPasskey, now: DateTime<Utc>) -> Result<PasskeyId, Error> {
    let row = passkey::ActiveModel {
        user_id: Set(new.user.0),
        credential_id: Set(new.credential_id),
        user_handle: Set(new.user_handle),
        static_state: Set(new.static_state),
        dynamic_state: Set(new.dynamic_state),
        name: Set(new.name),
        created_at: Set(now),
        last_used_at: Set(None),
        ..Default::default()
    };
    sql::insert(tx, row).await.map_err(|error| error.unless_unique(&["credential_id"]))
}

/// The passkey that a device knows by this id.
pub async fn find(db: &impl Db, credential_id: &str) -> Result<Option<Passkey>, Error> {
    sql::one(db, Entity::find().filter(Column::CredentialId.eq(credential_id))).await
}

read_by_columns! {
    Passkey {
        id, user: user_id, credential_id, user_handle, static_state, dynamic_state, name, created_at,
        last_used_at,
    }
}

/// Somebody's passkeys, the oldest first.
pub async fn list_of_user(db: &impl Db, user: UserId) -> Result<Vec<Passkey>, Error> {
    sql::all(db, Entity::find().filter(Column::UserId.eq(user.0)).order_by_asc(Column::Id)).await
}

/// Notes that a passkey was used, which has changed its state; false if it is gone, or if another
/// use has changed it since it was read.
pub async fn note_use(
    tx: &Tx,
    read: &Passkey,
    dynamic_state: &str,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let noted = Entity::update_many()
        .col_expr(Column::DynamicState, dynamic_state.into())
        .col_expr(Column::LastUsedAt, now.into())
        .filter(Column::Id.eq(read.id.0))
        .filter(Column::DynamicState.eq(read.dynamic_state.as_str()));
    Ok(sql::run(tx, noted).await? == 1)
}

/// Removes a passkey of somebody's; false if they have none with this id.
pub async fn delete(tx: &Tx, user: UserId, id: PasskeyId) -> Result<bool, Error> {
    let deleted =
        Entity::delete_many().filter(Column::Id.eq(id.0)).filter(Column::UserId.eq(user.0));
    Ok(sql::run(tx, deleted).await? == 1)
}

/// Removes all passkeys of a person.
pub async fn delete_of_user(tx: &Tx, user: UserId) -> Result<(), Error> {
    Entity::delete_many().filter(Column::UserId.eq(user.0)).exec(tx.connection()).await?;
    Ok(())
}

/// Whether somebody has a passkey.
pub async fn exist_of_user(db: &impl Db, user: UserId) -> Result<bool, Error> {
    let found = Entity::find().filter(Column::UserId.eq(user.0)).one(db.connection()).await?;
    Ok(found.is_some())
}

impl Passkey {
    /// What its owner is shown of it.
    pub fn shown(self) -> OwnPasskey {
        let Self { id, name, created_at, last_used_at, .. } = self;
        OwnPasskey { id, name, created_at, last_used_at }
    }
}
