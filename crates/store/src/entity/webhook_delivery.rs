//! What was or is to be sent to webhooks.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "webhook_delivery")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) webhook_id: i64,
    pub(crate) event: String,
    pub(crate) body: String,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) attempts: i32,
    pub(crate) next_at: Option<DateTimeUtc>,
    pub(crate) delivered_at: Option<DateTimeUtc>,
    pub(crate) status: Option<i32>,
    pub(crate) problem: Option<String>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
