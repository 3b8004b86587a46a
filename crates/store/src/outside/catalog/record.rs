//! A row of any table, the same whichever engine it comes from, to the bit.

use chrono::{DateTime, NaiveDate, Timelike, Utc};
use sea_orm::{
    DbBackend, DbErr, QueryResult, TryGetError, TryGetable, Value,
    sea_query::{Expr, Order, Query, SelectStatement},
};

use super::{Column, Kind, Table};
use crate::base::sql::Whole;

/// What stands in a column.
#[derive(Clone, Debug)]
enum Cell {
    Nothing(Kind),
    Integer(i64),
    Truth(bool),
    Float(f64),
    Text(String),
    Time(DateTime<Utc>),
    Day(NaiveDate),
    Bytes(Vec<u8>),
}

/// A row, or a part of it: what stands in columns, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Record(Vec<Cell>);

/// What cannot be read of a row.
#[derive(Clone, Debug)]
pub(crate) struct Unreadable {
    /// The table and the column.
    pub(crate) place: String,
    /// The primary key, as far as it can be read.
    pub(crate) row: String,
    pub(crate) why: String,
}

/// Reads all rows of a table in the order of their primary keys, which is the same on both engines.
pub(crate) fn select(table: &Table, engine: DbBackend) -> SelectStatement {
    let mut select = Query::select();
    select.columns(table.columns.iter().map(|column| column.name.clone()));
    select.from(table.name.clone());
    for column in table.key() {
        let name = Expr::col(column.name.clone());
        // Texts by their bytes: PostgreSQL would order them by a language.
        let by = if engine == DbBackend::Postgres && column.kind == Kind::Text {
            Expr::cust_with_expr("$1 COLLATE \"C\"", name)
        } else {
            name
        };
        select.order_by_expr(by, Order::Asc);
    }
    select
}

impl Record {
    /// Reads a row that has these columns.
    pub(crate) fn read<'a>(
        columns: impl IntoIterator<Item = &'a Column>,
        row: &QueryResult,
    ) -> Result<Self, DbErr> {
        let cells = columns.into_iter().enumerate();
        let cells = cells.map(|(place, column)| Cell::read(row, place, column.kind));
        Ok(Self(cells.collect::<Result<_, _>>()?))
    }

    /// Reads a row that has all columns of a table.
    pub(crate) fn of(table: &Table, row: &QueryResult) -> Result<Self, Unreadable> {
        let read = |place, column: &Column| Cell::read(row, place, column.kind);
        let cells = table.columns.iter().enumerate().map(|(place, column)| {
            read(place, column).map_err(|error| Unreadable {
                place: format!("{}.{}", table.name, column.name),
                row: shown_key(table, |place, column| read(place, column).ok()),
                why: DbErr::from(error).to_string(),
            })
        });
        cells.collect::<Result<_, _>>().map(Self)
    }

    /// The first column that an engine would not keep as it is, and why.
    pub(crate) fn misfit<'a>(
        &self,
        table: &'a Table,
        engine: DbBackend,
    ) -> Option<(&'a str, &'static str)> {
        let mut cells = table.columns.iter().zip(&self.0);
        cells.find_map(|(column, cell)| Some((column.name.as_str(), cell.misfit(engine)?)))
    }

    /// Its primary key, for people.
    pub(crate) fn key(&self, table: &Table) -> String {
        shown_key(table, |place, _| self.0.get(place).cloned())
    }

    /// The same bytes for the same row, and others for any other.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.weight());
        for cell in &self.0 {
            cell.write(&mut bytes);
        }
        bytes
    }

    /// About how many bytes it takes.
    pub(crate) fn weight(&self) -> usize {
        let weight = |cell: &Cell| match cell {
            Cell::Text(text) => 9 + text.len(),
            Cell::Bytes(bytes) => 9 + bytes.len(),
            _ => 13,
        };
        self.0.iter().map(weight).sum()
    }

    /// As values of JSON; bytes in hexadecimal digits.
    pub(crate) fn json(self) -> impl Iterator<Item = serde_json::Value> {
        self.0.into_iter().map(Cell::json)
    }

    /// To be bound to the parameters of a statement.
    pub(crate) fn values(self) -> impl Iterator<Item = Expr> {
        self.0.into_iter().map(|cell| Expr::val(cell.value()))
    }
}

