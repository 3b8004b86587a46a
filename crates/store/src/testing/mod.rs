//! Databases for tests, here and in the crates above: a new one on each engine that is at hand.

#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "only tests call this, and a test fails by panicking"
)]

mod filled;
mod stored_text;

use std::{
    env, fs,
    hash::{DefaultHasher, Hasher},
    ops::Deref,
    process,
    sync::atomic::{AtomicU32, Ordering},
    thread,
};

mod rows;

use domain::{AssignmentId, Span};
use sea_orm::{ConnectionTrait, Database, DbBackend, Statement};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::{Store, base::sql, outside::audit::Signer};

pub use filled::{ROWS, fill_every_table};
pub use rows::{RowKey, columns, columns_to, columns_with, contents, rows, rows_of_project};
pub use stored_text::{StoredText, TextColumn};

/// Where a PostgreSQL is that tests may create databases on, as
/// `postgres://postgres@localhost/postgres?host=/socket/dir`. Without it tests run on SQLite only.
pub const POSTGRES_URL: &str = "CONCORD_TEST_POSTGRES";
/// Set to 1 it makes tests fail where PostgreSQL is missing, instead of leaving it out.
pub const POSTGRES_REQUIRED: &str = "CONCORD_REQUIRE_POSTGRES";

/// Spans with the assignment that they are on.
pub fn on(assignment: AssignmentId, spans: &[Span]) -> Vec<(AssignmentId, Span)> {
    spans.iter().map(|span| (assignment, *span)).collect()
}

/// A store on a database of its own, which goes when this is dropped.
#[derive(Debug)]
pub struct TestStore {
    store: Store,
    url: String,
    cleanup: Cleanup,
}

impl TestStore {
    /// The address of the database, to open it once more.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Deref for TestStore {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

/// A new store on each engine that is at hand.
pub async fn stores() -> Vec<TestStore> {
    let mut stores = vec![sqlite().await];
    if let Some(server) = postgres_server() {
        stores.push(postgres(&server).await);
    }
    stores
}

/// A new store on SQLite, in a file: a copy of one that was migrated once for all.
pub async fn sqlite() -> TestStore {
    let directory = TempDir::new().expect("a temporary directory");
    let file = directory.path().join(FILE);
    fs::write(file, &migrated().await.file).expect("a copy of the database");
    TestStore::open(sqlite_in(&directory), Cleanup::Directory(directory)).await
}

impl TestStore {
    /// Another database of PostgreSQL with the same rows, which nobody has open any more; none of SQLite, whose
    /// files can be had instead.
    pub async fn duplicate(&self) -> Option<(String, TestDatabase)> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let Cleanup::Database { server, name } = &self.cleanup else { return None };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let duplicate = format!("{name}_{number}");
        drop_database(server, &duplicate).await;
        administer(server, &format!("CREATE DATABASE {duplicate} TEMPLATE {name}")).await;
        let url = with_database(server, &duplicate);
        let cleanup = Cleanup::Database { server: server.clone(), name: duplicate };
        Some((url, TestDatabase(cleanup)))
    }
}

/// A database that goes when this is dropped.
#[derive(Debug)]
pub struct TestDatabase(#[expect(dead_code, reason = "held for its Drop")] Cleanup);

/// A database that has been migrated and holds nothing else.
struct Migrated {
    /// The whole of it.
    file: Vec<u8>,
    /// What tells one schema from another.
    schema: u64,
}

async fn migrated() -> &'static Migrated {
    static MIGRATED: OnceCell<Migrated> = OnceCell::const_new();
    MIGRATED
        .get_or_init(|| async {
            let directory = TempDir::new().expect("a temporary directory");
            let store = Store::open(&sqlite_in(&directory)).await.expect("a test database opens");
            let select = "SELECT COALESCE(group_concat(sql), '') FROM sqlite_schema";
            let found: Option<String> =
                sql::row(&store, select, []).await.expect("a schema is read");
            let mut schema = DefaultHasher::new();
            schema.write(found.expect("a schema").as_bytes());
            store.close().await.expect("its connections close");
            let file = fs::read(directory.path().join(FILE)).expect("a database");
            Migrated { file, schema: schema.finish() }
        })
        .await
}

/// What the file of a test's database is called.
const FILE: &str = "concord.db";

fn sqlite_in(directory: &TempDir) -> String {
    format!("sqlite://{}/{FILE}?mode=rwc", directory.path().display())
}

