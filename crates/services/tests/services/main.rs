//! What people can do, tested on every database engine at hand.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, also in the functions that tests share"
)]

mod accounts;
mod administration;
mod alerts;
mod answers;
mod audit;
mod backups;
mod behind;
mod boundaries;
mod commenting;
mod comparing;
mod comparing_raters;
mod consensus;
mod decided_answers;
mod diagnostics;
mod disagreements;
mod documents;
mod endless;
mod exported_answers;
mod exporting;
mod feed;
mod focus;
mod gold;
mod histories;
mod history;
mod house;
mod importing;
mod importing_work;
mod intervals;
mod keeping;
mod labels;
mod leaving;
mod mail;
mod matrix;
mod matrix_export;
mod members;
mod models;
mod narrowing;
mod over_time;
mod overview;
mod own_account;
mod own_work;
mod passkeys;
mod person;
mod policies;
mod projects;
mod providers;
mod quality;
mod questions;
mod queue;
mod repeats;
mod request_keys;
mod rounds;
mod rules;
mod saving;
mod second_annotation;
mod second_factors;
mod second_reviews;
mod signing_in;
mod soft_labels;
mod starting;
mod targets;
mod unitizing;
mod walking;
mod webhooks;
mod what_if;
mod workload;
mod world;
