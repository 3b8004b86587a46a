//! A copy that was given, taken or dated at once with others: before and after.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "workload_act_part")]
pub(crate) struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) act_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) document_id: i64,
    #[sea_orm(primary_key, auto_increment = false)]
    pub(crate) member_id: i64,
    pub(crate) was_there: bool,
    pub(crate) is_there: bool,
    pub(crate) was_due: Option<DateTimeUtc>,
    pub(crate) is_due: Option<DateTimeUtc>,
    pub(crate) left_alone: bool,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
