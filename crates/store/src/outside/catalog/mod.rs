//! The tables that a database has, as the database itself tells them: nobody keeps a list that could lack one.

pub mod objects;
pub(crate) mod record;

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::{ConnectionTrait, DbBackend, Statement};

use crate::Error;

/// A table of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) name: String,
    /// In the order of their names, which is the same whichever migration has added one.
    pub(crate) columns: Vec<Column>,
    /// Whether its ids are given out by the database, each once.
    pub(crate) gives_ids: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The columns whose values it holds, of rows in other tables.
    pub(crate) targets: BTreeSet<Target>,
    /// Its place in the primary key, from 1.
    pub(crate) key: Option<i64>,
    pub(crate) is_nullable: bool,
}

/// A column of another table that a foreign key names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Target {
    pub(crate) table: String,
    pub(crate) column: String,
    /// Its place in the foreign key, from 1.
    pub(crate) place: i64,
}

impl Column {
    /// Whether it names rows of another table.
    pub(crate) fn points_to(&self, table: &str) -> bool {
        self.targets.iter().any(|target| target.table == table)
    }
}

/// What a column holds, whatever the engines call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Integer,
    Truth,
    Float,
    Text,
    Time,
    Day,
    Bytes,
}

impl Kind {
    /// What a type of either engine holds, of those that the migrations use.
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "integer" | "bigint" => Self::Integer,
            "boolean" => Self::Truth,
            "double" | "double precision" => Self::Float,
            "text" => Self::Text,
            "timestamp_with_timezone_text" | "timestamp with time zone" => Self::Time,
            "date_text" | "date" => Self::Day,
            "blob" | "bytea" => Self::Bytes,
            _ => return None,
        })
    }
}

impl Table {
    /// The columns of the primary key in its order.
    pub(crate) fn key(&self) -> Vec<&Column> {
        let mut key: Vec<_> = self.columns.iter().filter(|column| column.key.is_some()).collect();
        key.sort_by_key(|column| column.key);
        key
    }
}

/// Columns in the order of their tables: table, column, type, place in the primary key or 0, whether it may be
/// empty, whether the database gives its numbers out; then what it points to: table, column, place.
const SQLITE: &str = "
    SELECT m.name, c.name, lower(c.type), c.pk, c.\"notnull\" = 0 AND c.pk = 0,
           c.pk > 0 AND m.sql LIKE '% AUTOINCREMENT%', f.\"table\", f.\"to\", f.seq + 1
    FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c
    LEFT JOIN pragma_foreign_key_list(m.name) f ON f.\"from\" = c.name
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'
    AND m.name <> 'seaql_migrations'
    ORDER BY m.name, c.name";

const POSTGRES: &str = "
    SELECT k.relname::text, a.attname::text, format_type(a.atttypid, NULL),
           COALESCE(array_position(p.conkey, a.attnum), 0)::bigint, NOT a.attnotnull,
           pg_get_serial_sequence(format('%I.%I', n.nspname, k.relname), a.attname) IS NOT NULL,
           t.relname::text, b.attname::text, array_position(f.conkey, a.attnum)::bigint
    FROM pg_class k
    JOIN pg_namespace n ON n.oid = k.relnamespace AND n.nspname = current_schema()
    JOIN pg_attribute a ON a.attrelid = k.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_constraint f
        ON f.conrelid = k.oid AND f.contype = 'f' AND a.attnum = ANY (f.conkey)
    LEFT JOIN pg_class t ON t.oid = f.confrelid
    LEFT JOIN pg_attribute b ON b.attrelid = f.confrelid
        AND b.attnum = f.confkey[array_position(f.conkey, a.attnum)]
    LEFT JOIN pg_constraint p ON p.conrelid = k.oid AND p.contype = 'p'
    WHERE k.relkind = 'r' AND k.relname <> 'seaql_migrations'
    ORDER BY k.relname, a.attname";

/// What a row of these says.
type Told = (String, String, String, i64, bool, bool, Option<String>, Option<String>, Option<i64>);

/// All tables but the one of the migrations, those that others point to first.
pub(crate) async fn tables(connection: &impl ConnectionTrait) -> Result<Vec<Table>, Error> {
    let engine = connection.get_database_backend();
    let sql = if engine == DbBackend::Postgres { POSTGRES } else { SQLITE };
    // SQL: each engine tells its tables in its own way.
    let rows = connection.query_all_raw(Statement::from_string(engine, sql)).await?;
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    for row in rows {
        let (table, name, kind, key, is_nullable, gives_ids, target, column, place): Told =
            row.try_get_many_by_index()?;
        let kind = Kind::of(&kind).ok_or_else(|| {
            Error::Refused(format!("{table}.{name} holds {kind}, nobody knows how"))
        })?;
        let target = target.zip(column).zip(place);
        let target = target.map(|((table, column), place)| Target { table, column, place });
        let table = tables.entry(table.clone()).or_insert_with(|| Table {
            name: table,
            columns: Vec::new(),
            gives_ids: false,
        });
        table.gives_ids |= gives_ids;
        match table.columns.last_mut().filter(|column| column.name == name) {
            Some(column) => column.targets.extend(target),
            None => table.columns.push(Column {
                name,
                kind,
                targets: target.into_iter().collect(),
                key: (key > 0).then_some(key),
                is_nullable,
            }),
        }
    }
    in_order(tables)
}

/// Each table after those that it points to.
fn in_order(mut left: BTreeMap<String, Table>) -> Result<Vec<Table>, Error> {
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let waits = |table: &Table| {
            table
                .columns
                .iter()
                .flat_map(|column| &column.targets)
                .any(|it| left.contains_key(&it.table))
        };
        let ready: Vec<_> =
            left.values().filter(|table| !waits(table)).map(|table| table.name.clone()).collect();
        if ready.is_empty() {
            let names: Vec<_> = left.into_keys().collect();
            let why = format!("these tables point to each other: {}", names.join(", "));
            return Err(Error::Refused(why));
        }
        ordered.extend(ready.iter().filter_map(|name| left.remove(name)));
    }
    Ok(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, target: &str) -> (String, Table) {
        let id = || "id".to_owned();
        let target = Target { table: target.to_owned(), column: id(), place: 1 };
        let targets = BTreeSet::from([target]);
        let columns = vec![Column {
            name: id(),
            kind: Kind::Integer,
            targets,
            key: Some(1),
            is_nullable: false,
        }];
        (name.to_owned(), Table { name: name.to_owned(), columns, gives_ids: false })
    }

    #[test]
    fn a_table_comes_after_those_that_it_points_to() {
        let tables = [table("a", "b"), table("b", "c"), table("c", ""), table("d", "b")];
        let ordered = in_order(tables.into()).unwrap();
        let names: Vec<_> = ordered.iter().map(|table| table.name.as_str()).collect();
        assert_eq!(names, ["c", "b", "a", "d"]);
        let circle = [table("a", "b"), table("b", "a"), table("c", "")];
        let said = in_order(circle.into()).unwrap_err().to_string();
        assert!(said.ends_with("these tables point to each other: a, b"), "{said}");
    }
}
