//! Statements over many rows, cut where the engines' limits on parameters ask for it.

use std::iter;

use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, Iterable, QueryTrait,
    sea_query::{
        Asterisk, Expr, ExprTrait, IntoColumnRef, OnConflict, Query, SimpleExpr, ValueTuple,
    },
};

use crate::{
    Db, Error, Tx,
    base::sql::{self, Stored},
};

/// The most parameters of one statement.
const SQLITE_PARAMETERS: usize = 32_766;
const POSTGRES_PARAMETERS: usize = 65_535;

/// How many rows of `columns` parameters each fit into one statement, beside `others`.
pub(crate) fn rows_per_statement(db: &impl Db, columns: usize, others: usize) -> usize {
    (parameters(db.connection().get_database_backend()) - others) / columns
}

/// How many parameters a statement may have.
pub(crate) fn parameters(engine: DbBackend) -> usize {
    match engine {
        DbBackend::Postgres => POSTGRES_PARAMETERS,
        _ => SQLITE_PARAMETERS,
    }
}

/// Inserts rows with as few statements as possible.
pub(crate) async fn insert<A>(tx: &Tx, rows: Vec<A>) -> Result<(), Error>
where
    A: ActiveModelTrait + Send,
{
    for piece in pieces(tx, rows) {
        sql::run(tx, A::Entity::insert_many(piece)).await?;
    }
    Ok(())
}

/// The same, and what is to become of rows that are there.
pub(crate) async fn insert_or<A>(tx: &Tx, rows: Vec<A>, existing: OnConflict) -> Result<(), Error>
where
    A: ActiveModelTrait + Send,
{
    for piece in pieces(tx, rows) {
        sql::run(tx, A::Entity::insert_many(piece).on_conflict(existing.clone())).await?;
    }
    Ok(())
}

/// Into pieces that a statement each can insert.
fn pieces<A: ActiveModelTrait>(tx: &Tx, rows: Vec<A>) -> impl Iterator<Item = Vec<A>> {
    let columns = <A::Entity as EntityTrait>::Column::iter().count();
    let size = rows_per_statement(tx, columns, 0);
    let mut rows = rows.into_iter();
    iter::from_fn(move || {
        let piece: Vec<_> = rows.by_ref().take(size).collect();
        (!piece.is_empty()).then_some(piece)
    })
}

/// How many rows the statements of a long import have, but for its ends: few sizes, so that an engine
/// meets the same statements again and again instead of keeping many long ones.
const STEADY: [usize; 2] = [512, 64];

/// Inserts rows in statements of a few sizes only.
pub(crate) async fn insert_steadily<A>(tx: &Tx, rows: Vec<A>) -> Result<(), Error>
where
    A: ActiveModelTrait + Send,
{
    for piece in steadily(rows) {
        sql::run(tx, A::Entity::insert_many(piece)).await?;
    }
    Ok(())
}

/// The same, and says which ids the rows have, in their order.
pub(crate) async fn insert_for_ids<A, Id>(
    tx: &Tx,
    rows: Vec<A>,
    id: <A::Entity as EntityTrait>::Column,
) -> Result<Vec<Id>, Error>
where
    A: ActiveModelTrait + Send,
    Id: Stored + Ord,
{
    let mut ids = Vec::with_capacity(rows.len());
    for piece in steadily(rows) {
        let mut insert = A::Entity::insert_many(piece);
        insert.query().returning_col(id);
        let mut returned = sql::all(tx, insert).await?;
        // Ids are given out in the order of the rows, but come back in any order.
        returned.sort_unstable();
        ids.append(&mut returned);
    }
    Ok(ids)
}

/// Into pieces of a few sizes.
fn steadily<T>(rows: Vec<T>) -> Vec<Vec<T>> {
    let (mut left, mut rows) = (rows.len(), rows.into_iter());
    let mut pieces = Vec::new();
    while left > 0 {
        let size = STEADY.into_iter().find(|size| *size <= left).unwrap_or(left);
        pieces.push(rows.by_ref().take(size).collect());
        left -= size;
    }
    pieces
}

/// The condition that the columns of a row are one of the tuples.
pub(crate) fn among<C, const N: usize>(
    columns: [C; N],
    tuples: impl IntoIterator<Item = impl Into<ValueTuple>>,
) -> SimpleExpr
where
    C: ColumnTrait + IntoColumnRef,
{
    // SQLite takes a list of tuples only in this form; PostgreSQL takes it, too.
    let tuples = Query::select().column(Asterisk).from_values(tuples, "wanted").take();
    Expr::tuple(columns.map(Expr::col)).in_subquery(tuples)
}
