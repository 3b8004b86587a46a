//! Limits on agreement.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "alert_rule")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) project_id: i64,
    pub(crate) subject: String,
    pub(crate) measure: String,
    pub(crate) policy: String,
    pub(crate) documents: String,
    pub(crate) limit_value: f64,
    pub(crate) minimum_n: i64,
    pub(crate) evaluated: i64,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) created_by: Option<i64>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
