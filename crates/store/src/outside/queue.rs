//! What is tried until it is done: rows that wait in a table, each begun by one process at a time.

use crate::base::prelude::*;

/// A table of what is to be tried.
pub(super) trait Queue: EntityTrait {
    const ID: Self::Column;
    /// How often a row was tried.
    const ATTEMPTS: Self::Column;
    /// When it is tried next; none if it is done or given up.
    const NEXT_AT: Self::Column;
}

/// Begins tries that are over by `until`: those that no other process has begun.
pub(super) async fn claim<Q: Queue, Id: Stored>(
    tx: &Tx,
    ids: impl ExactSizeIterator<Item = i64>,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<Vec<Id>, Error> {
    if ids.len() == 0 {
        return Ok(Vec::new());
    }
    let mut claim = Q::update_many()
        .col_expr(Q::ATTEMPTS, Expr::col(Q::ATTEMPTS).add(1))
        .col_expr(Q::NEXT_AT, until.into())
        .filter(Q::NEXT_AT.lte(now))
        .filter(Q::ID.is_in(ids));
    QueryTrait::query(&mut claim).returning_col(Q::ID);
    sql::all(tx, claim).await
}

/// How many of these rows wait that are due, and since when the first of them.
pub(super) async fn backlog<Q: Queue>(
    db: &impl Db,
    rows: Select<Q>,
    now: DateTime<Utc>,
) -> Result<(u64, Option<DateTime<Utc>>), Error> {
    let waiting = rows
        .select_only()
        .column_as(Q::ID.count(), "count")
        .column_as(Q::NEXT_AT.min(), "first")
        .filter(Q::NEXT_AT.lte(now));
    let found: Option<(i64, Option<DateTime<Utc>>)> = sql::one(db, waiting).await?;
    let (count, first) = found.unwrap_or_default();
    Ok((u64::try_from(count).unwrap_or_default(), first))
}
