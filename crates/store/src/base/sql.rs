//! Runs statements and reads rows as what the domain has for them.
//!
//! Statements are the builder's. SQL stands where entities have no words for it (recursion, windows,
//! inserts from a select, tables under two names) or where the builder would spell the same with every
//! name a string: aggregates over joins, and conditions that are one text in several queries. Both
//! engines understand `$1`, `$2` for parameters and the SQL in this crate.

use std::{collections::HashMap, hash::Hash, str::FromStr};

use chrono::{DateTime, NaiveDate, Utc};
use domain::{LabelId, Page, Range, SearchQuery, Span};
use sea_orm::{
    ActiveModelTrait, ColIdx, ConnectionTrait, EntityTrait, IntoActiveModel, JoinType,
    PrimaryKeyTrait, QueryResult, QuerySelect, QueryTrait, Select, Statement, TryGetError,
    TryGetable, Value,
};
use serde::{Serialize, de::DeserializeOwned};

use crate::{Db, Error, Neighbours, Tx, base::db::Connected};

/// A value of the domain, as a column holds it.
pub(crate) trait Stored: Sized {
    /// What the engines have for it.
    type Raw: TryGetable;

    fn read(raw: Self::Raw) -> Result<Self, Error>;
}

impl<T: Stored> Stored for Option<T> {
    type Raw = Option<T::Raw>;

    fn read(raw: Self::Raw) -> Result<Self, Error> {
        raw.map(T::read).transpose()
    }
}

/// Says of types how they are read from what the engines have for them.
macro_rules! stored {
    ($raw:ty: $read:expr; $($name:ty),+ $(,)?) => {$(
        impl Stored for $name {
            type Raw = $raw;

            fn read(raw: Self::Raw) -> Result<Self, Error> {
                $read(raw)
            }
        }
    )+};
    ($($name:ty),+ $(,)?) => { $(stored! { $name: Ok; $name })+ };
}

stored! { String, bool, i32, i64, f64, DateTime<Utc>, NaiveDate, Vec<u8> }

stored! {
    i64: |raw: i64| raw.try_into().map_err(|_| Error::unreadable("an answer"));
    domain::Answer,
}

stored! { Whole: |raw: Whole| integer(raw.0); u16, u32, u64, usize }

stored! {
    String: |raw: String| word(&raw);
    domain::AlertSubject, domain::Documents, domain::FlagKind, domain::FlagReason,
    domain::ImportState, domain::MailKind, domain::MailOutcome, domain::Measure, domain::PolicyChoice, domain::ReleaseLevel, domain::Role,
    domain::TargetBasis, domain::Verdict, domain::VersionKind, domain::WebhookEvent, domain::WorkState,
}

/// Says of the domain's ids that they are read from numbers.
macro_rules! ids {
    ($($name:ident),+ $(,)?) => {
        $(stored! { i64: |raw| Ok(domain::$name(raw)); domain::$name })+
    };
}

ids! {
    ActId, AlertId, AlertRuleId, ApiTokenId, AssignmentId, AttributeId, CommentThreadId, DeliveryId,
    DirectoryGroupId, DirectoryId, DocumentId, IdentityId, ImportId, InvitationId, LabelId, MailId, MemberId, ModelId, PasskeyId, ProjectId,
    RepeatBatchId, RepeatId, ReviewId, Revision, RoundId, SecondReviewId, UserId, WebhookId, WorkloadBatchId,
}

/// What is kept as JSON.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned> Stored for Json<T> {
    type Raw = String;

    fn read(raw: String) -> Result<Self, Error> {
        serde_json::from_str(&raw).map(Self).map_err(Error::unreadable)
    }
}

/// As JSON, to be kept.
pub(crate) fn json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(Error::unreadable)
}

/// A whole number, of columns that are narrow in PostgreSQL, too.
pub(crate) struct Whole(pub(crate) i64);

