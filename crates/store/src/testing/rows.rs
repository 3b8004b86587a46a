//! What the whole database holds, found from its schema: so a table that comes later is looked at,
//! too, without anybody thinking of it.

use std::collections::{BTreeMap, BTreeSet};

use domain::ProjectId;
use sea_orm::DbBackend;

use crate::{
    Store,
    base::{db::Connected, sql},
    outside::catalog::{self, Column, Table, Target},
};

/// A row, by its table and its primary key.
pub type RowKey = (String, String);

/// The tables, as the database tells them.
async fn tables(store: &Store) -> Vec<Table> {
    catalog::tables(store.connection()).await.expect("the schema can be read")
}

/// What every table has, as `table.column`.
pub async fn columns(store: &Store) -> BTreeSet<String> {
    let tables = tables(store).await;
    let of = |table: &Table| {
        let name = |column: &Column| format!("{}.{}", table.name, column.name);
        table.columns.iter().map(name).collect::<Vec<_>>()
    };
    tables.iter().flat_map(of).collect()
}

/// The columns, as `table.column`, that point to a table.
pub async fn columns_to(store: &Store, target: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for Table { name: table, columns, .. } in tables(store).await {
        let pointing = columns.iter().filter(|column| column.points_to(target));
        found.extend(pointing.map(|column| format!("{table}.{}", column.name)));
    }
    found
}

/// The columns, as `table.column`, that hold this text somewhere.
pub async fn columns_with(store: &Store, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for place in columns(store).await {
        let (table, name) = place.split_once('.').expect("a table and a column");
        let sql = format!(
            "SELECT COUNT(*) FROM \"{table}\"
             WHERE CAST(\"{name}\" AS TEXT) LIKE $1 ESCAPE '!'"
        );
        let values = [sql::containing(text).into()];
        let count: Option<i64> =
            sql::row(store, &sql, values).await.expect("the rows can be counted");
        if count.unwrap_or_default() > 0 {
            found.push(place);
        }
    }
    found
}

/// All rows of all tables.
pub async fn rows(store: &Store) -> BTreeSet<RowKey> {
    let mut found = BTreeSet::new();
    for table in tables(store).await {
        found.extend(keys(store, &table, "1 = 1").await);
    }
    found
}

/// The rows that belong to a project: those that point to it, or to a row that does, and so on, and
/// those that name it without pointing.
pub async fn rows_of_project(store: &Store, project: ProjectId) -> BTreeSet<RowKey> {
    let tables = tables(store).await;
    let mut conditions = BTreeMap::from([("project".to_owned(), format!("id = {project}"))]);
    // Each table comes after those that it points to.
    for Table { name: table, columns, .. } in &tables {
        let mut leads = Vec::new();
        for Column { name, targets, .. } in columns {
            for Target { table, column, .. } in targets.iter().filter(|it| it.place == 1) {
                if let Some(condition) = conditions.get(table) {
                    leads.push(format!(
                        "\"{name}\" IN (SELECT \"{column}\" FROM \"{table}\" WHERE {condition})"
                    ));
                }
            }
            if targets.is_empty() && name == "project_id" {
                leads.push(format!("\"{name}\" = {project}"));
            }
        }
        if !leads.is_empty() {
            conditions.insert(table.clone(), leads.join(" OR "));
        }
    }
    let mut found = BTreeSet::new();
    for table in &tables {
        if let Some(condition) = conditions.get(&table.name) {
            found.extend(keys(store, table, condition).await);
        }
    }
    found
}

/// The rows of a table that meet a condition.
async fn keys(store: &Store, table: &Table, condition: &str) -> Vec<RowKey> {
    let key = table.key();
    let names: Vec<_> =
        key.iter().map(|column| format!("CAST(\"{}\" AS TEXT)", column.name)).collect();
    let table = &table.name;
    let sql = format!("SELECT {} FROM \"{table}\" WHERE {condition}", names.join(" || '|' || "));
    let rows: Vec<String> = sql::rows(store, &sql, []).await.expect("the rows can be listed");
    rows.into_iter().map(|key| (table.clone(), key)).collect()
}

/// All rows of a table's every column as text, for each table.
pub async fn contents(store: &Store) -> BTreeMap<String, BTreeSet<String>> {
    let is_sqlite = matches!(store.connection().get_database_backend(), DbBackend::Sqlite);
    let text = |Column { name, .. }: &Column| {
        // SQLite takes bytes for the text that they may not be.
        if is_sqlite {
            format!(
                "COALESCE(CASE typeof(\"{name}\") WHEN 'blob' THEN hex(\"{name}\")
                 ELSE CAST(\"{name}\" AS TEXT) END, '')"
            )
        } else {
            format!("COALESCE(CAST(\"{name}\" AS TEXT), '')")
        }
    };
    let mut contents = BTreeMap::new();
    for Table { name: table, columns, .. } in tables(store).await {
        let texts: Vec<_> = columns.iter().map(text).collect();
        let sql = format!("SELECT {} FROM \"{table}\"", texts.join(" || '|' || "));
        let rows: Vec<String> = sql::rows(store, &sql, []).await.expect("the rows can be listed");
        contents.insert(table, rows.into_iter().collect());
    }
    contents
}