/// A primary key, for people, of the cells that there are of it.
fn shown_key(table: &Table, cell: impl Fn(usize, &Column) -> Option<Cell>) -> String {
    let mut key: Vec<_> = table.columns.iter().enumerate().collect();
    key.retain(|(_, column)| column.key.is_some());
    key.sort_by_key(|(_, column)| column.key);
    let shown = |(place, column): (usize, &Column)| {
        cell(place, column).map_or_else(|| "?".to_owned(), |it| it.shown())
    };
    key.into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

impl Cell {
    fn read(row: &QueryResult, place: usize, kind: Kind) -> Result<Self, TryGetError> {
        let read = match kind {
            Kind::Integer => get(row, place)?.map(|Whole(whole)| Self::Integer(whole)),
            Kind::Truth => get(row, place)?.map(Self::Truth),
            Kind::Float => get(row, place)?.map(Self::Float),
            Kind::Text => get(row, place)?.map(Self::Text),
            Kind::Time => get(row, place)?.map(Self::Time),
            Kind::Day => get(row, place)?.map(Self::Day),
            Kind::Bytes => get(row, place)?.map(Self::Bytes),
        };
        Ok(read.unwrap_or(Self::Nothing(kind)))
    }

    /// Why an engine would not keep it as it is, if so.
    fn misfit(&self, engine: DbBackend) -> Option<&'static str> {
        match (engine, self) {
            (DbBackend::Postgres, Self::Text(text)) if text.contains('\0') => {
                Some("has a NUL, which PostgreSQL does not take")
            }
            (DbBackend::Postgres, Self::Time(time)) if time.nanosecond() % 1000 > 0 => {
                Some("is finer than the microseconds of PostgreSQL")
            }
            (DbBackend::Sqlite, Self::Float(float))
                if float.is_nan() || float.to_bits() == (-0.0_f64).to_bits() =>
            {
                Some("is NaN or -0, which SQLite does not keep")
            }
            _ => None,
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Nothing(_) => String::new(),
            Self::Integer(whole) => whole.to_string(),
            Self::Truth(truth) => truth.to_string(),
            Self::Float(float) => float.to_string(),
            Self::Text(text) => text.clone(),
            Self::Time(time) => time.to_string(),
            Self::Day(day) => day.to_string(),
            Self::Bytes(bytes) => format!("{} bytes", bytes.len()),
        }
    }

    /// A byte for what it is, and what it says; texts and bytes after their length.
    fn write(&self, out: &mut Vec<u8>) {
        let mut put = |kind: u8, parts: &[&[u8]]| {
            out.push(kind);
            for part in parts {
                out.extend_from_slice(part);
            }
        };
        match self {
            Self::Nothing(_) => put(0, &[]),
            Self::Integer(whole) => put(1, &[&whole.to_be_bytes()]),
            Self::Truth(truth) => put(2, &[&[u8::from(*truth)]]),
            Self::Float(float) => put(3, &[&float.to_bits().to_be_bytes()]),
            Self::Text(text) => put(4, &[&text.len().to_be_bytes(), text.as_bytes()]),
            Self::Time(time) => {
                put(5, &[&time.timestamp().to_be_bytes(), &time.nanosecond().to_be_bytes()]);
            }
            Self::Day(day) => put(6, &[day.to_string().as_bytes()]),
            Self::Bytes(bytes) => put(7, &[&bytes.len().to_be_bytes(), bytes]),
        }
    }

    fn json(self) -> serde_json::Value {
        match self {
            Self::Nothing(_) => serde_json::Value::Null,
            Self::Integer(whole) => whole.into(),
            Self::Truth(truth) => truth.into(),
            Self::Float(float) => float.into(),
            Self::Text(text) => text.into(),
            Self::Time(time) => time.to_rfc3339().into(),
            Self::Day(day) => day.to_string().into(),
            Self::Bytes(bytes) => {
                let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
                digits.collect::<String>().into()
            }
        }
    }

    fn value(self) -> Value {
        match self {
            Self::Nothing(Kind::Integer) => Value::BigInt(None),
            Self::Nothing(Kind::Truth) => Value::Bool(None),
            Self::Nothing(Kind::Float) => Value::Double(None),
            Self::Nothing(Kind::Text) => Value::String(None),
            Self::Nothing(Kind::Time) => Value::ChronoDateTimeUtc(None),
            Self::Nothing(Kind::Day) => Value::ChronoDate(None),
            Self::Nothing(Kind::Bytes) => Value::Bytes(None),
            Self::Integer(whole) => whole.into(),
            Self::Truth(truth) => truth.into(),
            Self::Float(float) => float.into(),
            Self::Text(text) => text.into(),
            Self::Time(time) => time.into(),
            Self::Day(day) => day.into(),
            Self::Bytes(bytes) => bytes.into(),
        }
    }
}

fn get<T: TryGetable>(row: &QueryResult, place: usize) -> Result<Option<T>, TryGetError> {
    Option::try_get_by_index(row, place)
}
