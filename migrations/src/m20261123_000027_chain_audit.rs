//! The audit trail in chains, one for each project and one for the server, that no row can leave
//! unnoticed. Rows say who by their id and outlast both people and projects.

use sea_orm_migration::sea_orm::DbBackend;

use crate::tables::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// The rows under another name, so that theirs is free for the new table.
const KEEP: &str = "CREATE TABLE audit_kept AS SELECT * FROM audit";

/// Chain 0 is the server's. Rows of before are signed by the first server that starts with a key.
const TAKE_OVER: &str = "
    INSERT INTO audit (chain, place, at, user_id, event, subject, detail, revision)
    SELECT COALESCE(project_id, 0),
           ROW_NUMBER() OVER (PARTITION BY COALESCE(project_id, 0) ORDER BY id),
           at, user_id, action, subject, detail, revision
    FROM audit_kept";

/// What people wrote or are called stands elsewhere, where it can be taken back.
const LEAVE_WORDS: [(DbBackend, &str); 2] = [
    (
        DbBackend::Sqlite,
        "UPDATE audit SET detail = CASE event
             WHEN 'claim work' THEN json_remove(detail, '$.name')
             ELSE json_remove(detail, '$.note') END
         WHERE event IN ('claim work', 'flag document', 'skip document', 'settle flag',
                         'send skipped document back', 'send copy back')",
    ),
    (
        DbBackend::Postgres,
        "UPDATE audit SET detail = CASE event
             WHEN 'claim work' THEN (detail::jsonb - 'name')::text
             ELSE (detail::jsonb - 'note')::text END
         WHERE event IN ('claim work', 'flag document', 'skip document', 'settle flag',
                         'send skipped document back', 'send copy back')",
    ),
];

/// Finds the rows that nothing signs; no row has a place in it once they are signed.
const UNSIGNED: &str = "CREATE INDEX index_audit_unsigned ON audit (chain) WHERE mac IS NULL";

/// Rows of projects and people that are gone belong to nobody, as they did before.
const GIVE_BACK: &str = "
    INSERT INTO audit (project_id, user_id, at, action, subject, detail, revision)
    SELECT (SELECT id FROM project WHERE project.id = kept.chain),
           (SELECT id FROM user_account WHERE user_account.id = kept.user_id),
           at, event, subject, detail, revision
    FROM audit_kept kept ORDER BY at, chain, place";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared(KEEP).await?;
        drop_tables(manager, &["audit"]).await?;

        let audit = table("audit")
            .col(big_integer("chain"))
            .col(big_integer("place"))
            .col(timestamp_with_time_zone("at"))
            .col(big_integer_null("user_id"))
            .col(text("event"))
            .col(text("subject"))
            .col(text("detail"))
            .col(big_integer_null("revision"))
            .col(blob_null("mac"))
            .primary_key(&mut primary_key(&["chain", "place"]))
            .take();
        manager.create_table(audit).await?;
        create_index(manager, "audit", &["chain", "revision"]).await?;
        create_index(manager, "audit", &["chain", "user_id", "place"]).await?;
        create_index(manager, "audit", &["chain", "event", "place"]).await?;
        connection.execute_unprepared(UNSIGNED).await?;

        connection.execute_unprepared(TAKE_OVER).await?;
        for (engine, statement) in LEAVE_WORDS {
            if engine == manager.get_database_backend() {
                connection.execute_unprepared(statement).await?;
            }
        }
        drop_tables(manager, &["audit_kept"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        connection.execute_unprepared(KEEP).await?;
        drop_tables(manager, &["audit"]).await?;

        let audit = table("audit")
            .col(big_pk_auto("id"))
            .col(big_integer_null("project_id"))
            .col(big_integer_null("user_id"))
            .col(timestamp_with_time_zone("at"))
            .col(text("action"))
            .col(text("subject"))
            .col(text("detail"))
            .col(big_integer_null("revision"))
            .foreign_key(&mut remembers("audit", "project_id", "project"))
            .foreign_key(&mut remembers("audit", "user_id", "user_account"))
            .take();
        manager.create_table(audit).await?;
        create_index(manager, "audit", &["project_id", "id"]).await?;
        create_index(manager, "audit", &["project_id", "revision"]).await?;
        create_index(manager, "audit", &["user_id"]).await?;
        connection.execute_unprepared(GIVE_BACK).await?;
        drop_tables(manager, &["audit_kept"]).await
    }
}
