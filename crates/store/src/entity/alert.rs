//! The alerts that limits have raised.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "alert")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) rule_id: i64,
    pub(crate) first_id: Option<i64>,
    pub(crate) second_id: Option<i64>,
    pub(crate) fired_at: DateTimeUtc,
    pub(crate) cleared_at: Option<DateTimeUtc>,
    pub(crate) value: f64,
    pub(crate) lower: f64,
    pub(crate) n: i64,
    pub(crate) revision: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
