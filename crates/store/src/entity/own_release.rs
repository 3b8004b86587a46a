//! What labelers are shown of their own agreement, frozen at the release.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "own_release")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) project_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) member_id: i64,
    pub(crate) payload: String,
    pub(crate) released_at: DateTimeUtc,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
