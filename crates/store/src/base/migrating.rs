//! The tables: what a version makes of them, and bringing them there.

use migrations::Migrator;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, DatabaseConnection, DatabaseTransaction,
    DbBackend, EntityTrait, QueryFilter, QueryOrder, Statement, sea_query::Expr,
};
use sea_orm_migration::{MigratorTrait, SchemaManager, seaql_migrations};

use crate::{Error, base::connection::transaction::commit};

/// Any number will do, as long as every server that migrates this database takes the same.
const MIGRATION_LOCK: i64 = 0x636f_6e63_6f72_6400;

/// In the name of a migration after which a version from before it must not write any more: what that wrote
/// is taken away, or read no more.
const CONTRACTS: &str = "_contract_";

/// What begins the name of a migration of a database that another one is being moved into: no version has it, so
/// none works on what is not whole yet. Each move has a name of its own, and ends no other.
const UNFINISHED: &str = "a_move_into_this_database_has_not_ended";

/// The migrations of a database and of this version, each in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// Those of this version that the database has.
    pub applied: Vec<String>,
    /// Those of this version that it lacks.
    pub missing: Vec<String>,
    /// Those that it has and this version does not know.
    pub unknown: Vec<String>,
}

/// How a database stands to this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Current,
    /// This version brings it further.
    Behind,
    /// A newer version has brought it further, and left everything of this one as it was.
    Ahead,
    /// This version must not work on it.
    Other,
}

impl Schema {
    /// What a database has, in any order, beside what this version makes, in order.
    fn of(ours: Vec<String>, mut has: Vec<String>) -> Self {
        has.sort_unstable();
        let unknown = has.iter().filter(|name| !ours.contains(name)).cloned().collect();
        let (applied, missing) = ours.into_iter().partition(|name| has.contains(name));
        Self { applied, missing, unknown }
    }

    pub fn standing(&self) -> Standing {
        let newest = self.applied.last();
        let expands =
            |name: &String| !name.contains(CONTRACTS) && newest.is_none_or(|own| own < name);
        match (self.missing.is_empty(), self.unknown.is_empty()) {
            (true, true) => Standing::Current,
            (false, true) => Standing::Behind,
            (true, false) if self.unknown.iter().all(expands) => Standing::Ahead,
            _ => Standing::Other,
        }
    }
}

/// The migrations of a database, which is left as it is: a new one has no table of them, and gets none.
pub(crate) async fn read_if_any(connection: &DatabaseConnection) -> Result<Schema, Error> {
    if SchemaManager::new(connection).has_table(&table()).await? {
        read(connection).await
    } else {
        Ok(Schema::of(ours(), Vec::new()))
    }
}

/// The table of a database's migrations.
pub(crate) fn table() -> String {
    Migrator::migration_table_name().to_string()
}

/// What this version makes, in order.
fn ours() -> Vec<String> {
    let ours = Migrator::get_migration_files();
    ours.iter().map(|migration| migration.name().to_owned()).collect()
}

/// The migrations of a database that has a table of them.
pub(crate) async fn read(connection: &impl ConnectionTrait) -> Result<Schema, Error> {
    let has = seaql_migrations::Entity::find().all(connection).await?;
    Ok(Schema::of(ours(), has.into_iter().map(|migration| migration.version).collect()))
}

/// Brings the tables up to date in a transaction that may write: all migrations that are missing, or none.
pub(crate) async fn migrate(tx: DatabaseTransaction) -> Result<(), Error> {
    bring_up_to_date(&tx).await?;
    commit(tx).await
}

/// Brings the tables up to date, once the transaction is committed. Servers that start at the same time wait
/// for each other.
///
/// Tables that a newer server has brought further are left as they are: for the length of an upgrade both
/// work on them, which is why migrations expand first and contract later.
pub(crate) async fn bring_up_to_date(tx: &DatabaseTransaction) -> Result<(), Error> {
    if matches!(tx.get_database_backend(), DbBackend::Postgres) {
        // SQL: a function of PostgreSQL.
        tx.execute_raw(Statement::from_sql_and_values(
            DbBackend::Postgres,
            "SELECT pg_advisory_xact_lock($1)",
            [MIGRATION_LOCK.into()],
        ))
        .await?;
    }
    Migrator::install(tx).await?;
    let schema = read(tx).await?;
    match schema.standing() {
        Standing::Current => {}
        Standing::Behind => Migrator::up(tx, None).await?,
        Standing::Ahead => {
            tracing::warn!("a newer version has changed this database: this one goes on beside it");
        }
        Standing::Other => return Err(Error::Refused(refusal(&schema))),
    }
    Ok(())
}

