//! Statements over many rows, cut where the engines' limits on parameters ask for it.

use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, Iterable,
    sea_query::{Asterisk, Expr, ExprTrait, IntoColumnRef, Query, SimpleExpr, ValueTuple},
};

use crate::{Db, Tx, base::db::Connected};

/// The most parameters of one statement.
const SQLITE_PARAMETERS: usize = 32_766;
const POSTGRES_PARAMETERS: usize = 65_535;

/// How many rows of `columns` parameters each fit into one statement, beside `others`.
pub(crate) fn rows_per_statement(db: &impl Db, columns: usize, others: usize) -> usize {
    let parameters = match db.connection().get_database_backend() {
        DbBackend::Postgres => POSTGRES_PARAMETERS,
        _ => SQLITE_PARAMETERS,
    };
    (parameters - others) / columns
}

/// Inserts rows with as few statements as possible.
pub(crate) async fn insert<A>(tx: &Tx, rows: Vec<A>) -> Result<(), DbErr>
where
    A: ActiveModelTrait + Send,
{
    let columns = <A::Entity as EntityTrait>::Column::iter().count();
    let size = rows_per_statement(tx, columns, 0);
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        A::Entity::insert_many(rows.by_ref().take(size))
            .exec_without_returning(tx.connection())
            .await?;
    }
    Ok(())
}

/// How many rows the statements of a long import have, but for its ends: few sizes, so that an engine
/// meets the same statements again and again instead of keeping many long ones.
const STEADY: [usize; 2] = [512, 64];

/// Inserts rows in statements of a few sizes only.
pub(crate) async fn insert_steadily<A>(tx: &Tx, rows: Vec<A>) -> Result<(), DbErr>
where
    A: ActiveModelTrait + Send,
{
    for piece in steadily(rows) {
        A::Entity::insert_many(piece).exec_without_returning(tx.connection()).await?;
    }
    Ok(())
}

/// Into pieces of a few sizes.
pub(crate) fn steadily<T>(rows: Vec<T>) -> Vec<Vec<T>> {
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
