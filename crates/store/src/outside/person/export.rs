//! Everything of a person as JSON, table by table, written as it is read.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
};

use domain::UserId;
use sea_orm::{
    QueryResult,
    sea_query::{Condition, Order, Query},
};
use serde_json::{Value as Json, json};

use super::{
    classes::{CLASSES, Classes},
    withheld::Withheld,
};
use crate::{
    Snapshot,
    base::prelude::*,
    outside::{
        audit,
        catalog::{self, Column, Table, record::Record},
        mail,
    },
};

/// What the file says of its own form.
const FORM: &str = "concord person 1";

/// The tables whose rows have names that ids in the others stand for.
const NAMED: [&str; 3] = ["document", "label", "project"];

/// How many names are asked for at once.
const AT_ONCE: usize = 1000;

/// What an audit row is about that its owner meets by its id anyway.
const KNOWN_BY_ID: [&str; 5] = ["assignment", "document", "member", "project", "user"];

/// What was met in rows that were written.
#[derive(Default)]
struct Met<'a> {
    /// The ids of rows that have names, by their tables.
    named: BTreeMap<&'static str, BTreeSet<i64>>,
    /// The file's own numbers for ids, by their tables.
    numbers: BTreeMap<&'a str, BTreeMap<i64, usize>>,
}

impl<'a> Met<'a> {
    /// The file's own number for an id of a table, counted from 1.
    fn number_of(&mut self, table: &'a str, id: i64) -> usize {
        let numbers = self.numbers.entry(table).or_default();
        let next = numbers.len() + 1;
        *numbers.entry(id).or_insert(next)
    }
}

/// Why nothing is told of somebody's assignments in a project.
const UNTIL_HANDED_IN: &str = "told once what is labeled a second time is handed in";

/// Writes what every table tells of a person, in which projects their assignments are withheld, and what the
/// projects, documents and labels in it are called.
pub async fn write(
    db: &Snapshot,
    person: UserId,
    now: DateTime<Utc>,
    out: &mut (impl Write + Send),
) -> Result<(), Error> {
    let tables = catalog::tables(db.connection()).await?;
    let tables: BTreeMap<_, _> = tables.iter().map(|table| (table.name.as_str(), table)).collect();
    let own = Own { person, withheld: Withheld::find(db, person).await?, tables };
    let mut met = Met::default();
    let head = format!(
        "{{\"form\":\"{FORM}\",\"account\":{person},\"at\":{},\"tables\":{{",
        Json::from(now.to_rfc3339())
    );
    put(out, &head)?;
    let told = CLASSES.iter().filter(|classes| !classes.told.is_empty());
    for (place, classes) in told.enumerate() {
        let comma = if place > 0 { "," } else { "" };
        put(out, &format!("{comma}\n{}:[", Json::from(classes.table)))?;
        write_rows(db, classes, &own, &mut met, out).await?;
        put(out, "]")?;
    }
    let withheld = own.withheld.projects().map(|project| {
        met.named.entry("project").or_default().insert(project.0);
        json!({ "project_id": project, "assignments": UNTIL_HANDED_IN })
    });
    let withheld = Json::Array(withheld.collect());
    put(out, &format!("\n}},\"withheld\":{withheld},\"names\":{{"))?;
    for (place, (table, ids)) in met.named.iter().enumerate() {
        let comma = if place > 0 { "," } else { "" };
        let names = Json::Object(names(db, table, ids).await?);
        put(out, &format!("{comma}\n{}:{names}", Json::from(*table)))?;
    }
    put(out, "\n}}\n")
}

/// The tables of the database by their names.
type Tables<'a> = BTreeMap<&'a str, &'a Table>;

/// Which rows are told.
struct Own<'a> {
    person: UserId,
    withheld: Withheld,
    tables: Tables<'a>,
}

