//! Which database this is: a random number that it keeps, also when it is restored or moved.

use crate::{
    base::prelude::*,
    entity::lineage::{self, Column, Entity},
};

/// The id of the only row.
const ONLY: i32 = 1;

/// The number of the database; the one that is given if it has none yet.
pub async fn find_or_set(tx: &Tx, new: i64) -> Result<i64, Error> {
    let row = lineage::ActiveModel { id: Set(ONLY), value: Set(new) };
    let known = OnConflict::column(Column::Id).do_nothing().to_owned();
    sql::run(tx, Entity::insert(row).on_conflict(known)).await?;
    let found: Option<i64> =
        sql::one(tx, Entity::find_by_id(ONLY).select_only().column(Column::Value)).await?;
    Ok(found.unwrap_or(new))
}
