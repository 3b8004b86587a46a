//! Migrations go up, down to nothing, and up again to the same tables.

use std::collections::BTreeSet;

use ::migrations::Migrator;
use domain::{DeliveryId, WebhookEvent};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use sea_orm_migration::MigratorTrait;
use store::{
    outside::{deliveries, integrity, webhooks},
    project::{self, guidelines, rounds},
    testing::stores,
};

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
async fn projects_of_before_get_their_guidelines_as_a_version_and_one_round() {
    for store in stores().await {
        let connection = Database::connect(store.url()).await.unwrap();
        let of_before = 5;
        let newer = u32::try_from(Migrator::migrations().len() - of_before).unwrap();
        Migrator::down(&connection, Some(newer)).await.unwrap();
        for statement in [
            "INSERT INTO project (name, guidelines, guidelines_version, release_level,
                                  reviewers_see_names, revision, created_at)
             VALUES ('Hamlet', 'Mark names.', 3, 'none', false, 7, '2026-05-01 10:00:00+00:00'),
                    ('Macbeth', '', 1, 'none', false, 0, '2026-05-02 10:00:00+00:00')",
            "INSERT INTO audit (project_id, at, action, subject, detail)
             SELECT id, '2026-06-01 10:00:00+00:00', 'save settings', '', '{}' FROM project",
            "INSERT INTO document (project_id, name, text, characters, sha256, created_at)
             SELECT id, name, 'text', 4, '', created_at FROM project",
        ] {
            connection.execute_unprepared(statement).await.unwrap();
        }
        Migrator::up(&connection, None).await.unwrap();
        connection.close().await.unwrap();

        for (name, number, text, written) in
            [("Hamlet", 3, "Mark names.", "2026-06-01"), ("Macbeth", 1, "", "2026-05-02")]
        {
            let project = project::find_by_name(&*store, name).await.unwrap().unwrap().id;
            let versions = guidelines::list(&*store, project).await.unwrap();
            let told: Vec<_> = versions
                .iter()
                .map(|v| (v.number, v.created_at.date_naive().to_string()))
                .collect();
            assert_eq!(told, [(number, written.to_owned())]);
            let stored = guidelines::text(&*store, project, number).await.unwrap();
            assert_eq!(stored.as_deref(), Some(text));
            let rounds = rounds::list(&*store, project).await.unwrap();
            let told: Vec<_> =
                rounds.iter().map(|r| (r.number, r.guidelines_version, r.documents)).collect();
            assert_eq!(told, [(1, number, 1)]);
            let snapshot = store.begin_read().await.unwrap();
            let problems = integrity::problems(&snapshot, project).await.unwrap();
            assert_eq!(problems, Vec::<String>::new());
        }
    }
}

