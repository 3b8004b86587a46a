//! A document of a locked gold standard, with what held in it, in JSON.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "gold_version_document")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) version_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) document_id: i64,
    pub(crate) name: String,
    pub(crate) marks: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
