//! Databases of a server of PostgreSQL: whether one is empty, who uses it, and one in the place of another.

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, Statement, TransactionTrait, TryGetable,
};

use crate::{Error, base::connection::connect::connect_to_look};

/// A database of PostgreSQL as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub name: String,
    /// Whether nothing is in it.
    pub is_empty: bool,
    /// How many others are connected to it.
    pub others: i64,
    /// How it sorts texts, and which characters it takes for letters.
    pub collate: String,
    pub ctype: String,
}

/// Says how the database that an address names stands.
pub async fn find(url: &str) -> Result<Found, Error> {
    let connection = connect_to_look(url).await?;
    let found = find_by(&connection).await;
    connection.close().await?;
    found
}

async fn find_by(connection: &DatabaseConnection) -> Result<Found, Error> {
    let of_database = "FROM pg_database WHERE datname = current_database()";
    Ok(Found {
        name: read(connection, "SELECT current_database()::text").await?,
        is_empty: read(
            connection,
            "SELECT NOT EXISTS (SELECT 1 FROM pg_class
             JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
             WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%')",
        )
        .await?,
        others: read(
            connection,
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
             AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
        )
        .await?,
        collate: read(connection, &format!("SELECT datcollate::text {of_database}")).await?,
        ctype: read(connection, &format!("SELECT datctype::text {of_database}")).await?,
    })
}

async fn read<T: TryGetable>(connection: &DatabaseConnection, sql: &str) -> Result<T, Error> {
    // SQL: what only PostgreSQL says of itself.
    let statement = Statement::from_string(DbBackend::Postgres, sql);
    let row = connection.query_one_raw(statement).await?;
    let row = row.ok_or_else(|| Error::Refused(format!("no answer to {sql}")))?;
    Ok(row.try_get_by_index(0)?)
}

/// Gives databases other names, all of them or none; `url` is of yet another of the same server.
///
/// # Errors
/// Also if anybody is connected to one of them.
pub async fn rename(url: &str, names: &[(&str, &str)]) -> Result<(), Error> {
    let connection = connect_to_look(url).await?;
    let tx = connection.begin().await?;
    for (from, to) in names {
        // SQL: only PostgreSQL has this, and it takes no values.
        let sql = format!("ALTER DATABASE {} RENAME TO {}", quoted(from), quoted(to));
        tx.execute_raw(Statement::from_string(DbBackend::Postgres, sql)).await?;
    }
    tx.commit().await?;
    connection.close().await?;
    Ok(())
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
