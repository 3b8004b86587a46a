//! Objects in the schema of a database that no migration makes, such as a trigger that somebody has added: what is
//! written would have it run.

use std::collections::BTreeSet;

use migrations::Migrator;
use sea_orm::{ConnectOptions, ConnectionTrait, Database, DbBackend, QueryResult, Statement};
use sea_orm_migration::MigratorTrait;

use crate::{
    Error,
    base::{
        connection::{connect::connect_to_look, transaction::begin_write},
        migrating::{self, Schema},
    },
};

/// The kind and the name of an object.
type Object = (String, String);

/// What SQLite makes by itself has names of its own.
const SQLITE: &str = "
    SELECT type, name FROM sqlite_schema
    WHERE type NOT IN ('table', 'index') OR name NOT LIKE 'sqlite!_%' ESCAPE '!'";

/// Indexes of constraints and sequences of columns come with their tables, and objects of extensions with these.
const POSTGRES: &str = "
    WITH own AS (
        SELECT oid FROM pg_namespace
        WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\\_%'
    )
    SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'i' THEN 'index' WHEN 'S' THEN 'sequence'
           WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' ELSE 'relation' END, relname::text
    FROM pg_class r
    WHERE relnamespace IN (SELECT oid FROM own) AND relkind NOT IN ('t', 'c')
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = r.oid AND contype <> 'f')
    AND NOT EXISTS (
        SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = r.oid
        AND (deptype = 'e' OR relkind = 'S' AND deptype IN ('a', 'i'))
    )
    UNION ALL
    SELECT 'trigger', tgname::text FROM pg_trigger
    JOIN pg_class ON pg_class.oid = tgrelid AND relnamespace IN (SELECT oid FROM own)
    WHERE NOT tgisinternal
    UNION ALL
    SELECT 'function', proname::text FROM pg_proc p
    WHERE pronamespace IN (SELECT oid FROM own) AND NOT EXISTS (
        SELECT 1 FROM pg_depend
        WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
    )
    UNION ALL
    SELECT 'rule', rulename::text FROM pg_rewrite
    JOIN pg_class ON pg_class.oid = ev_class AND relnamespace IN (SELECT oid FROM own)
    WHERE rulename <> '_RETURN'
    UNION ALL
    SELECT 'event trigger', evtname::text FROM pg_event_trigger";

/// Finds the objects in the schema of the database that `url` names which none of its migrations makes, each as words
/// such as `the trigger "added"`. The database is left as it is.
///
/// Tables and indexes of a newer version are not known here, and pass.
pub async fn find_unexpected_objects(url: &str) -> Result<Vec<String>, Error> {
    let connection = connect_to_look(url).await?;
    let found = async {
        let schema = migrating::read_if_any(&connection).await?;
        Ok::<_, Error>((objects(&connection).await?, schema))
    };
    let found = found.await;
    connection.close().await?;
    let (found, schema) = found?;
    let expected = expected_objects(&schema).await?;
    let is_newer = !schema.unknown.is_empty();
    let is_expected = |object: &Object| {
        expected.contains(object) || is_newer && matches!(object.0.as_str(), "table" | "index")
    };
    let unexpected = found.into_iter().filter(|object| !is_expected(object));
    Ok(unexpected.map(|(kind, name)| format!("the {kind} {name:?}")).collect())
}

async fn objects(connection: &impl ConnectionTrait) -> Result<BTreeSet<Object>, Error> {
    let engine = connection.get_database_backend();
    let sql = if engine == DbBackend::Postgres { POSTGRES } else { SQLITE };
    // SQL: each engine lists its objects in its own way.
    let rows = connection.query_all_raw(Statement::from_string(engine, sql)).await?;
    let objects: Result<BTreeSet<_>, _> =
        rows.iter().map(QueryResult::try_get_many_by_index).collect();
    Ok(objects?)
}

/// The tables and indexes that the migrations of a schema make: those of a new database in memory, since both engines
/// call them the same.
async fn expected_objects(schema: &Schema) -> Result<BTreeSet<Object>, Error> {
    let mut options = ConnectOptions::new("sqlite::memory:");
    options.max_connections(1).sqlx_logging(false);
    let made = Database::connect(options).await?;
    let tx = begin_write(&made).await?;
    Migrator::install(&tx).await?;
    let applied = u32::try_from(schema.applied.len()).unwrap_or(u32::MAX);
    Migrator::up(&tx, Some(applied)).await?;
    let expected = objects(&tx).await?;
    drop(tx);
    made.close().await?;
    Ok(expected)
}
