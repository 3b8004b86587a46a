//! What is in a schema and no migration made.

use migrations::Migrator;
use sea_orm::Database;
use sea_orm_migration::MigratorTrait;
use store::{
    outside::catalog::objects::find_unexpected_objects,
    testing::{stores, tamper},
};

/// What somebody may add to a database, and how it is told.
const ADDED: [(&str, &str); 4] = [
    ("CREATE TABLE added_table (id integer)", "the table \"added_table\""),
    ("CREATE VIEW added_view AS SELECT 1 AS one", "the view \"added_view\""),
    ("CREATE INDEX added_index ON session (device)", "the index \"added_index\""),
    ("", "the trigger \"added_trigger\""),
];

const SQLITE_TRIGGER: &str = "CREATE TRIGGER added_trigger AFTER INSERT ON session
    BEGIN UPDATE user_account SET is_administrator = TRUE; END";

const POSTGRES_TRIGGER: [&str; 2] = [
    "CREATE FUNCTION added_function() RETURNS trigger LANGUAGE plpgsql
     AS 'BEGIN RETURN NEW; END'",
    "CREATE TRIGGER added_trigger AFTER INSERT ON session
     FOR EACH ROW EXECUTE FUNCTION added_function()",
];

#[tokio::test]
async fn what_no_migration_made_is_found_on_each_engine() {
    for store in stores().await {
        let found = async || find_unexpected_objects(store.url()).await.unwrap();
        assert_eq!(found().await, Vec::<String>::new());
        for (sql, _) in ADDED.iter().filter(|(sql, _)| !sql.is_empty()) {
            tamper(&store, sql).await;
        }
        let mut expected: Vec<_> = ADDED.iter().map(|(_, told)| (*told).to_owned()).collect();
        if store.url().starts_with("sqlite:") {
            tamper(&store, SQLITE_TRIGGER).await;
        } else {
            for sql in POSTGRES_TRIGGER {
                tamper(&store, sql).await;
            }
            expected.push("the function \"added_function\"".to_owned());
        }
        expected.sort();
        let mut found = found().await;
        found.sort();
        assert_eq!(found, expected);
    }
}

#[tokio::test]
async fn a_database_of_an_earlier_version_has_what_that_version_made_and_no_more() {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}?mode=rwc", dir.path().join("old.sqlite3").display());
    let old = Database::connect(&url).await.unwrap();
    Migrator::up(&old, Some(20)).await.unwrap();
    let found = async || find_unexpected_objects(&url).await.unwrap();
    assert_eq!(found().await, Vec::<String>::new());
    // A later version has a table of this name.
    store::testing::tamper_at(&url, "CREATE TABLE lineage (id integer)").await;
    assert_eq!(found().await, ["the table \"lineage\""]);
    old.close().await.unwrap();
}
