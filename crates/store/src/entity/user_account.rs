//! People with an account.

use sea_orm::entity::prelude::*;

#[expect(clippy::struct_excessive_bools, reason = "these are its columns")]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "user_account")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) password_hash: String,
    pub(crate) may_create_projects: bool,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) keys: String,
    pub(crate) is_placeholder: bool,
    pub(crate) is_administrator: bool,
    pub(crate) disabled_at: Option<DateTimeUtc>,
    pub(crate) erased_at: Option<DateTimeUtc>,
    pub(crate) is_demo: bool,
    pub(crate) second_factor_since: Option<DateTimeUtc>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