/// A new store on PostgreSQL: a copy of one that was migrated once for all tests on this server.
async fn postgres(server: &str) -> TestStore {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    static TEMPLATE: OnceCell<String> = OnceCell::const_new();
    let template = TEMPLATE.get_or_init(|| template_on(server)).await;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("concord_test_{}_{number}", process::id());
    // What an aborted run of the same process id left behind.
    drop_database(server, &name).await;
    administer(server, &format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
    let url = with_database(server, &name);
    TestStore::open(url, Cleanup::Database { server: server.to_owned(), name }).await
}

/// The name of a database on this server that has the schema of today, made by whichever process of tests
/// comes first. It stays for the next.
async fn template_on(server: &str) -> String {
    let name = format!("concord_test_{:016x}", migrated().await.schema);
    let connection = Database::connect(server).await.expect("the test server answers");
    let find = format!("SELECT 1 FROM pg_database WHERE datname = '{name}'");
    let exists = || async {
        let found = connection.query_one_raw(Statement::from_string(DbBackend::Postgres, &find));
        found.await.expect("the test server tells its databases").is_some()
    };
    if !exists().await {
        let draft = format!("{name}_{}", process::id());
        drop_database(server, &draft).await;
        administer(server, &format!("CREATE DATABASE {draft}")).await;
        let store = Store::open(&with_database(server, &draft)).await.expect("it opens");
        store.close().await.expect("its connections close");
        let rename = format!("ALTER DATABASE {draft} RENAME TO {name}");
        if connection.execute_unprepared(&rename).await.is_err() {
            assert!(exists().await, "no other process was first, and the template has no name");
            drop_database(server, &draft).await;
        }
    }
    connection.close().await.expect("the connection closes");
    name
}

impl TestStore {
    async fn open(url: String, cleanup: Cleanup) -> Self {
        let store = Store::open(&url).await.expect("a test database opens").signed_by(signer());
        Self { store, url, cleanup }
    }
}

/// What signs the audit trail of a test's store until a key does: it can tell any bytes apart, and
/// keeps nothing secret.
pub fn signer() -> Signer {
    Signer::new(|bytes| mac(0, bytes))
}

/// What signs as another key would.
pub fn another_signer() -> Signer {
    Signer::new(|bytes| mac(1, bytes))
}

fn mac(key: usize, bytes: &[u8]) -> [u8; 32] {
    let mut mac = [0; 32];
    for (place, part) in mac.chunks_exact_mut(8).enumerate() {
        let mut hasher = DefaultHasher::new();
        hasher.write_usize(4 * key + place);
        hasher.write(bytes);
        part.copy_from_slice(&hasher.finish().to_be_bytes());
    }
    mac
}

fn postgres_server() -> Option<String> {
    let server = env::var(POSTGRES_URL).ok().filter(|url| !url.is_empty());
    let required = env::var(POSTGRES_REQUIRED).is_ok_and(|required| required == "1");
    assert!(
        server.is_some() || !required,
        "{POSTGRES_REQUIRED} is 1, but {POSTGRES_URL} is not set"
    );
    server
}

/// The same server's address with another database.
fn with_database(server: &str, name: &str) -> String {
    let (address, options) = server.split_once('?').unwrap_or((server, ""));
    let (host, _) = address.rsplit_once('/').expect("an address with a database");
    format!("{host}/{name}?{options}")
}

async fn drop_database(server: &str, name: &str) {
    administer(server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
}

async fn administer(server: &str, sql: &str) {
    let connection = Database::connect(server).await.expect("the test server answers");
    connection.execute_unprepared(sql).await.expect("the test server obeys");
    connection.close().await.expect("the connection closes");
}

/// What is to go with a test's store.
#[derive(Debug)]
enum Cleanup {
    /// Goes by being dropped.
    Directory(#[expect(dead_code, reason = "held for its Drop")] TempDir),
    Database {
        server: String,
        name: String,
    },
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        if let Self::Database { server, name } = self {
            let (server, name) = (std::mem::take(server), std::mem::take(name));
            // A runtime cannot be blocked from within, hence one of its own on another thread.
            let dropped = thread::spawn(move || {
                tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()
                    .expect("a runtime")
                    .block_on(drop_database(&server, &name));
            });
            // A second panic while a test fails would hide why it fails.
            let dropped = dropped.join().is_ok();
            assert!(dropped || thread::panicking(), "the test database is not dropped");
        }
    }
}

/// Does something to a test's database behind our back.
pub async fn tamper(store: &TestStore, sql: &str) {
    tamper_at(store.url(), sql).await;
}

/// The same to the database at this address.
pub async fn tamper_at(url: &str, sql: &str) {
    administer(url, sql).await;
}

/// How many rows each of these tables has.
pub async fn count_rows(store: &Store, tables: &[&'static str]) -> Vec<(&'static str, i64)> {
    let mut counts = Vec::with_capacity(tables.len());
    for table in tables {
        let select = format!("SELECT COUNT(*) FROM {table}");
        let found: Option<i64> =
            sql::row(store, &select, []).await.expect("the rows can be counted");
        counts.push((*table, found.unwrap_or_default()));
    }
    counts
}
