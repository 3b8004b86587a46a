//! The database that another one is moved into: empty, with this version's tables, and closed to every version
//! until all is there.

use sea_orm::{ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, Statement};

use super::{statements, unmoved::Unmoved};
use crate::{
    Error,
    base::{
        connection::{
            connect::connect_to_write,
            transaction::{begin_write, commit},
        },
        migrating,
    },
    outside::catalog::{self, Table},
};

/// Connects to a database, makes it ready to be filled with these tables, and has no version work on it until
/// the move ends, whose name is the answer, too. What an earlier move has left in it is taken away; with other rows
/// it is refused.
pub(super) async fn prepare(
    url: &str,
    tables: &[(Table, u64)],
) -> Result<(DatabaseConnection, String), Unmoved> {
    let connection = connect_to_write(url).await?;
    let tx = begin_write(&connection).await?;
    let is_left_unfinished =
        names(&tx).await?.contains(&migrating::table()) && migrating::forget_moves(&tx).await?;
    if !is_left_unfinished {
        refuse_rows(&tx).await?;
    }
    migrating::bring_up_to_date(&tx).await?;
    let there = catalog::tables(&tx).await?;
    refuse_others(&there, tables)?;
    if is_left_unfinished {
        for table in there.iter().rev() {
            statements::clear(&tx, &table.name).await?;
        }
    }
    let name = migrating::begin_moving(&tx).await?;
    commit(tx).await?;
    Ok((connection, name))
}

/// Refuses tables that only one of both databases has, or that are not the same: nothing of anybody else's is
/// taken away, and nothing is left behind.
fn refuse_others(there: &[Table], tables: &[(Table, u64)]) -> Result<(), Unmoved> {
    if let Some(own) = there.iter().find(|own| tables.iter().all(|(it, _)| it.name != own.name)) {
        return Err(Unmoved::UnknownInDestination(own.name.clone()));
    }
    for (table, _) in tables {
        match there.iter().find(|own| own.name == table.name) {
            None => return Err(Unmoved::UnknownInSource(table.name.clone())),
            Some(own) if own != table => return Err(Unmoved::OtherColumns(table.name.clone())),
            Some(_) => {}
        }
    }
    Ok(())
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
