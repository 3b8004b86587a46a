//! Opens connections, refuses databases that would lose work, and migrates.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use sea_orm::{
    ConnectOptions, ConnectionTrait, Database, DatabaseConnection, Statement, TryGetable,
};

use super::transaction::{COMMIT_AND_PROVE, begin_write, close_unfinished};
use crate::{Error, base::migrating::migrate};

/// SQLite before 3.51.3 can lose committed writes when a checkpoint races with a writer.
const SQLITE_MIN: (u32, u32, u32) = (3, 51, 3);
/// The oldest PostgreSQL that is tested, as `server_version_num`.
const POSTGRES_MIN: i32 = 150_000;
/// What PostgreSQL knows our connections by.
pub(crate) const APPLICATION: &str = "concord";
const SQLITE_READERS: u32 = 8;
const POSTGRES_READERS: u32 = 10;
const POSTGRES_WRITERS: u32 = 6;
/// How long a request waits for a connection to read before it is told to come back. Reads are
/// short: who waits longer waits behind something that is wrong.
const READ_WITHIN: Duration = Duration::from_secs(2);
/// How long a request waits for its turn to write: an import may be writing.
const WRITE_WITHIN: Duration = Duration::from_secs(30);
/// A statement that takes longer is worth a line in the log.
const SLOW: Duration = Duration::from_millis(500);

/// Connects for writing and for reading; both count their statements in `statements`. Readers and
/// writers never wait for each other's connections.
pub(crate) async fn connect(
    url: &str,
    statements: &Arc<AtomicU64>,
) -> Result<(DatabaseConnection, DatabaseConnection), Error> {
    let writer = counted(connect_to_write(url).await?, statements);
    migrate(begin_write(&writer).await?).await?;
    let reader = if url.starts_with("sqlite:") {
        let reader = Database::connect(sqlite_readers(url)).await?;
        check_sqlite(&reader, true).await?;
        reader
    } else {
        Database::connect(postgres(url, POSTGRES_READERS, READ_WITHIN)).await?
    };
    Ok((writer, counted(reader, statements)))
}

/// Connects to write into a database that keeps what it is given, and leaves its tables as they are.
pub(crate) async fn connect_to_write(url: &str) -> Result<DatabaseConnection, Error> {
    if url.starts_with("sqlite:") {
        let writer = Database::connect(sqlite_writer(url)).await?;
        check_sqlite(&writer, false).await?;
        Ok(writer)
    } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
        let writers = Database::connect(postgres(url, POSTGRES_WRITERS, WRITE_WITHIN)).await?;
        check_postgres(&writers).await?;
        Ok(writers)
    } else {
        Err(Error::Refused("its address begins with neither sqlite: nor postgres:".to_owned()))
    }
}

/// Connects to a database that is there, to read, and leaves it as it is.
pub(crate) async fn connect_to_look(url: &str) -> Result<DatabaseConnection, Error> {
    if url.starts_with("sqlite:") {
        Ok(Database::connect(sqlite_readers(url)).await?)
    } else {
        let connection = Database::connect(postgres(url, 1, READ_WITHIN)).await?;
        check_postgres(&connection).await?;
        Ok(connection)
    }
}

/// Connects by a single connection, for reading and for writing: whatever asks for a second one
/// while it has the first waits in vain.
#[cfg(feature = "testing")]
pub(crate) async fn connect_single(
    url: &str,
    statements: &Arc<AtomicU64>,
) -> Result<DatabaseConnection, Error> {
    let options = if url.starts_with("sqlite:") {
        let mut options = sqlite_writer(url);
        options.acquire_timeout(READ_WITHIN);
        options
    } else {
        postgres(url, 1, READ_WITHIN)
    };
    let single = counted(Database::connect(options).await?, statements);
    migrate(begin_write(&single).await?).await?;
    Ok(single)
}

fn postgres(url: &str, connections: u32, within: Duration) -> ConnectOptions {
    let mut options = options(url, connections, within);
    options.set_application_name(APPLICATION);
    options
}

fn options(url: &str, connections: u32, within: Duration) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    // Statements are traced by `counted`, without their values: these are people's texts.
    options
        .max_connections(connections)
        .acquire_timeout(within)
        .sqlx_logging(false)
        .record_stmt_in_spans(false);
    options
}

/// One connection: writers queue for it instead of failing with "database is locked".
fn sqlite_writer(url: &str) -> ConnectOptions {
    let mut options = options(url, 1, WRITE_WITHIN);
    options.map_sqlx_sqlite_pool_opts(close_unfinished);
    options.test_before_acquire(false).map_sqlx_sqlite_opts(|sqlite| {
        sqlite
            .pragma("journal_mode", "WAL")
            .pragma("synchronous", "FULL")
            .pragma("foreign_keys", "ON")
            .pragma("busy_timeout", "10000")
    });
    options
}

