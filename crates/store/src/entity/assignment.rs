//! The labelers' copies of documents.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "assignment")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) document_id: i64,
    pub(crate) member_id: i64,
    pub(crate) state: String,
    pub(crate) revision: i64,
    pub(crate) saved_at: Option<DateTimeUtc>,
    pub(crate) submitted_at: Option<DateTimeUtc>,
    pub(crate) due_at: Option<DateTimeUtc>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
