//! Puts what is to come on the shelf of its import.

use std::time::Instant;

use domain::ImportId;
use store::document::shelf::{self, Shelved};

use super::{ending::ended, pace::rest, parcel::Parcel};
use crate::{Result, Services};

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
