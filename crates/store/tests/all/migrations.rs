//! Migrations go up, down to nothing, and up again to the same tables.

use std::collections::BTreeSet;

use ::migrations::Migrator;
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use sea_orm_migration::MigratorTrait;
use store::testing::stores;

/// Every column of ours with its table, and every index.
async fn schema(connection: &DatabaseConnection) -> BTreeSet<String> {
    let sql = match connection.get_database_backend() {
        DbBackend::Sqlite => {
            "SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c
             WHERE m.name NOT LIKE 'sqlite_%' AND m.name <> 'seaql_migrations'"
        }
        _ => {
            "SELECT table_name || '.' || column_name FROM information_schema.columns
             WHERE table_schema = 'public' AND table_name <> 'seaql_migrations'
             UNION ALL
             SELECT indexname FROM pg_indexes
             WHERE schemaname = 'public' AND tablename <> 'seaql_migrations'"
        }
    };
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(statement).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

#[tokio::test]
async fn migrations_go_down_to_nothing_and_up_to_the_same() {
    for store in stores().await {
        let connection = Database::connect(store.url()).await.unwrap();
        let before = schema(&connection).await;
        for column in ["user_account.email", "span.start_at", "audit.revision"] {
            assert!(before.contains(column), "{column} is missing");
        }
        for _ in Migrator::migrations() {
            Migrator::down(&connection, Some(1)).await.unwrap();
        }
        assert_eq!(schema(&connection).await, BTreeSet::new());
        Migrator::up(&connection, None).await.unwrap();
        assert_eq!(schema(&connection).await, before);
        connection.close().await.unwrap();
    }
}

#[tokio::test]
async fn every_foreign_key_is_indexed() {
    // A foreign key counts as indexed if it is the first column of an index or primary key.
    for store in stores().await {
        let connection = Database::connect(store.url()).await.unwrap();
        let sql = match connection.get_database_backend() {
            DbBackend::Sqlite => {
                "SELECT m.name || '.' || f.\"from\"
                 FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
                 WHERE m.type = 'table' AND NOT EXISTS (
                     SELECT 1 FROM pragma_index_list(m.name) l, pragma_index_info(l.name) i
                     WHERE i.seqno = 0 AND i.name = f.\"from\")"
            }
            _ => {
                "SELECT c.conrelid::regclass || '.' || a.attname
                 FROM pg_constraint c
                 JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
                 WHERE c.contype = 'f' AND NOT EXISTS (
                     SELECT 1 FROM pg_index i
                     WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])"
            }
        };
        let statement = Statement::from_string(connection.get_database_backend(), sql);
        let rows = connection.query_all_raw(statement).await.unwrap();
        let bare: Vec<String> = rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
        assert_eq!(bare, Vec::<String>::new());
        connection.close().await.unwrap();
    }
}
