//! The store on every engine at hand: SQLite always, PostgreSQL where `CONCORD_TEST_POSTGRES`
//! says where it is. One binary, because linking takes longer than testing.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, also in the functions that tests share"
)]

mod accounts;
mod chains;
mod chores;
mod dialect;
mod directories;
mod documents;
mod integrity;
mod mail;
mod migrations;
mod moving;
mod opening;
mod person;
mod projects;
mod records;
mod rounds;
mod sample;
mod schema_objects;
mod shelves;
mod transactions;
mod work;
