//! Saves that were answered, by the key that their client chose.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "save_key")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) user_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) key: String,
    pub(crate) fingerprint: String,
    pub(crate) response: String,
    pub(crate) created_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