impl TryGetable for Whole {
    fn try_get_by<I: ColIdx>(row: &QueryResult, column: I) -> Result<Self, TryGetError> {
        let narrow = |_| i32::try_get_by(row, column).map(i64::from);
        i64::try_get_by(row, column).or_else(narrow).map(Self)
    }
}

/// A row of an answer.
pub(crate) struct Row<'a>(&'a QueryResult);

impl Row<'_> {
    /// The value of a column, by its name or its place.
    pub(crate) fn get<T: Stored>(&self, column: impl ColIdx) -> Result<T, Error> {
        T::read(T::Raw::try_get_by(self.0, column).map_err(sea_orm::DbErr::from)?)
    }

    /// The day of a time, if there is one.
    pub(crate) fn day(&self, column: &str) -> Result<Option<NaiveDate>, Error> {
        Ok(self.get::<Option<DateTime<Utc>>>(column)?.map(|at| at.date_naive()))
    }

    /// What is read from columns of the same row.
    pub(crate) fn part<T: FromRow>(&self) -> Result<T, Error> {
        T::from_row(self)
    }
}

/// What a row is read as: a struct by the names of the columns, a tuple by their places.
pub(crate) trait FromRow: Sized {
    fn from_row(row: &Row<'_>) -> Result<Self, Error>;
}

impl<T: Stored> FromRow for T {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        row.get(0)
    }
}

macro_rules! tuples {
    ($(($($name:ident $place:literal),+))+) => {$(
        impl<$($name: Stored),+> FromRow for ($($name,)+) {
            fn from_row(row: &Row<'_>) -> Result<Self, Error> {
                Ok(($(row.get::<$name>($place)?,)+))
            }
        }
    )+};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
}

impl FromRow for Range {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self::new(row.get("start_at")?, row.get("end_at")?))
    }
}

impl FromRow for Span {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self { range: row.part()?, label: row.get("label_id")? })
    }
}

/// Reads the fields of structs from the columns of the same name, or as is said after a colon: from a
/// column of another name, from several columns of the row (`(part)`, or `(part_if_any column)` where that one may be missing), from JSON (`(json)`, or
/// `(json_if_any)` where it may be missing), from whether there is a time (`(is_some column)`) or a one
/// (`(is_true column)`), from two columns that are both there (`(both one other)`), as the day of a time
/// (`(day column)`), empty where it is missing (`(or_none)`), or empty at first (`(none)`).
macro_rules! read_by_columns {
    ($($name:ident $(<$of:ident>)? { $($field:ident $(: $how:tt)?),+ $(,)? })+) => {$(
        impl $(<$of: $crate::base::sql::Stored>)? $crate::base::sql::FromRow for $name $(<$of>)? {
            fn from_row(row: &$crate::base::sql::Row<'_>) -> Result<Self, $crate::Error> {
                Ok(Self { $($field: $crate::base::sql::read_by_columns!(@ row $field $($how)?)),+ })
            }
        }
    )+};
    (@ $row:ident $field:ident) => { $row.get(stringify!($field))? };
    (@ $row:ident $field:ident $column:ident) => { $row.get(stringify!($column))? };
    (@ $row:ident $field:ident (part)) => { $row.part()? };
    (@ $row:ident $field:ident (part_if_any $column:ident)) => {
        $row.get::<Option<u64>>(stringify!($column))?.map(|_| $row.part()).transpose()?
    };
    (@ $row:ident $field:ident (json)) => {
        $row.get::<$crate::base::sql::Json<_>>(stringify!($field))?.0
    };
    (@ $row:ident $field:ident (json_if_any)) => {
        $row.get::<Option<$crate::base::sql::Json<_>>>(stringify!($field))?.map(|json| json.0)
    };
    (@ $row:ident $field:ident (or_none)) => {
        $row.get::<Option<_>>(stringify!($field))?.unwrap_or_default()
    };
    (@ $row:ident $field:ident (is_some $column:ident)) => {
        $row.get::<Option<chrono::DateTime<chrono::Utc>>>(stringify!($column))?.is_some()
    };
    (@ $row:ident $field:ident (is_true $column:ident)) => {
        $row.get::<i32>(stringify!($column))? != 0
    };
    (@ $row:ident $field:ident (both $one:ident $other:ident)) => {
        $row.get::<Option<_>>(stringify!($one))?.zip($row.get(stringify!($other))?)
    };
    (@ $row:ident $field:ident (day $column:ident)) => { $row.day(stringify!($column))? };
    (@ $row:ident $field:ident (none)) => { Default::default() };
}

