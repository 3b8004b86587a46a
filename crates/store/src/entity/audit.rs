//! Who did what, when.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "audit")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) project_id: Option<i64>,
    pub(crate) user_id: Option<i64>,
    pub(crate) at: DateTimeUtc,
    pub(crate) action: String,
    pub(crate) subject: String,
    pub(crate) detail: String,
    pub(crate) revision: Option<i64>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