fn sqlite_readers(url: &str) -> ConnectOptions {
    let mut options = options(url, SQLITE_READERS, READ_WITHIN);
    options.map_sqlx_sqlite_pool_opts(close_unfinished);
    options.test_before_acquire(false).map_sqlx_sqlite_opts(|sqlite| {
        sqlite
            .pragma("synchronous", "FULL")
            .pragma("foreign_keys", "ON")
            .pragma("busy_timeout", "10000")
            .pragma("query_only", "ON")
    });
    options
}

/// Counts and traces what runs on a connection, also within its transactions.
fn counted(mut connection: DatabaseConnection, statements: &Arc<AtomicU64>) -> DatabaseConnection {
    let statements = Arc::clone(statements);
    connection.set_metric_callback(move |info| {
        let (sql, elapsed) = (info.statement.sql.as_str(), info.elapsed);
        if sql != COMMIT_AND_PROVE {
            statements.fetch_add(1, Ordering::Relaxed);
        }
        metrics::histogram!("concord_database_statement_seconds").record(elapsed);
        if elapsed >= SLOW {
            metrics::counter!("concord_database_slow_statements_total").increment(1);
            tracing::warn!(sql, ?elapsed, "slow statement");
        } else {
            tracing::trace!(sql, ?elapsed, "statement");
        }
    });
    connection
}

async fn check_sqlite(connection: &DatabaseConnection, read_only: bool) -> Result<(), Error> {
    let version: String = read(connection, "SELECT sqlite_version()").await?;
    if parse_version(&version).is_none_or(|version| version < SQLITE_MIN) {
        let (major, minor, patch) = SQLITE_MIN;
        return Err(Error::Refused(format!(
            "SQLite {version} can lose committed work; {major}.{minor}.{patch} is needed"
        )));
    }
    let journal: String = read(connection, "PRAGMA journal_mode").await?;
    expect("journal_mode", journal.as_str(), "wal")?;
    let synchronous: i32 = read(connection, "PRAGMA synchronous").await?;
    expect("synchronous", &synchronous, &2)?;
    let foreign_keys: i32 = read(connection, "PRAGMA foreign_keys").await?;
    expect("foreign_keys", &foreign_keys, &1)?;
    let query_only: i32 = read(connection, "PRAGMA query_only").await?;
    expect("query_only", &query_only, &i32::from(read_only))
}

async fn check_postgres(connection: &DatabaseConnection) -> Result<(), Error> {
    let version: i32 =
        read(connection, "SELECT current_setting('server_version_num')::int4").await?;
    if version < POSTGRES_MIN {
        let (is, needed) = (version / 10_000, POSTGRES_MIN / 10_000);
        return Err(Error::Refused(format!("PostgreSQL {is} is too old; {needed} is needed")));
    }
    let encoding: String = read(connection, "SELECT current_setting('server_encoding')").await?;
    expect("server_encoding", encoding.as_str(), "UTF8")
}

/// Refuses a setting that did not take.
fn expect<T>(setting: &str, is: &T, should: &T) -> Result<(), Error>
where
    T: PartialEq + std::fmt::Display + ?Sized,
{
    if is == should {
        Ok(())
    } else {
        Err(Error::Refused(format!("{setting} is {is}, not {should}")))
    }
}

fn parse_version(version: &str) -> Option<(u32, u32, u32)> {
    let mut parts = version.split('.').map(|part| part.parse().ok());
    Some((parts.next()??, parts.next()??, parts.next()??))
}

async fn read<T: TryGetable>(connection: &DatabaseConnection, sql: &str) -> Result<T, Error> {
    // SQL: what an engine says of itself.
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let row = connection.query_one_raw(statement).await?;
    let row = row.ok_or_else(|| Error::unreadable(format!("no answer to {sql}")))?;
    Ok(row.try_get_by_index(0)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number_not_by_letter() {
        assert!(parse_version("3.51.10").unwrap() > SQLITE_MIN);
        assert!(parse_version("3.9.0").unwrap() < SQLITE_MIN);
        assert_eq!(parse_version("3.51"), None);
    }

    #[test]
    fn a_setting_that_did_not_take_is_refused_by_name() {
        let refused = expect("journal_mode", "memory", "wal").unwrap_err();
        assert_eq!(
            refused.to_string(),
            "this database cannot be used: journal_mode is memory, not wal"
        );
        expect("synchronous", &2, &2).unwrap();
    }
}
