//! Documents with their texts.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "document")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) project_id: i64,
    pub(crate) external_id: Option<String>,
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) characters: i64,
    pub(crate) sha256: String,
    pub(crate) copies: Option<i64>,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) round_id: Option<i64>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
