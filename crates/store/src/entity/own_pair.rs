//! A document that was counted of a labeler with somebody else: it is not counted again.

use sea_orm::entity::prelude::*;

#[expect(clippy::struct_field_names, reason = "these are the names of its columns")]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "own_pair")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) member_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) other_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) document_id: i64,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
