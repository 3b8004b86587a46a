//! A database moves into an empty one of either engine whole, or not at all.

use std::{collections::BTreeSet, pin::Pin, sync::Arc};

use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use store::{
    Error, Store,
    outside::moving::{MovedTable, Progress, Stage, Unmoved, move_all},
    project,
    testing::{
        ROWS, TestStore, columns, contents, count_rows, fill_every_table, sqlite, stores, tamper,
    },
};
use tokio::sync::Notify;

use crate::sample::{at, sample};

/// Moves what is in one store into the other; both are closed, and opened again.
async fn moved(from: &TestStore, to: &TestStore) -> Result<Vec<MovedTable>, Unmoved> {
    from.close().await.unwrap();
    to.close().await.unwrap();
    move_all(from.url(), to.url(), &mut |_| {}).await
}

/// Begins to move what is in one store into the other, both closed, until it reports what is waited for. It goes
/// on as it is awaited, and is broken off if it is dropped.
async fn begun<'a>(
    from: &'a TestStore,
    to: &'a TestStore,
    is_waited_for: impl Fn(Progress<'_>) -> bool + Send + Sync + 'a,
) -> Pin<Box<dyn Future<Output = Result<Vec<MovedTable>, Unmoved>> + 'a>> {
    from.close().await.unwrap();
    to.close().await.unwrap();
    let reached = Arc::new(Notify::new());
    let reports = Arc::clone(&reached);
    let mut moving = Box::pin(async move {
        let mut report = |progress: Progress<'_>| {
            if is_waited_for(progress) {
                reports.notify_one();
            }
        };
        move_all(from.url(), to.url(), &mut report).await
    });
    tokio::select! {
        biased;
        () = reached.notified() => {}
        done = &mut moving => panic!("{done:?}"),
    }
    moving
}

fn is_postgres(store: &TestStore) -> bool {
    store.url().starts_with("postgres")
}

/// Every way from one store to another, each a new one.
async fn ways() -> Vec<(TestStore, TestStore)> {
    let mut ways = Vec::new();
    for place in 0..stores().await.len() {
        for other in 0..stores().await.len() {
            ways.push((stores().await.swap_remove(place), stores().await.swap_remove(other)));
        }
    }
    ways
}

