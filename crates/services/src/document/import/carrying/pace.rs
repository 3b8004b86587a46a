//! How much an import writes at a time, and how long it rests after that.

use std::time::{Duration, Instant};

/// How much one transaction writes, in spans, about: some 30 ms of the database.
pub(super) const PIECE: i64 = 2_500;

/// Lets others write who wait for the database, for as long as they had to wait. Those of this process have
/// their turn anyway, but those of another find the database free only by chance.
pub(super) async fn rest(since: Instant) {
    const LONGEST: Duration = Duration::from_millis(50);
    tokio::time::sleep(since.elapsed().min(LONGEST)).await;
}
