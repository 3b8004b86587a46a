//! The store and its transactions: where statements run.

use std::{
    panic,
    path::PathBuf,
    pin::pin,
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
};

use futures::TryStreamExt;
use sea_orm::{
    AccessMode, DatabaseConnection, DatabaseTransaction, DbBackend, IsolationLevel, QueryResult,
    SqliteTransactionMode, Statement, StreamTrait, TransactionOptions,
};

use crate::{
    Connections, Error,
    base::{
        answered_requests::{RequestKey, set_committed},
        connection::{
            connect,
            held::{Held, Hold, in_use},
            transaction::{self, Transaction},
        },
        migrating::{self, Schema},
        refusals::Refused,
        trail::{Signer, Trail},
    },
};

mod sealed {
    //! Keeps [`Db`](super::Db) ours, and sea-orm out of what others see.

    use sea_orm::{QueryResult, Statement};

    use crate::Error;

    /// Something that statements can run on.
    pub trait Connected: Send + Sync {
        type Connection: sea_orm::ConnectionTrait;

        fn connection(&self) -> &Self::Connection;

        /// The rows of an answer as they come, so that they are never all in memory.
        fn stream(
            &self,
            statement: Statement,
            take: &mut (dyn FnMut(QueryResult) -> Result<(), Error> + Send),
        ) -> impl Future<Output = Result<(), Error>> + Send;

        /// What is known here of the audit trail.
        fn trail(&self) -> &crate::base::trail::Trail;
    }
}

pub(crate) use sealed::Connected;

/// What can be read from: the store itself, each statement for itself, or one of its transactions.
pub trait Db: Connected {
    /// Counts somebody's refusal, to be noted in the audit trail later: nobody waits for it.
    fn count_refusal(&self, refused: Refused) {
        self.trail().refusals().count(refused, None);
    }
}

/// A database, open for work. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    writer: DatabaseConnection,
    reader: DatabaseConnection,
    statements: Arc<AtomicU64>,
    held: Arc<Held>,
    /// Whether the last write failed because of the storage.
    is_failing: Arc<AtomicBool>,
    trail: Trail,
}

/// A transaction that may write. Dropped without [`Tx::commit`] it leaves no trace.
#[derive(Debug)]
pub struct Tx {
    transaction: Transaction,
    /// The requests of programs that it carries out.
    requests: Vec<RequestKey>,
    trail: Trail,
    _hold: Hold,
}

/// A view of the database as it was at one moment, whatever is written meanwhile.
#[derive(Debug)]
pub struct Snapshot {
    transaction: DatabaseTransaction,
    trail: Trail,
    _hold: Hold,
}

impl Store {
    /// Opens the database that `url` names, `sqlite:///path?mode=rwc` or `postgres://…`; refuses
    /// it if it does not keep what it is given, and brings its tables up to date.
    pub async fn open(url: &str) -> Result<Self, Error> {
        let statements = Arc::new(AtomicU64::new(0));
        let (writer, reader) = connect::connect(url, &statements).await?;
        Ok(Self::new(writer, reader, statements))
    }

    /// The same with one connection in all, for reading and for writing.
    #[cfg(feature = "testing")]
    pub async fn open_single(url: &str) -> Result<Self, Error> {
        let statements = Arc::new(AtomicU64::new(0));
        let single = connect::connect_single(url, &statements).await?;
        Ok(Self::new(single.clone(), single, statements))
    }

    fn new(
        writer: DatabaseConnection,
        reader: DatabaseConnection,
        statements: Arc<AtomicU64>,
    ) -> Self {
        let (held, is_failing) = Default::default();
        Self { writer, reader, statements, held, is_failing, trail: Trail::default() }
    }

    /// The same store, whose audit trail is signed by this. Without it, nothing can be done that has
    /// to be noted.
    #[must_use]
    pub fn signed_by(mut self, signer: Signer) -> Self {
        self.trail.signer = Some(signer);
        self
    }

    /// What is known here of the audit trail.
    pub fn trail(&self) -> &Trail {
        &self.trail
    }

    /// Begins a transaction that may write. On SQLite there is one at a time, and it locks before
    /// its first read, so that what it has read stays true until it commits.
    pub async fn begin(&self) -> Result<Tx, Error> {
        let begun = transaction::begin_write(&self.writer).await.map_err(Error::from);
        let begun = begun.inspect_err(|error| {
            if error.is_of_storage() {
                self.is_failing.store(true, Ordering::Relaxed);
            }
        })?;
        let transaction = Transaction::new(begun, Arc::clone(&self.is_failing));
        let requests = RequestKey::of_present_task().into_iter().collect();
        Ok(Tx { transaction, requests, trail: self.trail.clone(), _hold: self.held.enter() })
    }

