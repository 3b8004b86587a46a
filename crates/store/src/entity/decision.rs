//! The reviewers' decisions, one for each position.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "decision")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) review_id: i64,
    pub(crate) start_at: i64,
    pub(crate) end_at: i64,
    pub(crate) verdict: String,
    pub(crate) decided_at: DateTimeUtc,
    pub(crate) note: String,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
