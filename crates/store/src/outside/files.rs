//! SQLite databases as files: copied while they are in use, checked, and made ready to be moved.
//! None of this migrates: a copy is of the version that wrote it.

use std::{fmt::Write, ops::Deref, path::Path};

use sea_orm::{
    ConnectionTrait, Database, DatabaseConnection, DbBackend, DbErr, RuntimeErr, Statement,
    TryGetable, Value,
    sqlx::{self, ConnectOptions as _, SqliteConnection, sqlite::SqliteConnectOptions},
};

use crate::Error;

/// The file's path as an address, with everything escaped that an address could take for more.
pub fn url(file: &Path) -> String {
    let mut url = "sqlite://".to_owned();
    for byte in file.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                url.push(char::from(*byte));
            }
            // Writing to a string cannot fail.
            other => drop(write!(url, "%{other:02X}")),
        }
    }
    url + "?mode=rwc"
}

/// Writes a copy of the database as it is at one moment into a file that is empty or not there.
/// Others may read and write meanwhile.
pub async fn copy(url: &str, to: &Path) -> Result<(), Error> {
    let connection = connect(url).await?;
    let Some(path) = to.to_str() else {
        return Err(Error::Refused("the path of the copy is not UTF-8".to_owned()));
    };
    // SQL: only SQLite has this.
    let into = Statement::from_sql_and_values(DbBackend::Sqlite, "VACUUM INTO ?", [path.into()]);
    let copied = connection.execute_raw(into).await;
    connection.close().await?;
    Ok(copied.map(|_| ())?)
}

/// A database of SQLite that is watched for changes; it is never held up.
pub struct Watched(SqliteConnection);

impl Watched {
    /// Watches the database that an address names.
    pub async fn open(url: &str) -> Result<Self, Error> {
        let options: SqliteConnectOptions = url.parse().map_err(of_sqlx)?;
        let options = options.create_if_missing(false).disable_statement_logging();
        Ok(Self(options.connect().await.map_err(of_sqlx)?))
    }

    /// A number that is another one if anybody has changed something since it was read.
    pub async fn version(&mut self) -> Result<i64, Error> {
        // SQL: only SQLite has this.
        let version = sqlx::query_scalar("PRAGMA data_version").fetch_one(&mut self.0).await;
        version.map_err(of_sqlx)
    }

    /// How large the whole database is, in bytes.
    pub async fn bytes(&mut self) -> Result<u64, Error> {
        // SQL: only SQLite has this.
        let bytes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let bytes: i64 = sqlx::query_scalar(bytes).fetch_one(&mut self.0).await.map_err(of_sqlx)?;
        Ok(u64::try_from(bytes).unwrap_or_default())
    }

    /// The whole database as it is at one moment, as a file would have it, in memory.
    pub async fn content(&mut self) -> Result<impl Deref<Target = [u8]> + Send + use<>, Error> {
        self.0.serialize(None).await.map_err(of_sqlx)
    }
}

fn of_sqlx(error: sqlx::Error) -> Error {
    DbErr::Query(RuntimeErr::SqlxError(error.into())).into()
}

/// What is wrong with a file that should be a database of ours; nothing if it is sound.
pub async fn problems(url: &str) -> Result<Vec<String>, Error> {
    let found = match connect(url).await {
        Ok(connection) => {
            let found = find_problems(&connection).await;
            connection.close().await?;
            found
        }
        Err(error) => Err(error),
    };
    match found {
        Err(error) if BROKEN.iter().any(|broken| error.to_string().contains(broken)) => {
            Ok(vec!["it is no SQLite database, or a broken one".to_owned()])
        }
        found => found,
    }
}

/// What SQLite says of a file that it cannot read as a database.
const BROKEN: [&str; 2] = ["file is not a database", "database disk image is malformed"];

async fn find_problems(connection: &DatabaseConnection) -> Result<Vec<String>, Error> {
    let mut found: Vec<String> = column(connection, "PRAGMA integrity_check").await?;
    found.retain(|line| line != "ok");
    let broken: Vec<String> = column(connection, "PRAGMA foreign_key_check").await?;
    found
        .extend(broken.iter().map(|table| format!("a row of {table} names one that is not there")));
    // SQL: only SQLite has these.
    let ours = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?";
    let statement =
        Statement::from_sql_and_values(DbBackend::Sqlite, ours, [Value::from(MIGRATIONS)]);
    if connection.query_one_raw(statement).await?.is_none() {
        found.push("it holds none of Concord's tables".to_owned());
    }
    Ok(found)
}

/// The table that every database of ours has.
const MIGRATIONS: &str = "seaql_migrations";

/// Writes everything that is in files beside a database into it, so that it is one file; false if
/// somebody else has it open.
pub async fn settle(url: &str) -> Result<bool, Error> {
    let connection = connect(url).await?;
    let journal: Result<Vec<String>, Error> =
        column(&connection, "PRAGMA journal_mode = DELETE").await;
    connection.close().await?;
    match journal {
        Ok(modes) => Ok(modes.iter().any(|mode| mode == "delete")),
        Err(Error::Unavailable(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn connect(url: &str) -> Result<DatabaseConnection, Error> {
    if !url.starts_with("sqlite:") {
        return Err(Error::Refused("it is not an SQLite database".to_owned()));
    }
    let mut options = sea_orm::ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false).map_sqlx_sqlite_opts(|sqlite| {
        sqlite.create_if_missing(false).pragma("busy_timeout", "2000")
    });
    Ok(Database::connect(options).await?)
}

/// The first column of every row.
async fn column<T: TryGetable>(
    connection: &DatabaseConnection,
    sql: &str,
) -> Result<Vec<T>, Error> {
    // SQL: only SQLite has what is asked.
    let rows = connection.query_all_raw(Statement::from_string(DbBackend::Sqlite, sql)).await?;
    let values: Result<Vec<T>, _> = rows.iter().map(|row| row.try_get_by_index(0)).collect();
    Ok(values?)
}
