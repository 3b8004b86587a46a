//! Passkeys, as the browser's device and the library for them know them.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "passkey")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) user_id: i64,
    pub(crate) credential_id: String,
    pub(crate) user_handle: String,
    pub(crate) static_state: String,
    pub(crate) dynamic_state: String,
    pub(crate) name: String,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) last_used_at: Option<DateTimeUtc>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