/// The columns of all tables but the migrations', by the engine's own list of them.
async fn listed(url: &str) -> BTreeSet<String> {
    let connection = Database::connect(url).await.unwrap();
    let engine = connection.get_database_backend();
    let sql = match engine {
        DbBackend::Sqlite => {
            "SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c
             WHERE m.type = 'table' AND m.name NOT IN ('seaql_migrations', 'sqlite_sequence')"
        }
        _ => {
            "SELECT table_name || '.' || column_name FROM information_schema.columns
             WHERE table_schema = 'public' AND table_name <> 'seaql_migrations'"
        }
    };
    let rows = connection.query_all_raw(Statement::from_string(engine, sql)).await.unwrap();
    connection.close().await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

#[tokio::test]
async fn no_table_and_no_column_is_left_out() {
    for store in stores().await {
        let known = columns(&store).await;
        assert!(known.len() > 300, "{}", known.len());
        assert_eq!(known, listed(store.url()).await);
        fill_every_table(&store).await;
        let filled = contents(&store).await;
        assert!(filled.values().all(|rows| i64::try_from(rows.len()).unwrap() == ROWS));
    }
}

#[tokio::test]
async fn a_database_comes_back_from_the_other_engine_as_it_was() {
    for (from, between) in ways().await {
        let back = sqlite().await;
        fill_every_table(&from).await;
        let there = moved(&from, &between).await.unwrap();
        assert_eq!(there, moved(&between, &back).await.unwrap(), "to the bit");
        assert!(there.iter().all(|table| i64::try_from(table.rows).unwrap() == ROWS));

        let is_sqlite = !is_postgres(&from);
        let (from, back) = (Store::open(from.url()).await.unwrap(), Store::open(back.url()).await);
        let (before, after) = (contents(&from).await, contents(&back.unwrap()).await);
        assert_eq!(before.len(), there.len());
        // What is written as text is another one on the other engine.
        if is_sqlite {
            assert_eq!(before, after);
        }
    }
}

/// What is a key of texts, by the engine itself.
async fn subjects(url: &str) -> BTreeSet<String> {
    let connection = Database::connect(url).await.unwrap();
    let sql = "SELECT subject FROM sign_in_failure";
    let select = Statement::from_string(connection.get_database_backend(), sql);
    let rows = connection.query_all_raw(select).await.unwrap();
    connection.close().await.unwrap();
    rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect()
}

#[tokio::test]
async fn many_rows_arrive_whatever_their_keys_are() {
    for (from, to) in ways().await {
        sample(&from).await;
        let begins = ["a", "A", "B", "ä", "_", "\u{1f9ea}"];
        let keys =
            begins.into_iter().flat_map(|key| (0..100).map(move |row| format!("{key}{row}")));
        let keys: BTreeSet<_> = keys.collect();
        let rows = keys.iter().map(|key| format!("('{key}', 1, '2026-01-01 00:00:00+00:00')"));
        let rows = rows.collect::<Vec<_>>().join(", ");
        let insert = "INSERT INTO sign_in_failure (subject, failures, failed_at) VALUES";
        tamper(&from, &format!("{insert} {rows}")).await;
        let tables = moved(&from, &to).await.unwrap();
        let table = tables.iter().find(|table| table.table == "sign_in_failure").unwrap();
        assert_eq!((table.rows, subjects(to.url()).await), (600, keys));
    }
}

#[tokio::test]
async fn the_longest_numbers_arrive() {
    for (from, to) in ways().await {
        let project = sample(&from).await.project;
        let longest = [i64::MIN + 1, i64::MAX];
        tamper(
            &from,
            &format!(
                "UPDATE project SET revision = {}, guidelines_version = {}",
                longest[0], longest[1]
            ),
        )
        .await;
        tamper(
            &from,
            &format!(
                "INSERT INTO target (project_id, measure, policy, basis, at_least)
                 VALUES ({project}, 'alpha', 'both', 'value', {:e})",
                f64::MIN_POSITIVE
            ),
        )
        .await;
        moved(&from, &to).await.unwrap();
        let connection = Database::connect(to.url()).await.unwrap();
        let sql = "SELECT revision, guidelines_version, at_least
                   FROM project JOIN target ON target.project_id = project.id";
        let select = Statement::from_string(connection.get_database_backend(), sql);
        let row = connection.query_one_raw(select).await.unwrap().unwrap();
        let (revision, version, at_least): (i64, i64, f64) = row.try_get_many_by_index().unwrap();
        assert_eq!([revision, version], longest);
        assert_eq!(at_least.to_bits(), f64::MIN_POSITIVE.to_bits());
        connection.close().await.unwrap();
    }
}

#[tokio::test]
async fn ids_go_on_after_the_last_one_that_was_given() {
    for (from, to) in ways().await {
        let sample = sample(&from).await;
        let tx = from.begin().await.unwrap();
        let gone = project::create(&tx, "gone", at(1)).await.unwrap();
        tx.commit().await.unwrap();
        tamper(&from, &format!("DELETE FROM round WHERE project_id = {gone}")).await;
        tamper(&from, &format!("DELETE FROM project WHERE id = {gone}")).await;
        moved(&from, &to).await.unwrap();

        let store = Store::open(to.url()).await.unwrap();
        assert_eq!(project::list_ids(&store).await.unwrap(), [sample.project]);
        let tx = store.begin().await.unwrap();
        let next = project::create(&tx, "next", at(2)).await.unwrap();
        assert!(next > gone, "the audit trail of {gone} is not that of another project");
        drop(tx);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_destination_that_was_used_and_emptied_gives_out_the_ids_of_the_source() {
    for (from, to) in ways().await {
        sample(&from).await;
        let given = "INSERT INTO invitation (token_hash, created_at, expires_at)
                     VALUES ('hash', '2026-01-01 00:00:00+00:00', '2026-01-01 00:00:00+00:00')";
        tamper(&to, given).await;
        tamper(&to, "DELETE FROM invitation").await;
        moved(&from, &to).await.unwrap();
        tamper(&to, given).await;
        let connection = Database::connect(to.url()).await.unwrap();
        let sql = "SELECT id FROM invitation";
        let select = Statement::from_string(connection.get_database_backend(), sql);
        let row = connection.query_one_raw(select).await.unwrap().unwrap();
        assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), 1);
        connection.close().await.unwrap();
    }
}

/// Has an engine store another colour of every second label than it was given, or none.
async fn disturb(store: &TestStore, is_lost: bool) {
    let statements = match (is_postgres(store), is_lost) {
        (false, false) => {
            "CREATE TRIGGER disturbed AFTER INSERT ON label WHEN NEW.id % 2 = 0
             BEGIN UPDATE label SET colour = colour + 1 WHERE id = NEW.id; END"
        }
        (false, true) => {
            "CREATE TRIGGER disturbed AFTER INSERT ON label WHEN NEW.id % 2 = 0
             BEGIN DELETE FROM label WHERE id = NEW.id; END"
        }
        (true, false) => {
            "CREATE FUNCTION disturb() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN NEW.colour := NEW.colour + 1; RETURN NEW; END $$;
             CREATE TRIGGER disturbed BEFORE INSERT ON label FOR EACH ROW
             WHEN (NEW.id % 2 = 0) EXECUTE FUNCTION disturb()"
        }
        (true, true) => {
            "CREATE FUNCTION disturb() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RETURN NULL; END $$;
             CREATE TRIGGER disturbed BEFORE INSERT ON label FOR EACH ROW
             WHEN (NEW.id % 2 = 0) EXECUTE FUNCTION disturb()"
        }
    };
    tamper(store, statements).await;
}

#[tokio::test]
async fn a_row_that_is_not_the_same_is_found_and_nobody_works_on_it() {
    for is_lost in [false, true] {
        for (from, to) in ways().await {
            let labels = sample(&from).await.labels;
            let changed = labels.iter().find(|label| label.0 % 2 == 0).unwrap();
            disturb(&to, is_lost).await;
            let refused = moved(&from, &to).await.unwrap_err();
            let Unmoved::Different(differences) = refused else { panic!("{refused}") };
            assert_eq!(differences, [format!("label: row {changed}")]);
            let closed = Store::open(to.url()).await.unwrap_err().to_string();
            assert!(closed.contains("has not ended: run `concord move` again"), "{closed}");
            // Once that is put right, it begins anew.
            let on_label = if is_postgres(&to) { " ON label" } else { "" };
            tamper(&to, &format!("DROP TRIGGER disturbed{on_label}")).await;
            move_all(from.url(), to.url(), &mut |_| {}).await.unwrap();
            Store::open(to.url()).await.unwrap().close().await.unwrap();
        }
    }
}

#[tokio::test]
async fn what_is_broken_off_is_no_database_and_begins_anew() {
    for (stage, table) in
        [(Stage::Filling, "label"), (Stage::Filling, "workload_act"), (Stage::Comparing, "label")]
    {
        for (from, to) in ways().await {
            fill_every_table(&from).await;
            let is_there =
                |progress: Progress<'_>| (progress.stage, progress.table) == (stage, table);
            drop(begun(&from, &to, is_there).await);
            let closed = Store::open(to.url()).await.unwrap_err();
            assert!(matches!(&closed, Error::Refused(why) if why.contains("concord move")));
            let whole = move_all(from.url(), to.url(), &mut |_| {}).await.unwrap();
            assert!(whole.iter().all(|table| i64::try_from(table.rows).unwrap() == ROWS));
            Store::open(to.url()).await.unwrap().close().await.unwrap();
        }
    }
}

#[tokio::test]
async fn only_an_empty_destination_is_filled_and_another_stays_as_it_is() {
    for (from, to) in ways().await {
        sample(&from).await;
        let other = sample(&to).await;
        let refused = moved(&from, &to).await.unwrap_err();
        assert!(matches!(refused, Unmoved::NotEmpty(_)), "{refused}");
        let store = Store::open(to.url()).await.unwrap();
        assert_eq!(project::list_ids(&store).await.unwrap(), [other.project]);
        store.close().await.unwrap();
        // Nor is one that holds what is not ours.
        let foreign = stores().await.swap_remove(usize::from(is_postgres(&to)));
        tamper(&foreign, "CREATE TABLE foreign_table (words text)").await;
        let refused = moved(&from, &foreign).await.unwrap_err();
        assert!(
            matches!(&refused, Unmoved::UnknownInDestination(table) if table == "foreign_table")
        );
        tamper(&foreign, "INSERT INTO foreign_table (words) VALUES ('mine')").await;
        let refused = moved(&from, &foreign).await.unwrap_err();
        assert!(matches!(&refused, Unmoved::NotEmpty(table) if table == "foreign_table"));
    }
}

#[tokio::test]
async fn a_table_of_somebody_else_is_named_and_keeps_its_rows() {
    for (from, to) in ways().await {
        sample(&from).await;
        // A move is broken off, and somebody puts a table into what is left.
        drop(begun(&from, &to, |_| true).await);
        tamper(&to, "CREATE TABLE foreign_table (words text)").await;
        tamper(&to, "INSERT INTO foreign_table (words) VALUES ('mine')").await;
        let refused = move_all(from.url(), to.url(), &mut |_| {}).await.unwrap_err();
        let said = "the destination has a table that this version does not know: foreign_table";
        assert_eq!(refused.to_string(), said);
        let connection = Database::connect(to.url()).await.unwrap();
        let kept = Statement::from_string(
            connection.get_database_backend(),
            "SELECT COUNT(*) FROM foreign_table",
        );
        let row = connection.query_one_raw(kept).await.unwrap().unwrap();
        assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), 1);
        connection.close().await.unwrap();
        tamper(&to, "DROP TABLE foreign_table").await;
        tamper(&from, "CREATE TABLE foreign_table (words text)").await;
        let refused = move_all(from.url(), to.url(), &mut |_| {}).await.unwrap_err();
        let said = "the database has a table that this version does not know: foreign_table";
        assert_eq!(refused.to_string(), said);
    }
}

