//! What every room uses: connections, transactions, statements.

pub mod answered_requests;
pub(crate) mod chunks;
pub(crate) mod connection;
pub(crate) mod db;
pub(crate) mod error;
pub mod migrating;
pub(crate) mod refusals;
pub mod secret_key;
pub(crate) mod sql;
pub(crate) mod trail;

/// What verbs are written with.
pub(crate) mod prelude {
    pub(crate) use chrono::{DateTime, Utc};
    pub(crate) use sea_orm::{
        ActiveValue::Set,
        ConnectionTrait, EntityTrait, Iterable, PaginatorTrait, QueryFilter, QueryOrder,
        QuerySelect, QueryTrait, Select, UpdateMany,
        prelude::*,
        sea_query::{ExprTrait, OnConflict},
    };

    pub(crate) use crate::{
        Db, Error, Tx,
        base::{
            chunks,
            db::Connected,
            sql::{self, FromRow, Joined, Json, Row, Stored, read_by_columns},
        },
    };
}
