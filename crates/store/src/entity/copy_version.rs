//! What every save of a copy changed.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "copy_version")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) assignment_id: i64,
    pub(crate) repeat_id: Option<i64>,
    pub(crate) revision: i64,
    pub(crate) made_at: DateTimeUtc,
    pub(crate) made_by: Option<i64>,
    pub(crate) kind: String,
    pub(crate) restored: Option<i64>,
    pub(crate) state: String,
    pub(crate) removed: i64,
    pub(crate) added: i64,
    pub(crate) delta: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
