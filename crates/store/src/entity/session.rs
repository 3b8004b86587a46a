//! Signed-in browsers, by the hash of their token.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) token_hash: String,
    pub(crate) user_id: i64,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) last_seen_at: DateTimeUtc,
    pub(crate) expires_at: DateTimeUtc,
    pub(crate) device: String,
    pub(crate) address: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