pub(crate) use read_by_columns;

read_by_columns! { Neighbours<Id> { previous: previous_id, next: next_id, place, places } }

/// Joins the rows that columns name by their ids.
pub(crate) trait Joined<E: EntityTrait> {
    /// Every row with the one that a column names.
    fn joined<R: EntityTrait>(self, column: E::Column, with: R, id: R::Column) -> Self;

    /// The same, also of rows that name none.
    fn joined_if_any<R: EntityTrait>(self, column: E::Column, with: R, id: R::Column) -> Self;
}

impl<E: EntityTrait> Joined<E> for Select<E> {
    fn joined<R: EntityTrait>(self, column: E::Column, with: R, id: R::Column) -> Self {
        self.join(JoinType::InnerJoin, E::belongs_to(with).from(column).to(id).into())
    }

    fn joined_if_any<R: EntityTrait>(self, column: E::Column, with: R, id: R::Column) -> Self {
        self.join(JoinType::LeftJoin, E::belongs_to(with).from(column).to(id).into())
    }
}

/// All rows of the answer to a query of the builder.
pub(crate) async fn all<T: FromRow>(db: &impl Db, query: impl QueryTrait) -> Result<Vec<T>, Error> {
    let statement = query.build(db.connection().get_database_backend());
    read_all(&db.connection().query_all_raw(statement).await?)
}

/// The first row of the answer, if there is one.
pub(crate) async fn one<T: FromRow>(
    db: &impl Db,
    query: impl QueryTrait,
) -> Result<Option<T>, Error> {
    let statement = query.build(db.connection().get_database_backend());
    read_one(db.connection().query_one_raw(statement).await?)
}

/// Runs a statement of the builder that changes rows and says how many.
pub(crate) async fn run(tx: &Tx, query: impl QueryTrait) -> Result<u64, Error> {
    let statement = query.build(tx.connection().get_database_backend());
    Ok(tx.connection().execute_raw(statement).await?.rows_affected())
}

/// Inserts a row and says which id it has.
pub(crate) async fn insert<A, Id>(tx: &Tx, row: A) -> Result<Id, Error>
where
    A: ActiveModelTrait,
    <A::Entity as EntityTrait>::Model: IntoActiveModel<A>,
    <<A::Entity as EntityTrait>::PrimaryKey as PrimaryKeyTrait>::ValueType: Into<Id::Raw>,
    Id: Stored,
{
    let inserted = A::Entity::insert(row).exec(tx.connection()).await?;
    Id::read(inserted.last_insert_id.into())
}

