//! Transactions of the engine: how they begin, which of them may commit, and the proof that one has ended.
//!
//! SQLite ends a transaction by itself after some errors (`SQLITE_FULL`, `SQLITE_IOERR`, `SQLITE_NOMEM`).
//! A rollback then fails, since there is nothing to roll back, and sqlx goes on counting the transaction as
//! open: the next one would be a savepoint inside one that never commits. So no connection is used again
//! unless SQLite and sqlx agree that it has no transaction, and a commit counts only if SQLite confirms it.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult,
    QueryResult, SqliteTransactionMode, SqlxError, Statement, StreamTrait, TransactionOptions,
    TransactionStream, TransactionTrait,
    sqlx::{Connection, Executor, SqliteConnection, sqlite::SqlitePoolOptions},
};
use tokio::time::timeout;
use tracing::Instrument;

use crate::{Error, base::error::is_of_storage};

/// A statement that SQLite refuses while a transaction is open ("Safety level may not be changed inside a
/// transaction"), and that otherwise only sets what is set already. SQLite evaluates it when it is prepared, so
/// it must never come from a cache of prepared statements.
const REFUSED_IN_TRANSACTION: &str = "PRAGMA synchronous = FULL";

/// Commits, proves that no transaction is open, and opens an empty one, which sqlx expects to end.
pub(crate) const COMMIT_AND_PROVE: &str = "COMMIT; PRAGMA synchronous = FULL; BEGIN";

/// A transaction that refuses every statement after its first failure, and then does not commit.
///
/// PostgreSQL behaves so by itself. SQLite may have rolled back already, and would commit each later
/// statement alone.
#[derive(Debug)]
pub struct Transaction {
    inner: DatabaseTransaction,
    has_failed: AtomicBool,
    /// Whether the last write of this server failed because of the storage.
    is_storage_failing: Arc<AtomicBool>,
}

impl Transaction {
    pub(crate) fn new(inner: DatabaseTransaction, is_storage_failing: Arc<AtomicBool>) -> Self {
        Self { inner, has_failed: AtomicBool::new(false), is_storage_failing }
    }

    /// Makes everything that was written in this transaction stay.
    pub(crate) async fn commit(self) -> Result<(), Error> {
        self.refuse_after_failure()?;
        let committed = commit(self.inner).await;
        if committed.is_err() {
            self.is_storage_failing.store(true, Ordering::Relaxed);
        }
        committed
    }

    /// Marks the transaction as good for dropping only.
    pub(crate) fn fail(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }

    fn refuse_after_failure(&self) -> Result<(), DbErr> {
        if self.has_failed.load(Ordering::Relaxed) {
            let why = "an earlier statement of this transaction has failed";
            return Err(DbErr::Custom(why.to_owned()));
        }
        Ok(())
    }