/// Writes the newest migration once more, as it is: the smallest write that there always is something for.
pub(crate) async fn rewrite_newest(connection: &impl ConnectionTrait) -> Result<(), Error> {
    use seaql_migrations::{Column, Entity};
    let newest = Entity::find().order_by_desc(Column::Version).one(connection).await?;
    let newest = newest.ok_or_else(|| Error::unreadable("no migrations"))?;
    // SQLite does not write a row that stays as it is.
    for applied_at in [newest.applied_at + 1, newest.applied_at] {
        Entity::update_many()
            .col_expr(Column::AppliedAt, Expr::val(applied_at))
            .filter(Column::Version.eq(&*newest.version))
            .exec(connection)
            .await?;
    }
    Ok(())
}

/// Keeps every version from a database until [`end_moving`]. The answer is the name of this move.
pub(crate) async fn begin_moving(tx: &DatabaseTransaction) -> Result<String, Error> {
    let name = format!("{UNFINISHED}_{:016x}", rand::random::<u64>());
    let row = seaql_migrations::ActiveModel { version: Set(name.clone()), applied_at: Set(0) };
    seaql_migrations::Entity::insert(row).exec_without_returning(tx).await?;
    Ok(name)
}

/// Has other moves into the database wait until the transaction ends; false if one has taken the place of this.
pub(crate) async fn hold_moving(tx: &DatabaseTransaction, name: &str) -> Result<bool, Error> {
    let held = seaql_migrations::Entity::update_many()
        .col_expr(seaql_migrations::Column::AppliedAt, Expr::val(0_i64))
        .filter(seaql_migrations::Column::Version.eq(name));
    Ok(held.exec(tx).await?.rows_affected > 0)
}

/// Lets versions work on a database that another one has been moved into; false if another move has taken the
/// place of this.
pub(crate) async fn end_moving(
    connection: &impl ConnectionTrait,
    name: &str,
) -> Result<bool, Error> {
    let ended = seaql_migrations::Entity::delete_by_id(name.to_owned()).exec(connection);
    Ok(ended.await?.rows_affected > 0)
}

/// Takes the place of moves that have not ended; false if there are none.
pub(crate) async fn forget_moves(tx: &DatabaseTransaction) -> Result<bool, Error> {
    let unfinished = seaql_migrations::Column::Version.starts_with(UNFINISHED);
    let forgotten = seaql_migrations::Entity::delete_many().filter(unfinished).exec(tx);
    Ok(forgotten.await?.rows_affected > 0)
}

/// Why this version must not work on a database.
pub fn refusal(schema: &Schema) -> String {
    if schema.unknown.iter().any(|name| name.starts_with(UNFINISHED)) {
        return "moving another one into it has not ended: run `concord move` again".to_owned();
    }
    let newest = schema.unknown.last().map_or("", String::as_str);
    format!(
        "a newer version of Concord has changed it ({newest}): run that version, or restore a backup \
         from before"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(has: &[&str]) -> Standing {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Schema::of(owned(&["m1", "m3"]), owned(has)).standing()
    }

    #[test]
    fn a_database_is_ahead_that_has_all_of_ours_and_what_came_later() {
        assert_eq!(standing(&["m3", "m1"]), Standing::Current);
        assert_eq!(standing(&["m1"]), Standing::Behind);
        assert_eq!(standing(&[]), Standing::Behind);
        assert_eq!(standing(&["m1", "m3", "m4"]), Standing::Ahead);
        let contracted = ["m1", "m3", "m4_contract_spans", "m5"];
        assert_eq!(standing(&contracted), Standing::Other, "ours is read no more");
        assert_eq!(standing(&["m1", "m4"]), Standing::Other, "one of ours is missing");
        assert_eq!(standing(&["m1", "m2", "m3"]), Standing::Other, "of another line of versions");
        assert_eq!(standing(&["m1", "m3", UNFINISHED]), Standing::Other, "it is not whole");
    }
}
