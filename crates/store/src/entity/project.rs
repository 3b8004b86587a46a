//! Projects and their settings.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "project")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) guidelines: String,
    pub(crate) guidelines_version: i64,
    pub(crate) release_level: String,
    pub(crate) reviewers_see_names: bool,
    pub(crate) revision: i64,
    pub(crate) released_at: Option<DateTimeUtc>,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) archived_at: Option<DateTimeUtc>,
    pub(crate) requires_second_factor: bool,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
