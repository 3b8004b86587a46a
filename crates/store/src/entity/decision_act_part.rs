//! The positions of what was decided at once, with what stood there before and after, in JSON.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "decision_act_part")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) act_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) document_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) start_at: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) end_at: i64,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    pub(crate) left_alone: bool,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
