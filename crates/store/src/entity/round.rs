//! The rounds of a project.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "round")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) project_id: i64,
    pub(crate) number: i64,
    pub(crate) title: String,
    pub(crate) note: String,
    pub(crate) guidelines_version: i64,
    pub(crate) started_at: DateTimeUtc,
    pub(crate) started_by: Option<i64>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
