//! The tables as sea-orm knows them. Nothing here leaves the crate.

/// Declares tables with their columns, each in a module of its name: what sea-orm derives from them.
macro_rules! tables {
    ($(
        $(#[doc = $doc:literal])+
        $table:ident { $($(#[$attribute:meta])* $column:ident: $type:ty,)+ }
    )+) => {$(
        $(#[doc = $doc])+
        pub(crate) mod $table {
            use sea_orm::entity::prelude::*;

            #[derive(Clone, Copy, Debug, Default, DeriveEntity)]
            pub(crate) struct Entity;

            impl EntityName for Entity {
                fn table_name(&self) -> &'static str {
                    stringify!($table)
                }
            }

            #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
            pub(crate) struct Model {
                $($(#[$attribute])* pub(crate) $column: $type,)+
            }

            #[derive(Clone, Copy, Debug, EnumIter, DeriveRelation)]
            pub(crate) enum Relation {}

            impl ActiveModelBehavior for ActiveModel {}
        }
    )+};
}

mod models;
mod people;
mod reviews;
mod work;

pub(crate) use models::*;
pub(crate) use people::*;
pub(crate) use reviews::*;
pub(crate) use work::*;
