//! The shelf of an import: what is to come is put there, and taken away again where it does not come.

use std::time::Instant;

use domain::ImportId;
use store::document::shelf::{self, Shelved};

use super::{ended, parcel::Parcel, rest};
use crate::{Result, Services};

/// How many rows are taken away at once.
const ROWS: u64 = 500;

/// Puts a batch on the shelf.
pub(super) async fn shelve(
    services: &Services,
    import: ImportId,
    batch: &[Shelved<Parcel>],
) -> Result<()> {
    let tx = services.store.begin().await?;
    let since = Instant::now();
    if !store::document::imports::keep_alive(&tx, import, services.clock.now()).await? {
        return Err(ended().into());
    }
    shelf::put(&tx, import, batch).await?;
    tx.commit().await?;
    rest(since).await;
    Ok(())
}

/// Takes everything from the shelf of an import that has ended.
pub(in super::super) async fn clear(services: &Services, import: ImportId) -> Result<()> {
    loop {
        let tx = services.store.begin().await?;
        let since = Instant::now();
        let cleared = shelf::clear(&tx, import, ROWS).await?;
        tx.commit().await?;
        if cleared < ROWS {
            return Ok(());
        }
        rest(since).await;
    }
}