/// All rows of the answer to a query in SQL.
pub(crate) async fn rows<T: FromRow>(
    db: &impl Db,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<T>, Error> {
    read_all(&db.connection().query_all_raw(statement(db, sql, values)).await?)
}

/// Takes the rows of the answer to a query in SQL one after the other: for answers of a size that nobody
/// wants in memory twice.
pub(crate) async fn each<T: FromRow>(
    db: &impl Db,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
    mut take: impl FnMut(T) + Send,
) -> Result<(), Error> {
    let mut read = |row| T::from_row(&Row(&row)).map(&mut take);
    db.stream(statement(db, sql, values), &mut read).await
}

/// The first row of the answer to a query in SQL, if there is one.
pub(crate) async fn row<T: FromRow>(
    db: &impl Db,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Option<T>, Error> {
    read_one(db.connection().query_one_raw(statement(db, sql, values)).await?)
}

/// Runs a statement in SQL that changes rows and says how many.
pub(crate) async fn execute(
    tx: &Tx,
    sql: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<u64, Error> {
    Ok(tx.connection().execute_raw(statement(tx, sql, values)).await?.rows_affected())
}

fn statement(db: &impl Db, sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(db.connection().get_database_backend(), sql, values)
}

fn read_all<T: FromRow>(rows: &[QueryResult]) -> Result<Vec<T>, Error> {
    rows.iter().map(|row| T::from_row(&Row(row))).collect()
}

fn read_one<T: FromRow>(row: Option<QueryResult>) -> Result<Option<T>, Error> {
    row.map(|row| T::from_row(&Row(&row))).transpose()
}

/// What was read of spans by whose they are: the owner, where it starts and ends, its label.
pub(crate) type OwnedSpan<Id> = (Id, u32, u32, LabelId);

/// Spans by whose they are, each in the order of the rows.
pub(crate) fn grouped<Id: Eq + Hash>(rows: Vec<OwnedSpan<Id>>) -> HashMap<Id, Vec<Span>> {
    let mut spans: HashMap<_, Vec<_>> = HashMap::new();
    for (owner, start, end, label) in rows {
        spans.entry(owner).or_default().push(Span { range: Range::new(start, end), label });
    }
    spans
}

/// A word of the domain that is stored by name.
pub(crate) fn word<T: FromStr<Err = domain::Error>>(name: &str) -> Result<T, Error> {
    name.parse().map_err(Error::unreadable)
}

/// A number that the domain knows to be smaller, or not negative.
pub(crate) fn integer<T: TryFrom<i64>>(number: i64) -> Result<T, Error> {
    T::try_from(number).map_err(|_| Error::unreadable(format!("number {number}")))
}

/// A count as both engines take it: signed.
pub(crate) fn signed(number: impl TryInto<i64>) -> i64 {
    domain::saturating(number)
}

/// Reads a page of what somebody searches a table for, by name: `select` up to its condition, and the
/// condition on the pattern, `$1`.
pub(crate) async fn search<T: FromRow>(
    db: &impl Db,
    query: &SearchQuery,
    (table, select, found): (&str, &str, &str),
) -> Result<Page<T>, Error> {
    // SQL: what is searched is a text of its own for each table.
    let pattern = || Value::from(containing(&query.search.to_lowercase()));
    let count = format!("SELECT COUNT(*) FROM {table} WHERE {found}");
    let total = row(db, &count, [pattern()]).await?.unwrap_or_default();
    let page =
        format!("{select} WHERE {found} ORDER BY {table}.name, {table}.id LIMIT $2 OFFSET $3");
    let offset = signed(query.page.saturating_mul(FOUND));
    let rows = rows(db, &page, [pattern(), signed(FOUND).into(), offset.into()]).await?;
    Ok(Page { rows, total, number: query.page, size: FOUND })
}

/// How many rows of a search stand on a page.
const FOUND: u64 = 50;

/// The pattern, for `LIKE $1 ESCAPE '!'`, of whatever contains this text.
pub(crate) fn containing(text: &str) -> String {
    let escaped = text.replace('!', "!!").replace('%', "!%").replace('_', "!_");
    format!("%{escaped}%")
}

/// The parameters `$1` to `$n`, to stand in brackets after `IN`.
pub(crate) fn placeholders(n: usize) -> String {
    placeholders_from(1, n)
}

/// `n` parameters, the first of which has this number.
pub(crate) fn placeholders_from(first: usize, n: usize) -> String {
    (first..first + n).map(|number| format!("${number}")).collect::<Vec<_>>().join(", ")
}