impl Own<'_> {
    /// The condition that a row of a table is theirs, and told.
    fn rows_of(&self, table: &Table) -> Condition {
        Condition::all().add(self.whose(table)).add(self.withheld.condition(&table.name))
    }

    fn whose(&self, table: &Table) -> Condition {
        match table.name.as_str() {
            "audit" => return Condition::any().add(audit::of_person(self.person)),
            "mail" => return Condition::any().add(mail::of_person(self.person)),
            _ => {}
        }
        let classes = CLASSES.iter().find(|classes| classes.table == table.name);
        let columns = classes.map_or("", |classes| classes.whose);
        let mut any = Condition::any();
        for column in Classes::columns(columns) {
            let found = table.columns.iter().find(|it| it.name == column);
            let own = Expr::col(column);
            let target = found.and_then(|found| found.targets.iter().find(|it| it.place == 1));
            let other = target.and_then(|target| {
                Some((target, self.tables.get(target.table.as_str()).copied()?))
            });
            any = match other.filter(|(target, _)| target.table != "user_account") {
                None => any.add(own.eq(self.person.0)),
                Some((target, other)) => {
                    let mut theirs = Query::select();
                    theirs.column(target.column.clone()).from(other.name.clone());
                    theirs.cond_where(self.rows_of(other));
                    any.add(own.in_subquery(theirs))
                }
            };
        }
        any
    }
}

async fn write_rows<'a>(
    db: &Snapshot,
    classes: &Classes,
    own: &Own<'a>,
    met: &mut Met<'a>,
    out: &mut (impl Write + Send),
) -> Result<(), Error> {
    let Some(table) = own.tables.get(classes.table).copied() else { return Ok(()) };
    let of = |name| table.columns.iter().find(|column| column.name == name);
    let told = Classes::columns(classes.told).filter_map(of).map(|column| (column, None));
    let numbered = Classes::columns(classes.numbered).filter_map(of);
    let numbered = numbered.map(|column| (column, Some(origin(table, column, &own.tables))));
    let columns: Vec<(&Column, Option<&str>)> = told.chain(numbered).collect();
    let mut select = Query::select();
    select.columns(columns.iter().map(|(column, _)| column.name.clone()));
    select.from(table.name.clone()).cond_where(own.rows_of(table));
    for column in table.key() {
        select.order_by(column.name.clone(), Order::Asc);
    }
    let statement = db.connection().get_database_backend().build(&select);
    let mut is_first = true;
    let mut write = |row: QueryResult| -> Result<(), Error> {
        let record = Record::read(columns.iter().map(|(column, _)| *column), &row)?;
        let mut row = serde_json::Map::new();
        for ((column, numbered), cell) in columns.iter().zip(record.json()) {
            for name in NAMED.into_iter().filter(|name| column.points_to(name)) {
                met.named.entry(name).or_default().extend(cell.as_i64());
            }
            let cell = match (numbered.zip(cell.as_i64()), cell.as_str()) {
                (Some((origin, id)), _) => met.number_of(origin, id).into(),
                (None, Some(text)) if table.name == "audit" => noted(&column.name, text).into(),
                _ => cell,
            };
            row.insert(column.name.clone(), cell);
        }
        let comma = if std::mem::take(&mut is_first) { "" } else { "," };
        put(out, &format!("{comma}\n{}", Json::Object(row)))
    };
    db.stream(statement, &mut write).await
}

/// What is told of a column of the audit trail.
fn noted<'a>(column: &str, text: &'a str) -> &'a str {
    match column {
        "note" => audit::note_words(text),
        "subject" => match text.split_once(' ') {
            Some((what, _)) if !KNOWN_BY_ID.contains(&what) => what,
            _ => text,
        },
        _ => text,
    }
}

/// The table whose ids a column has, also by way of one that has them itself.
fn origin<'a>(table: &'a Table, column: &Column, tables: &Tables<'a>) -> &'a str {
    let target = column.targets.iter().find(|target| target.place == 1);
    let other = target.and_then(|target| {
        let other = tables.get(target.table.as_str()).copied()?;
        Some((other, other.columns.iter().find(|column| column.name == target.column)?))
    });
    other.map_or(table.name.as_str(), |(other, column)| origin(other, column, tables))
}

/// What the rows of a table are called, by their ids.
async fn names(
    db: &Snapshot,
    table: &'static str,
    ids: &BTreeSet<i64>,
) -> Result<serde_json::Map<String, Json>, Error> {
    let (all, mut found): (Vec<_>, _) = (ids.iter().copied().collect(), serde_json::Map::new());
    for ids in all.chunks(AT_ONCE) {
        let mut select = Query::select();
        select.columns(["id", "name"]).from(table);
        select.and_where(Expr::col("id").is_in(ids.iter().copied()));
        for row in db.connection().query_all(&select).await? {
            let (id, name): (i64, String) = row.try_get_many_by_index()?;
            found.insert(id.to_string(), name.into());
        }
    }
    Ok(found)
}

fn put(out: &mut impl Write, text: &str) -> Result<(), Error> {
    out.write_all(text.as_bytes()).map_err(Error::unreadable)
}