    /// Begins a transaction that reads one consistent state.
    pub async fn begin_read(&self) -> Result<Snapshot, Error> {
        let options = match self.reader.get_database_backend() {
            DbBackend::Sqlite => TransactionOptions {
                sqlite_transaction_mode: Some(SqliteTransactionMode::Deferred),
                ..TransactionOptions::default()
            },
            _ => TransactionOptions {
                isolation_level: Some(IsolationLevel::RepeatableRead),
                access_mode: Some(AccessMode::ReadOnly),
                ..TransactionOptions::default()
            },
        };
        let transaction = transaction::begin(&self.reader, options).await?;
        Ok(Snapshot { transaction, trail: self.trail.clone(), _hold: self.held.enter() })
    }

    /// Ends the process when a thread of a connection to SQLite panics, as Rust does when memory cannot be
    /// allocated, which is what those threads panic about. Otherwise the statement that was running would
    /// seem to have returned all its rows, and whoever waits for the next one would wait for ever.
    pub fn abort_on_worker_panic() {
        const WORKER: &str = "sqlx-sqlite-worker-";
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panicked| {
            usual(panicked);
            if thread::current().name().is_some_and(|name| name.starts_with(WORKER)) {
                process::abort();
            }
        }));
    }

    /// How many SQL statements have run so far, without those that begin and end transactions.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// The file of the database, if it is one of SQLite.
    pub fn file(&self) -> Option<PathBuf> {
        match self.writer.get_database_backend() {
            DbBackend::Sqlite => {
                let options = self.writer.get_sqlite_connection_pool().connect_options();
                Some(options.get_filename().to_owned())
            }
            _ => None,
        }
    }

    /// The connections in use at this moment, and what for.
    pub fn connections(&self) -> Connections {
        Connections {
            reading: in_use(&self.reader),
            writing: in_use(&self.writer),
            held: self.held.list(),
        }
    }

    /// Refuses a database that nobody can write into at this moment. After a failed write nothing less than
    /// another write shows that there is room again.
    pub async fn check_writable(&self) -> Result<(), Error> {
        let tx = self.begin().await?;
        if self.is_failing.load(Ordering::Relaxed) {
            migrating::rewrite_newest(tx.connection()).await?;
            tx.commit().await?;
            // Only this write shows it: a transaction that changes nothing commits on a full storage, too.
            self.is_failing.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    /// How the tables of the database that `url` names stand to this version; it is left as it is.
    pub async fn schema_at(url: &str) -> Result<Schema, Error> {
        let connection = connect::connect_to_look(url).await?;
        let schema = migrating::read_if_any(&connection).await?;
        connection.close().await?;
        Ok(schema)
    }

    /// How the tables stand to this version, at this moment.
    pub async fn schema(&self) -> Result<Schema, Error> {
        migrating::read(&self.reader).await
    }

    /// Closes every connection, once it is idle.
    pub async fn close(&self) -> Result<(), Error> {
        self.reader.close_by_ref().await?;
        Ok(self.writer.close_by_ref().await?)
    }
}

impl Tx {
    /// Replaces the requests that this transaction carries out, by default that of the present task.
    #[must_use]
    pub fn for_requests(self, requests: Vec<RequestKey>) -> Self {
        Self { requests, ..self }
    }

    /// Makes everything that was written in this transaction stay.
    pub async fn commit(self) -> Result<(), Error> {
        if !self.requests.is_empty() {
            set_committed(&self.transaction, &self.requests).await?;
        }
        self.transaction.commit().await
    }
}

/// What is done with each row.
type Take<'a> = &'a mut (dyn FnMut(QueryResult) -> Result<(), Error> + Send);

async fn take_each(
    connection: &impl StreamTrait,
    statement: Statement,
    take: Take<'_>,
) -> Result<(), Error> {
    // SQL: whatever it is, `sql::each` was given it.
    let mut rows = pin!(connection.stream_raw(statement).await?);
    while let Some(row) = rows.try_next().await? {
        take(row)?;
    }
    Ok(())
}

impl Connected for Store {
    type Connection = DatabaseConnection;

    fn connection(&self) -> &DatabaseConnection {
        &self.reader
    }

    fn trail(&self) -> &Trail {
        &self.trail
    }

    async fn stream(&self, statement: Statement, take: Take<'_>) -> Result<(), Error> {
        take_each(self.connection(), statement, take).await
    }
}

impl Connected for Tx {
    type Connection = Transaction;

    fn connection(&self) -> &Transaction {
        &self.transaction
    }

    fn trail(&self) -> &Trail {
        &self.trail
    }

    async fn stream(&self, statement: Statement, take: Take<'_>) -> Result<(), Error> {
        let taken = take_each(self.connection(), statement, take).await;
        // The rows may have ended early.
        taken.inspect_err(|_| self.transaction.fail())
    }
}

impl Connected for Snapshot {
    type Connection = DatabaseTransaction;

    fn connection(&self) -> &DatabaseTransaction {
        &self.transaction
    }

    fn trail(&self) -> &Trail {
        &self.trail
    }

    async fn stream(&self, statement: Statement, take: Take<'_>) -> Result<(), Error> {
        take_each(self.connection(), statement, take).await
    }
}

impl Db for Store {}
impl Db for Tx {}
impl Db for Snapshot {}
