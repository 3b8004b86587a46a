//! A store opens on a database that keeps what it is given, and on no other.

use store::{
    Error, Store,
    base::migrating::Standing,
    project,
    testing::{stores, tamper},
};

use crate::sample::at;

#[tokio::test]
async fn a_database_in_memory_is_refused_because_it_keeps_nothing() {
    let error = Store::open("sqlite::memory:").await.unwrap_err();
    assert!(matches!(&error, Error::Refused(why) if why.contains("journal_mode")), "{error}");
}

#[tokio::test]
async fn an_unknown_kind_of_database_is_refused() {
    let error = Store::open("mysql://localhost/concord").await.unwrap_err();
    assert!(matches!(error, Error::Refused(_)), "{error}");
}

#[tokio::test]
async fn what_was_committed_is_there_after_opening_again() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let project = project::create(&tx, "kept", at(0)).await.unwrap();
        tx.commit().await.unwrap();
        store.close().await.unwrap();

        let again = Store::open(store.url()).await.unwrap();
        let found = project::find(&again, project).await.unwrap().unwrap();
        assert_eq!(found.settings.name, "kept");
        again.close().await.unwrap();
    }
}

#[tokio::test]
async fn two_servers_may_open_a_new_database_at_the_same_time() {
    for store in stores().await {
        migrated_down(store.url()).await;
        let (one, two) = tokio::join!(Store::open(store.url()), Store::open(store.url()));
        let (one, two) = (one.unwrap(), two.unwrap());
        assert_eq!(project::list_ids(&one).await.unwrap(), []);
        assert_eq!(project::list_ids(&two).await.unwrap(), []);
        one.close().await.unwrap();
        two.close().await.unwrap();
    }
}

async fn migrated_down(url: &str) {
    use sea_orm_migration::MigratorTrait;
    let connection = sea_orm::Database::connect(url).await.unwrap();
    ::migrations::Migrator::reset(&connection).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_store_answers_until_it_is_closed() {
    for store in stores().await {
        store.check_writable().await.unwrap();
        store.close().await.unwrap();
        assert!(store.check_writable().await.is_err());
    }
}

#[tokio::test]
async fn what_a_database_lacks_is_told_and_nothing_is_done_to_it() {
    for store in stores().await {
        let current = store.schema().await.unwrap();
        assert_eq!(current.standing(), Standing::Current);
        assert_eq!(Store::schema_at(store.url()).await.unwrap(), current);

        tamper(&store, "DELETE FROM seaql_migrations").await;
        let behind = Store::schema_at(store.url()).await.unwrap();
        assert_eq!((behind.applied.len(), behind.standing()), (0, Standing::Behind));
        assert_eq!(behind.missing, current.applied, "in order");

        // A new database has no table of them, and gets none by being looked at.
        tamper(&store, "DROP TABLE seaql_migrations").await;
        for _ in 0..2 {
            assert_eq!(Store::schema_at(store.url()).await.unwrap(), behind);
            assert!(store.schema().await.is_err());
        }
    }
}

#[tokio::test]
async fn an_older_server_works_on_tables_that_a_newer_one_has_brought_further() {
    for store in stores().await {
        let applied = |name: &str| {
            format!("INSERT INTO seaql_migrations (version, applied_at) VALUES ('{name}', 0)")
        };
        tamper(&store, &applied("m29990101_000001_expand")).await;
        let older = Store::open(store.url()).await.unwrap();
        assert_eq!(project::list_ids(&older).await.unwrap(), []);
        older.close().await.unwrap();
        tamper(&store, &applied("m20000101_000001_of_another_line")).await;
        assert!(Store::open(store.url()).await.is_err());
    }
}
