//! Whose slot it is: comparing takes memory and time. A slot is taken when the files are there, so
//! that nobody who sends slowly has one.

use std::time::{Duration, Instant};

use domain::{Actor, ImportProblem};

use super::{Compared, ComparingOptions, compare_within};
use crate::{
    Error, Result, Services,
    base::access::concurrency,
    document::reading::{Source, TimeLimit},
};

/// How many comparisons go on at the same time.
pub(crate) const AT_ONCE: usize = 2;

/// How long a comparison may take, from the first byte that is read.
const MAX_TIME: Duration = Duration::from_secs(20);

/// How long intervals may take of that; those that are not there by then are left out.
const MAX_TIME_OF_INTERVALS: Duration = Duration::from_secs(15);

/// How long somebody waits for a slot: longer than a comparison takes, so that two people cannot
/// keep a third from theirs.
pub(crate) const MAX_WAIT: Duration = Duration::from_secs(30);

const _: () = assert!(MAX_TIME.as_secs() < MAX_WAIT.as_secs(), "whoever waits gets a slot");

/// The right to compare once.
#[derive(Debug)]
pub struct ComparisonSlot {
    _slot: concurrency::Slot,
}

/// Waits for a slot; refuses if it takes too long. Everybody with an account may compare files:
/// nothing is stored, and nothing that is stored is read. What files can be made to cost is bounded
/// too loosely for strangers.
pub async fn wait_for_slot(services: &Services, actor: &Actor) -> Result<ComparisonSlot> {
    Ok(ComparisonSlot { _slot: services.comparisons.acquire(actor.person()?.id).await? })
}

/// Compares files and makes something of it, on a thread that may block. It ends soon after nobody
/// waits for it any more, or after 20 seconds, and the slot with it. The inner error is what is wrong
/// with the files. `make` is given the time until which intervals may be computed.
pub async fn run<T: Send + 'static>(
    slot: ComparisonSlot,
    files: Vec<impl Source + 'static>,
    options: ComparingOptions,
    make: impl FnOnce(Compared, Instant) -> T + Send + 'static,
) -> Result<Result<T, Vec<ImportProblem>>> {
    let limit = TimeLimit::of(MAX_TIME);
    let _cancels = limit.cancel_on_drop();
    let work = move || {
        let until = Instant::now() + MAX_TIME_OF_INTERVALS;
        let outcome = compare_within(files, options, limit).map(|compared| make(compared, until));
        drop(slot);
        outcome
    };
    tokio::task::spawn_blocking(work).await.map_err(Error::broken)
}
