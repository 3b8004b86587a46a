//! What the whole database holds, found from its schema: so a table that comes later is looked at,
//! too, without anybody thinking of it.

use std::collections::{BTreeMap, BTreeSet};

use domain::ProjectId;
use sea_orm::DbBackend;

use crate::{
    Store,
    base::{db::Connected, sql},
};

/// A row, by its table and its primary key.
pub type RowKey = (String, String);

/// A column, with the table that it points to, if it does, and whether it is of the primary key.
#[derive(Clone, Debug)]
struct Column {
    table: String,
    name: String,
    target: Option<String>,
    is_key: bool,
}

const SQLITE: &str = "SELECT m.name, c.name, f.\"table\", c.pk > 0
    FROM sqlite_schema m JOIN pragma_table_info(m.name) c
    LEFT JOIN pragma_foreign_key_list(m.name) f ON f.\"from\" = c.name
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> 'seaql_migrations'
    ORDER BY m.name, c.cid";

const POSTGRES: &str =
    "SELECT k.relname::text, a.attname::text, t.relname::text, p.conname IS NOT NULL
    FROM pg_class k
    JOIN pg_namespace n ON n.oid = k.relnamespace AND n.nspname = 'public'
    JOIN pg_attribute a ON a.attrelid = k.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_constraint f
        ON f.conrelid = k.oid AND f.contype = 'f' AND a.attnum = ANY (f.conkey)
    LEFT JOIN pg_class t ON t.oid = f.confrelid
    LEFT JOIN pg_constraint p
        ON p.conrelid = k.oid AND p.contype = 'p' AND a.attnum = ANY (p.conkey)
    WHERE k.relkind = 'r' AND k.relname <> 'seaql_migrations'
    ORDER BY k.relname, a.attnum";

async fn columns(store: &Store) -> Vec<Column> {
    let sql = match store.connection().get_database_backend() {
        DbBackend::Sqlite => SQLITE,
        _ => POSTGRES,
    };
    let rows: Vec<(String, String, Option<String>, bool)> =
        sql::rows(store, sql, []).await.expect("the schema can be read");
    let column = |(table, name, target, is_key)| Column { table, name, target, is_key };
    rows.into_iter().map(column).collect()
}

/// The columns, as `table.column`, that hold this text somewhere.
pub async fn columns_with(store: &Store, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for Column { table, name, .. } in columns(store).await {
        let sql = format!(
            "SELECT COUNT(*) FROM \"{table}\"
             WHERE CAST(\"{name}\" AS TEXT) LIKE $1 ESCAPE '!'"
        );
        let values = [sql::containing(text).into()];
        let count: Option<i64> =
            sql::row(store, &sql, values).await.expect("the rows can be counted");
        if count.unwrap_or_default() > 0 {
            found.push(format!("{table}.{name}"));
        }
    }
    found.dedup();
    found
}

/// All rows of all tables.
pub async fn rows(store: &Store) -> BTreeSet<RowKey> {
    let columns = columns(store).await;
    let tables: BTreeSet<_> = columns.iter().map(|column| column.table.clone()).collect();
    let mut found = BTreeSet::new();
    for table in tables {
        found.extend(keys(store, &columns, &table, "1 = 1").await);
    }
    found
}

/// The rows that belong to a project: those that point to it, or to a row that does, and so on, and
/// those that name it without pointing.
pub async fn rows_of_project(store: &Store, project: ProjectId) -> BTreeSet<RowKey> {
    let columns = columns(store).await;
    let mut conditions = BTreeMap::from([("project".to_owned(), format!("id = {project}"))]);
    // Each round reaches one step further from the project.
    for _ in 0..columns.len() {
        let mut next = conditions.clone();
        for Column { table, name, target, .. } in &columns {
            let leads = match target.as_ref().and_then(|target| conditions.get(target)) {
                Some(condition) if target.as_deref() != Some(table) => {
                    let target = target.as_deref().unwrap_or_default();
                    format!("\"{name}\" IN (SELECT id FROM \"{target}\" WHERE {condition})")
                }
                _ if name == "project_id" => format!("\"{name}\" = {project}"),
                _ => continue,
            };
            match next.get_mut(table) {
                Some(known) if conditions.contains_key(table) || known.contains(&leads) => {}
                Some(known) => *known = format!("{known} OR {leads}"),
                None => drop(next.insert(table.clone(), leads)),
            }
        }
        if next.len() == conditions.len() {
            break;
        }
        conditions = next;
    }
    let mut found = BTreeSet::new();
    for (table, condition) in &conditions {
        found.extend(keys(store, &columns, table, condition).await);
    }
    found
}

/// The rows of a table that meet a condition.
async fn keys(store: &Store, columns: &[Column], table: &str, condition: &str) -> Vec<RowKey> {
    let mut names: Vec<_> = columns
        .iter()
        .filter(|column| column.table == table && column.is_key)
        .map(|column| format!("CAST(\"{}\" AS TEXT)", column.name))
        .collect();
    names.dedup();
    let sql = format!("SELECT {} FROM \"{table}\" WHERE {condition}", names.join(" || '|' || "));
    let rows: Vec<String> = sql::rows(store, &sql, []).await.expect("the rows can be listed");
    rows.into_iter().map(|key| (table.to_owned(), key)).collect()
}

/// All rows of a table's every column as text, for each table.
pub async fn contents(store: &Store) -> BTreeMap<String, BTreeSet<String>> {
    let columns = columns(store).await;
    let mut of_tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let is_sqlite = matches!(store.connection().get_database_backend(), DbBackend::Sqlite);
    for Column { table, name, .. } in columns {
        // SQLite takes bytes for the text that they may not be.
        let text = if is_sqlite {
            format!(
                "COALESCE(CASE typeof(\"{name}\") WHEN 'blob' THEN hex(\"{name}\")
                 ELSE CAST(\"{name}\" AS TEXT) END, '')"
            )
        } else {
            format!("COALESCE(CAST(\"{name}\" AS TEXT), '')")
        };
        let texts = of_tables.entry(table).or_default();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    let mut contents = BTreeMap::new();
    for (table, texts) in of_tables {
        let sql = format!("SELECT {} FROM \"{table}\"", texts.join(" || '|' || "));
        let rows: Vec<String> = sql::rows(store, &sql, []).await.expect("the rows can be listed");
        contents.insert(table, rows.into_iter().collect());
    }
    contents
}