#[tokio::test]
async fn of_two_moves_into_one_database_the_later_one_holds() {
    for (from, to) in ways().await {
        let later = stores().await.swap_remove(usize::from(is_postgres(&from)));
        sample(&from).await;
        sample(&later).await;
        later.close().await.unwrap();
        tamper(&later, "UPDATE project SET name = 'later'").await;
        let first = begun(&from, &to, |progress| progress.stage == Stage::Comparing).await;
        move_all(later.url(), to.url(), &mut |_| {}).await.unwrap();
        let refused = first.await.unwrap_err();
        assert!(matches!(refused, Unmoved::Overtaken | Unmoved::Different(_)), "{refused}");
        let store = Store::open(to.url()).await.unwrap();
        let [project] = project::list_ids(&store).await.unwrap()[..] else { panic!("one project") };
        let found = project::find(&store, project).await.unwrap().unwrap();
        assert_eq!(found.settings.name, "later");
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_database_is_not_moved_that_is_empty_in_use_or_of_another_version() {
    for (from, to) in ways().await {
        let refused = moved(&from, &to).await.unwrap_err();
        assert!(matches!(refused, Unmoved::Empty), "{refused}");
        let server = Store::open(from.url()).await.unwrap();
        sample(&server).await;
        let refused = move_all(from.url(), to.url(), &mut |_| {}).await.unwrap_err();
        assert!(matches!(refused, Unmoved::InUse), "{refused}");
        server.close().await.unwrap();
        for statement in [
            "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m29990101_000001_next', 0)",
            "DELETE FROM seaql_migrations WHERE version = 'm29990101_000001_next'
             OR version LIKE '%create_mail'",
        ] {
            tamper(&from, statement).await;
            let refused = move_all(from.url(), to.url(), &mut |_| {}).await.unwrap_err();
            assert!(matches!(refused, Unmoved::NotCurrent), "{refused}");
        }
        let store = Store::open(to.url()).await.unwrap();
        assert_eq!(count_rows(&store, &["project"]).await, [("project", 0)]);
        store.close().await.unwrap();
    }
}

#[tokio::test]
async fn nobody_writes_into_a_database_while_it_is_moved() {
    for (from, to) in ways().await {
        sample(&from).await;
        let moving = begun(&from, &to, |_| true).await;
        let writing = async {
            let connection = Database::connect(from.url()).await.unwrap();
            let briefly = match connection.get_database_backend() {
                DbBackend::Postgres => "SET lock_timeout = '100ms'",
                _ => "PRAGMA busy_timeout = 100",
            };
            let write = format!("{briefly}; UPDATE project SET name = 'x'");
            let written = connection.execute_unprepared(&write).await;
            connection.close().await.unwrap();
            written
        };
        assert!(writing.await.is_err());
        moving.await.unwrap();
        Store::open(to.url()).await.unwrap().close().await.unwrap();
    }
}

#[tokio::test]
async fn a_server_that_starts_meanwhile_is_found_before_the_move_ends() {
    for (from, to) in ways().await.into_iter().filter(|(from, _)| is_postgres(from)) {
        sample(&from).await;
        let moving = begun(&from, &to, |_| true).await;
        let server = Store::open(from.url()).await.unwrap();
        let refused = moving.await.unwrap_err();
        assert!(matches!(refused, Unmoved::InUse), "{refused}");
        server.close().await.unwrap();
        let closed = Store::open(to.url()).await.unwrap_err();
        assert!(matches!(&closed, Error::Refused(why) if why.contains("concord move")));
        move_all(from.url(), to.url(), &mut |_| {}).await.unwrap();
    }
}

#[tokio::test]
async fn what_the_other_engine_would_change_is_refused_by_its_place() {
    for (from, to) in ways().await {
        let sample = sample(&from).await;
        let (changes, place) = match (is_postgres(&from), is_postgres(&to)) {
            (false, true) => {
                let document = sample.documents[1];
                let change =
                    format!("UPDATE document SET text = 'a' || char(0) WHERE id = {document}");
                (vec![change], format!("document.text of row {document} has a NUL"))
            }
            (true, false) => {
                let project = sample.project;
                let change = format!(
                    "INSERT INTO target (project_id, measure, policy, basis, at_least)
                     VALUES ({project}, 'alpha', 'both', 'value', 'NaN')"
                );
                let changes = vec![change, "UPDATE target SET at_least = '-0.0'".to_owned()];
                (changes, format!("target.at_least of row {project} is NaN or -0"))
            }
            _ => continue,
        };
        for change in changes {
            tamper(&from, &change).await;
            let refused = moved(&from, &to).await.unwrap_err().to_string();
            assert!(refused.starts_with(&place), "{refused}");
        }
    }
}

#[tokio::test]
async fn what_cannot_be_read_or_is_not_taken_is_told_by_its_place() {
    for (from, to) in ways().await.into_iter().filter(|(from, _)| !is_postgres(from)) {
        let sample = sample(&from).await;
        let (document, label) = (sample.documents[1], sample.labels[0]);
        let broken =
            format!("UPDATE document SET name = CAST(x'61ff' AS TEXT) WHERE id = {document}");
        tamper(&from, &broken).await;
        let refused = moved(&from, &to).await.unwrap_err().to_string();
        let place = format!("document.name of row {document} cannot be read");
        assert!(refused.starts_with(&place), "{refused}");
        tamper(&from, &format!("UPDATE document SET name = 'two' WHERE id = {document}")).await;
        if is_postgres(&to) {
            let long = format!("UPDATE label SET colour = 3000000000 WHERE id = {label}");
            tamper(&from, &long).await;
            let refused = moved(&from, &to).await.unwrap_err().to_string();
            let place = format!("the destination does not take label from row {label} to row ");
            assert!(refused.starts_with(&place), "{refused}");
        }
    }
}
