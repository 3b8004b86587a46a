//! A whole database into an empty one, of the same engine or of the other: table by table as the schema has
//! them, then compared row by row.
//!
//! While it is filled, the destination has a migration that no version knows: so no server works on it until
//! everything is there and was compared, whatever breaks meanwhile, and the next move begins anew.

mod comparing;
mod destination;
mod filling;
mod progress;
mod source;
mod statements;
mod unmoved;

use sea_orm::TransactionTrait;

use self::{progress::Report, source::Source};
pub use self::{
    progress::{MovedTable, Progress, Stage},
    unmoved::Unmoved,
};
use crate::base::{
    connection::{
        connect::{connect_to_look, connect_to_write},
        transaction::{begin_write, commit},
    },
    migrating,
};

/// Moves the database of one address into the empty one of another. The first stays as it is, and nobody
/// writes into it meanwhile.
pub async fn move_all(
    from: &str,
    to: &str,
    report: Report<'_>,
) -> Result<Vec<MovedTable>, Unmoved> {
    let source = Source::open(from).await?;
    let (destination, name) = destination::prepare(to, &source.tables).await?;
    let tx = begin_write(&destination).await?;
    if !migrating::hold_moving(&tx, &name).await? {
        return Err(Unmoved::Overtaken);
    }
    for (table, rows) in &source.tables {
        filling::fill(&tx, &source.tx, (table, *rows), report).await?;
    }
    commit(tx).await?;
    destination.close().await?;
    let moved = compare_all(&source, to, report).await?;
    source.refuse_servers().await?;
    let destination = connect_to_write(to).await?;
    let has_ended = migrating::end_moving(&destination, &name).await?;
    destination.close().await?;
    if !has_ended {
        return Err(Unmoved::Overtaken);
    }
    source.close().await?;
    Ok(moved)
}

/// Compares everything, by a connection that has written nothing of it.
async fn compare_all(
    source: &Source,
    to: &str,
    report: Report<'_>,
) -> Result<Vec<MovedTable>, Unmoved> {
    let destination = connect_to_look(to).await?;
    let tx = destination.begin().await?;
    let (mut same, mut different) = (Vec::new(), Vec::new());
    for (table, rows) in &source.tables {
        match comparing::compare(&tx, &source.tx, (table, *rows), report).await? {
            Ok(table) => same.push(table),
            Err(difference) => different.push(difference),
        }
    }
    tx.rollback().await?;
    destination.close().await?;
    if different.is_empty() { Ok(same) } else { Err(Unmoved::Different(different)) }
}