    async fn run<T>(&self, statement: impl Future<Output = Result<T, DbErr>>) -> Result<T, DbErr> {
        self.refuse_after_failure()?;
        statement.await.inspect_err(|error| {
            self.fail();
            if is_of_storage(error) {
                self.is_storage_failing.store(true, Ordering::Relaxed);
            }
        })
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for Transaction {
    fn get_database_backend(&self) -> DbBackend {
        ConnectionTrait::get_database_backend(&self.inner)
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.run(self.inner.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.run(self.inner.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.run(self.inner.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.run(self.inner.query_all_raw(statement)).await
    }
}

impl StreamTrait for Transaction {
    type Stream<'a> = TransactionStream<'a>;

    fn get_database_backend(&self) -> DbBackend {
        ConnectionTrait::get_database_backend(&self.inner)
    }

    fn stream_raw<'a>(
        &'a self,
        statement: Statement,
    ) -> Pin<Box<dyn Future<Output = Result<TransactionStream<'a>, DbErr>> + 'a + Send>> {
        Box::pin(self.run(self.inner.stream_raw(statement)))
    }
}

/// Begins a transaction that locks at once where the engine would otherwise wait until it writes.
pub(crate) async fn begin_write(writer: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let immediate = matches!(writer.get_database_backend(), DbBackend::Sqlite)
        .then_some(SqliteTransactionMode::Immediate);
    let options =
        TransactionOptions { sqlite_transaction_mode: immediate, ..TransactionOptions::default() };
    begin(writer, options).await
}

/// Begins a transaction, also if nobody waits for it any more: given up half-way, it would stay open on its
/// connection, where the next one could not begin, and what is written by itself would not be committed.
pub(crate) async fn begin(
    connection: &DatabaseConnection,
    options: TransactionOptions,
) -> Result<DatabaseTransaction, DbErr> {
    let connection = connection.clone();
    let begun = async move { connection.begin_with_options(options).await };
    let begun = tokio::spawn(begun.in_current_span()).await;
    begun.unwrap_or_else(|broken| Err(DbErr::Custom(broken.to_string())))
}

/// Commits a transaction. After [`Error::Unknown`] its rows may be there or not.
pub(crate) async fn commit(transaction: DatabaseTransaction) -> Result<(), Error> {
    // SQL: the builder has no words for transactions.
    let committed = match ConnectionTrait::get_database_backend(&transaction) {
        DbBackend::Sqlite => transaction.execute_unprepared(COMMIT_AND_PROVE).await.map(drop),
        _ => transaction.commit().await,
    };
    committed.map_err(Error::of_commit)
}

/// How long a connection may take to end its work when it comes back to its pool. One whose thread has died may
/// never answer.
const MAX_RELEASE: Duration = Duration::from_secs(5);

/// Has a pool close each connection of SQLite that comes back with a transaction, or does not answer; the pool
/// opens another one in its place.
pub(crate) fn close_unfinished(options: SqlitePoolOptions) -> SqlitePoolOptions {
    options.after_release(|connection, _| {
        Box::pin(async move {
            let checked = timeout(MAX_RELEASE, has_no_transaction(connection)).await;
            if !matches!(checked, Ok(true)) {
                metrics::counter!("concord_database_connections_replaced_total").increment(1);
                tracing::warn!("a connection to SQLite kept a transaction open and is replaced");
            }
            // After an error the pool drops the connection without waiting for it.
            checked.map_err(|_| SqlxError::WorkerCrashed)
        })
    })
}

/// Whether both sqlx and SQLite have no transaction open on a connection.
async fn has_no_transaction(connection: &mut SqliteConnection) -> bool {
    let had_one = connection.is_in_transaction();
    // A rollback may still be queued: it is done once the connection answers.
    if connection.ping().await.is_err() {
        return false;
    }
    // Most reads begin none, and sqlx counts one as ended when SQLite has confirmed it.
    !had_one
        || !connection.is_in_transaction()
            && connection.execute(REFUSED_IN_TRANSACTION).await.is_ok()
}

#[cfg(test)]
mod tests {
    use std::{env, os::unix::process::ExitStatusExt, process::Command, thread};

    use chrono::{DateTime, Utc};
    use domain::{NewLabel, Revision};

    use crate::{
        Store,
        project::{self, labels},
        testing::stores,
    };

    #[tokio::test]
    async fn nothing_is_written_or_committed_after_a_failed_statement() {
        let (at, label) = (DateTime::<Utc>::default(), NewLabel::numbered("PER", 0));
        for store in stores().await {
            let tx = store.begin().await.unwrap();
            let project = project::create(&tx, "before", at).await.unwrap();
            labels::create(&tx, project, &label).await.unwrap();
            tx.commit().await.unwrap();
            let tx = store.begin().await.unwrap();
            project::advance(&tx, project).await.unwrap();
            labels::create(&tx, project, &label).await.unwrap_err();
            project::create(&tx, "after", at).await.unwrap_err();
            tx.commit().await.unwrap_err();
            assert_eq!(project::list_ids(&*store).await.unwrap(), [project]);
            let found = project::find(&*store, project).await.unwrap().unwrap();
            assert_eq!(found.revision, Revision(0));
        }
    }

    #[test]
    fn a_worker_that_panics_ends_the_process() {
        const CHILD: &str = "CONCORD_PANICS";
        const SIGABRT: i32 = 6;
        if env::var_os(CHILD).is_some() {
            Store::abort_on_worker_panic();
            let other = thread::Builder::new().name("other".to_owned());
            other.spawn(|| panic!("no worker")).unwrap().join().unwrap_err();
            let worker = thread::Builder::new().name("sqlx-sqlite-worker-7".to_owned());
            worker.spawn(|| panic!("no memory")).unwrap().join().unwrap_err();
            return;
        }
        let test = "base::connection::transaction::tests::a_worker_that_panics_ends_the_process";
        let mut child = Command::new(env::current_exe().unwrap());
        let child = child.args(["--exact", test, "--nocapture"]).env(CHILD, "1").output().unwrap();
        assert_eq!(child.status.signal(), Some(SIGABRT), "{child:?}");
        assert!(String::from_utf8_lossy(&child.stderr).contains("no worker"));
    }
}
