//! The database that another one is moved into: empty, with this version's tables, and closed to every version
//! until all is there.

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, Statement};

use super::{statements, unmoved::Unmoved};
use crate::{
    Error,
    base::{
        connect::{begin_write, connect_to_write},
        migrating,
    },
    outside::catalog::{self, Table},
};

/// Connects to a database, makes it ready to be filled with these tables, and has no version work on it until
/// the move has ended. What an earlier move has left in it is taken away; with other rows it is refused.
pub(super) async fn prepare(
    url: &str,
    tables: &[(Table, u64)],
) -> Result<DatabaseConnection, Unmoved> {
    let connection = connect_to_write(url).await?;
    let tx = begin_write(&connection).await?;
    if is_left_unfinished(&tx).await? {
        for table in catalog::tables(&tx).await?.iter().rev() {
            statements::clear(&tx, &table.name).await?;
        }
    } else {
        refuse_rows(&tx).await?;
    }
    migrating::bring_up_to_date(&tx).await?;
    let there = catalog::tables(&tx).await?;
    if !there.iter().eq(tables.iter().map(|(table, _)| table)) {
        return Err(Unmoved::OtherTables);
    }
    migrating::begin_moving(&tx).await?;
    tx.commit().await?;
    Ok(connection)
}

/// Whether a move into it was broken off; it is no more afterwards.
async fn is_left_unfinished(tx: &DatabaseTransaction) -> Result<bool, Error> {
    let knows_migrations = names(tx).await?.contains(&migrating::table());
    Ok(knows_migrations && migrating::end_moving(tx).await?)
}

/// Refuses a database in which any table has rows, also one that is not ours.
async fn refuse_rows(tx: &DatabaseTransaction) -> Result<(), Unmoved> {
    for name in names(tx).await?.into_iter().filter(|name| *name != migrating::table()) {
        if statements::has_rows(tx, &name).await? {
            return Err(Unmoved::NotEmpty(name));
        }
    }
    Ok(())
}

/// The names of all tables, whoever has made them.
async fn names(tx: &DatabaseTransaction) -> Result<Vec<String>, Error> {
    let engine = tx.get_database_backend();
    // SQL: each engine tells its tables in its own way.
    let sql = match engine {
        DbBackend::Postgres => {
            "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
        }
        _ => {
            "SELECT name FROM sqlite_schema
             WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
        }
    };
    let rows = tx.query_all_raw(Statement::from_string(engine, sql)).await?;
    Ok(rows.iter().map(|row| row.try_get_by_index(0)).collect::<Result<_, _>>()?)
}
