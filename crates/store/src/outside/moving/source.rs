//! The database that is moved: of this version, and written by nobody until it has been.

use std::time::Duration;

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, Statement};

use super::{statements, unmoved::Unmoved};
use crate::{
    Error,
    base::{
        connection::{
            connect::{APPLICATION, connect_to_look, connect_to_write},
            transaction::begin_write,
        },
        error::has_code,
        migrating::{self, Standing},
    },
    outside::{
        catalog::{self, Table},
        files,
    },
};

/// How often, and how long between, others are waited for that have just gone.
const TRIES: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(100);

/// What PostgreSQL says of a lock that it does not wait for.
const LOCK_NOT_AVAILABLE: &str = "55P03";

pub(super) struct Source {
    connection: DatabaseConnection,
    /// What keeps others from writing.
    pub(super) tx: DatabaseTransaction,
    /// With how many rows each has; those that others point to first.
    pub(super) tables: Vec<(Table, u64)>,
}

impl Source {
    pub(super) async fn open(url: &str) -> Result<Self, Unmoved> {
        let looking = connect_to_look(url).await?;
        let schema = migrating::read_if_any(&looking).await?;
        let is_sqlite = looking.get_database_backend() == DbBackend::Sqlite;
        let is_used = !is_sqlite && has_servers(&looking).await?;
        looking.close().await?;
        if schema.standing() != Standing::Current {
            return Err(Unmoved::NotCurrent);
        }
        if is_used || is_sqlite && !files::settle(url).await? {
            return Err(Unmoved::InUse);
        }
        // On PostgreSQL by one connection: any other that goes by our name is somebody else's.
        let connection =
            if is_sqlite { connect_to_write(url).await? } else { connect_to_look(url).await? };
        // On SQLite that is the lock.
        let tx = begin_write(&connection).await?;
        let mut tables = Vec::new();
        for table in catalog::tables(&tx).await? {
            if !is_sqlite {
                lock(&tx, &table).await?;
            }
            let rows = statements::count(&tx, &table.name).await?;
            tables.push((table, rows));
        }
        if tables.iter().all(|(_, rows)| *rows == 0) {
            return Err(Unmoved::Empty);
        }
        Ok(Self { connection, tx, tables })
    }

    /// Refuses a database on which somebody has begun to work meanwhile: what they wait to save would stay behind.
    pub(super) async fn refuse_servers(&self) -> Result<(), Unmoved> {
        let is_postgres = self.tx.get_database_backend() == DbBackend::Postgres;
        if is_postgres && has_servers(&self.tx).await? {
            return Err(Unmoved::InUse);
        }
        Ok(())
    }

    pub(super) async fn close(self) -> Result<(), Error> {
        self.tx.rollback().await?;
        Ok(self.connection.close().await?)
    }
}

/// Whether servers are connected to a database of PostgreSQL, or commands: whatever goes by our name.
async fn has_servers(connection: &impl ConnectionTrait) -> Result<bool, Error> {
    // SQL: only PostgreSQL has this. A transaction sees who is connected as of the first time that it asks.
    let anew = "SELECT pg_stat_clear_snapshot()";
    let statement = Statement::from_sql_and_values(
        DbBackend::Postgres,
        "SELECT COUNT(*) > 0 FROM pg_stat_activity WHERE datname = current_database()
         AND application_name = $1 AND pid <> pg_backend_pid()",
        [APPLICATION.into()],
    );
    for _ in 0..TRIES {
        connection.execute_unprepared(anew).await?;
        let row = connection.query_one_raw(statement.clone()).await?;
        let row = row.ok_or_else(|| Error::unreadable("no answer to who is connected"))?;
        if !row.try_get_by_index::<bool>(0)? {
            return Ok(false);
        }
        tokio::time::sleep(BETWEEN).await;
    }
    Ok(true)
}

/// Keeps others from writing into a table of PostgreSQL until the transaction ends.
async fn lock(tx: &DatabaseTransaction, table: &Table) -> Result<(), Unmoved> {
    // SQL: the builder has no word for it.
    let sql = format!("LOCK TABLE \"{}\" IN SHARE MODE NOWAIT", table.name);
    match tx.execute_unprepared(&sql).await {
        Err(error) if has_code(&error, LOCK_NOT_AVAILABLE) => Err(Unmoved::InUse),
        locked => Ok(locked.map(|_| ())?),
    }
}
