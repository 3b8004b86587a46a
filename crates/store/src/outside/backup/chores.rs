//! What one of several servers does at a time: who has claimed it has it until a time, which it puts off for
//! as long as it is at it.

use crate::{
    base::prelude::*,
    entity::chore::{self, Column, Entity},
};

/// Something that one server does at a time. Its number is never that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chore {
    Backup,
    RestoreDrill,
}

impl Chore {
    const fn id(self) -> i32 {
        match self {
            Self::Backup => 1,
            Self::RestoreDrill => 2,
        }
    }
}

/// Claims a chore until a time; false if another server has it. A claim that ends more than twice as late as
/// this one would is of a clock that was wrong, and holds nobody up.
pub async fn claim(
    tx: &Tx,
    chore: Chore,
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<bool, Error> {
    let row = chore::ActiveModel { id: Set(chore.id()), claimed_until: Set(now) };
    let known = OnConflict::column(Column::Id).do_nothing().to_owned();
    sql::run(tx, Entity::insert(row).on_conflict(known)).await?;
    let absurd = until + (until - now);
    let is_free = Column::ClaimedUntil.lte(now).or(Column::ClaimedUntil.gt(absurd));
    set(tx, chore, is_free, until).await
}

/// Puts the end of a claim off; false if another server has the chore by now.
pub async fn put_off(
    tx: &Tx,
    chore: Chore,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<bool, Error> {
    set(tx, chore, Column::ClaimedUntil.eq(from), until).await
}

async fn set(tx: &Tx, chore: Chore, condition: Expr, until: DateTime<Utc>) -> Result<bool, Error> {
    let set = Entity::update_many()
        .col_expr(Column::ClaimedUntil, until.into())
        .filter(Column::Id.eq(chore.id()))
        .filter(condition);
    Ok(sql::run(tx, set).await? == 1)
}