#[tokio::test]
async fn a_webhook_of_before_is_told_of_alerts_and_keeps_its_deliveries() {
    for store in stores().await {
        let connection = Database::connect(store.url()).await.unwrap();
        let names: Vec<_> =
            Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
        let newest = names.iter().position(|name| name.contains("create_webhooks")).unwrap();
        let newer = u32::try_from(names.len() - newest).unwrap();
        Migrator::down(&connection, Some(newer)).await.unwrap();
        for statement in [
            "INSERT INTO project (name, guidelines, guidelines_version, release_level,
                                  reviewers_see_names, revision, created_at)
             VALUES ('Hamlet', '', 1, 'none', false, 7, '2026-05-01 10:00:00+00:00'),
                    ('Macbeth', '', 1, 'none', false, 0, '2026-05-02 10:00:00+00:00')",
            "INSERT INTO webhook (project_id, url, secret, secret_hidden, created_at)
             SELECT id, 'https://example.org/hook', 'hush', true, '2026-06-01 10:00:00+00:00'
             FROM project WHERE name = 'Hamlet'",
            "INSERT INTO webhook_delivery (id, project_id, event, body, created_at, attempts,
                                           next_at, status)
             SELECT 40 + id, id, 'alert.fired', '{\"n\":1}', '2026-06-02 10:00:00+00:00', 2,
                    '2026-06-02 10:05:00+00:00', 503
             FROM project",
        ] {
            connection.execute_unprepared(statement).await.unwrap();
        }
        // By hand: what the store asks for is there after the migrations only.
        let select = "SELECT id FROM project WHERE name = 'Hamlet'";
        let select = Statement::from_string(connection.get_database_backend(), select);
        let hamlet = connection.query_one_raw(select).await.unwrap().unwrap();
        let hamlet = domain::ProjectId(hamlet.try_get_by_index(0).unwrap());
        for again in [false, true] {
            if again {
                Migrator::down(&connection, Some(newer)).await.unwrap();
            }
            Migrator::up(&connection, None).await.unwrap();
            let kept = webhooks::list(&*store, hamlet).await.unwrap();
            assert_eq!(kept.len(), 1);
            assert_eq!(kept[0].url, "https://example.org/hook");
            assert_eq!((kept[0].paused, kept[0].secret.as_deref()), (false, None));
            assert_eq!(kept[0].created_at.date_naive().to_string(), "2026-06-01");
            let alerts = [WebhookEvent::AlertFired, WebhookEvent::AlertCleared];
            assert_eq!(kept[0].events, alerts.into());
            let sent = deliveries::list(&*store, kept[0].id, DeliveryId(0), 50).await.unwrap();
            assert_eq!(sent.len(), 1, "that of the other project has no webhook any more");
            assert_eq!(sent[0].id, DeliveryId(40 + hamlet.0));
            assert_eq!((sent[0].attempts, sent[0].status), (2, None));
            assert_eq!(sent[0].body, "{\"n\":1}");
            let due = deliveries::due(&*store, crate::sample::at(0), &[], (4, 50)).await.unwrap();
            assert_eq!((due.len(), due[0].secret.as_str()), (1, "hush"));
        }
        // Ids go on after those that are there.
        let webhook = webhooks::list(&*store, hamlet).await.unwrap()[0].id;
        let tx = store.begin().await.unwrap();
        let (event, now) = (WebhookEvent::Test, crate::sample::at(0));
        let next = deliveries::enqueue_one(&tx, webhook, event, "{}", now).await.unwrap();
        tx.commit().await.unwrap();
        assert!(next.0 > 40 + hamlet.0, "{next}");
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
                 WHERE m.type = 'table' AND f.seq = 0 AND NOT EXISTS (
                     SELECT 1 FROM pragma_index_list(m.name) l, pragma_index_info(l.name) i
                     WHERE i.seqno = 0 AND i.name = f.\"from\")
                 -- A row's own id is indexed by being one.
                 AND NOT EXISTS (
                     SELECT 1 FROM pragma_table_info(m.name) t
                     WHERE t.pk = 1 AND t.name = f.\"from\")"
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

#[tokio::test]
async fn the_oldest_account_that_somebody_signs_in_with_administers_a_server_of_before() {
    for store in stores().await {
        let connection = Database::connect(store.url()).await.unwrap();
        let names: Vec<_> =
            Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
        let newest = names.iter().position(|name| name.contains("create_administration")).unwrap();
        let newer = u32::try_from(names.len() - newest).unwrap();
        Migrator::down(&connection, Some(newer)).await.unwrap();
        for (name, is_placeholder) in [("imported", true), ("ann", false), ("ben", false)] {
            let statement = format!(
                "INSERT INTO user_account (email, name, password_hash, may_create_projects,
                                           is_placeholder, created_at)
                 VALUES ('{name}@example.org', '{name}', 'h', true, {is_placeholder},
                         '2026-05-01 10:00:00+00:00')"
            );
            connection.execute_unprepared(&statement).await.unwrap();
        }
        Migrator::up(&connection, None).await.unwrap();
        connection.close().await.unwrap();
        let listed = store::account::users::list(&*store).await.unwrap();
        let administer: Vec<_> =
            listed.iter().filter(|user| user.is_administrator).map(|user| &user.name).collect();
        assert_eq!(administer, ["ann"]);
    }
}
