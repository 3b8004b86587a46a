//! Database migrations for SQLite and PostgreSQL: one history, written with the schema builder so
//! that both engines run it. A migration never changes once it is released.

mod m20261121_000001_create_accounts;
mod m20261121_000002_create_projects;
mod m20261121_000003_create_documents;
mod m20261121_000004_create_reviews;
mod m20261121_000005_create_records;
mod m20261121_000006_create_rounds;
mod m20261121_000007_create_alerts;
mod m20261122_000008_create_walks;
mod m20261122_000009_create_repeats;
mod m20261122_000010_create_gold_versions;
mod m20261122_000012_create_workloads;
mod m20261122_000013_create_attributes;
mod m20261122_000014_create_talk;
mod m20261122_000015_create_history;
mod m20261122_000016_add_own_keys;
mod m20261122_000017_create_api_tokens;
mod m20261122_000018_create_answered_requests;
mod m20261122_000020_create_imports;
mod m20261122_000021_add_placeholders;
mod m20261122_000022_create_webhooks;
mod m20261123_000023_seal_secrets;
mod m20261123_000024_create_sign_in_limits;
mod m20261123_000026_create_own_counts;
mod m20261123_000027_chain_audit;
mod m20261123_000028_create_administration;
mod m20261123_000029_create_second_factors;
mod m20261123_000030_create_passkeys;
mod m20261123_000031_set_notes_aside;
mod m20261123_000032_keep_released_settling;
mod m20261123_000033_name_assignments;
mod m20261124_000034_create_targets;
mod m20261125_000035_create_feed;
mod m20261125_000036_index_states;
mod m20261126_000037_shelve_imports;
mod m20261126_000038_create_identities;
mod m20261126_000039_create_mail;
mod m20261126_000040_create_sent_resets;
mod m20261126_000041_create_directories;
mod m20261126_000042_create_chores;
mod m20261126_000043_index_audit;
mod m20261126_000044_name_databases;
mod m20261127_000045_create_models;
mod m20261127_000046_ask_of_documents;
mod m20261127_000047_answer_otherwise;
mod m20261127_000048_decide_answers;
mod m20261127_000049_show_consensus;
mod m20261127_000050_lock_answers;
mod m20261127_000051_undo_answers;
mod m20261127_000052_keep_answers_of_models;
mod m20261128_000053_resolve_requests;
mod m20261128_000054_name_gold_documents;
mod tables;

use sea_orm_migration::prelude::*;

/// All migrations in order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261121_000001_create_accounts::Migration),
            Box::new(m20261121_000002_create_projects::Migration),
            Box::new(m20261121_000003_create_documents::Migration),
            Box::new(m20261121_000004_create_reviews::Migration),
            Box::new(m20261121_000005_create_records::Migration),
            Box::new(m20261121_000006_create_rounds::Migration),
            Box::new(m20261121_000007_create_alerts::Migration),
            Box::new(m20261122_000008_create_walks::Migration),
            Box::new(m20261122_000009_create_repeats::Migration),
            Box::new(m20261122_000010_create_gold_versions::Migration),
            Box::new(m20261122_000012_create_workloads::Migration),
            Box::new(m20261122_000013_create_attributes::Migration),
            Box::new(m20261122_000014_create_talk::Migration),
            Box::new(m20261122_000015_create_history::Migration),
            Box::new(m20261122_000016_add_own_keys::Migration),
            Box::new(m20261122_000017_create_api_tokens::Migration),
            Box::new(m20261122_000018_create_answered_requests::Migration),
            Box::new(m20261122_000020_create_imports::Migration),
            Box::new(m20261122_000021_add_placeholders::Migration),
            Box::new(m20261122_000022_create_webhooks::Migration),
            Box::new(m20261123_000023_seal_secrets::Migration),
            Box::new(m20261123_000024_create_sign_in_limits::Migration),
            Box::new(m20261123_000026_create_own_counts::Migration),
            Box::new(m20261123_000027_chain_audit::Migration),
            Box::new(m20261123_000028_create_administration::Migration),
            Box::new(m20261123_000029_create_second_factors::Migration),
            Box::new(m20261123_000030_create_passkeys::Migration),
            Box::new(m20261123_000031_set_notes_aside::Migration),
            Box::new(m20261123_000032_keep_released_settling::Migration),
            Box::new(m20261123_000033_name_assignments::Migration),
            Box::new(m20261124_000034_create_targets::Migration),
            Box::new(m20261125_000035_create_feed::Migration),
            Box::new(m20261125_000036_index_states::Migration),
            Box::new(m20261126_000037_shelve_imports::Migration),
            Box::new(m20261126_000038_create_identities::Migration),
            Box::new(m20261126_000039_create_mail::Migration),
            Box::new(m20261126_000040_create_sent_resets::Migration),
            Box::new(m20261126_000041_create_directories::Migration),
            Box::new(m20261126_000042_create_chores::Migration),
            Box::new(m20261126_000043_index_audit::Migration),
            Box::new(m20261126_000044_name_databases::Migration),
            Box::new(m20261127_000045_create_models::Migration),
            Box::new(m20261127_000046_ask_of_documents::Migration),
            Box::new(m20261127_000047_answer_otherwise::Migration),
            Box::new(m20261127_000048_decide_answers::Migration),
            Box::new(m20261127_000049_show_consensus::Migration),
            Box::new(m20261127_000050_lock_answers::Migration),
            Box::new(m20261127_000051_undo_answers::Migration),
            Box::new(m20261127_000052_keep_answers_of_models::Migration),
            Box::new(m20261128_000053_resolve_requests::Migration),
            Box::new(m20261128_000054_name_gold_documents::Migration),
        ]
    }
}
