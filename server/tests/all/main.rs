//! The server as its visitors meet it: every route, every standpoint, every header. One binary,
//! because linking takes longer than testing.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking, also in the functions that tests share"
)]

mod access;
mod account;
mod alike;
mod archived;
mod backup;
mod before_work;
mod blindness;
mod calls;
mod cli;
mod cli_export;
mod cli_files;
mod cli_remote;
mod cluster;
mod command_line;
mod comparing;
mod connections;
mod crowd;
mod csrf;
mod events;
mod files;
mod forms;
mod headers;
mod live_pages;
mod markup;
mod models;
mod moving;
mod page;
mod person;
mod planting;
mod point_in_time;
mod resources;
mod rest;
mod rivals;
mod scheduled_backups;
mod scim;
mod sessions;
mod settings;
mod standards;
mod stopping;
mod storage;
mod template;
mod tidy;
mod tokens;
mod traces;
mod watched;
mod webhooks;
mod world;
