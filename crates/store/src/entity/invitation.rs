//! Links that let somebody in, by the hash of their token.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "invitation")]
pub(crate) struct Model {
    #[sea_orm(primary_key)]
    pub(crate) id: i64,
    pub(crate) token_hash: String,
    pub(crate) project_id: Option<i64>,
    pub(crate) role: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) claims_member_id: Option<i64>,
    pub(crate) created_by: Option<i64>,
    pub(crate) created_at: DateTimeUtc,
    pub(crate) expires_at: DateTimeUtc,
    pub(crate) accepted_at: Option<DateTimeUtc>,
    pub(crate) accepted_by: Option<i64>,
}

#[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
pub(crate) enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
