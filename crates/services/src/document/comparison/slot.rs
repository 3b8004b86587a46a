//! Whose slot it is: comparing takes memory and time. A slot is taken when the files are there, so
//! that nobody who sends slowly has one.

use std::time::{Duration, Instant};

use domain::{Actor, ImportProblem};

use super::{Compared, ComparingOptions, compare};
use crate::{Error, Result, Services, base::access::concurrency, document::reading::Source};

/// How many comparisons go on at the same time.
pub(crate) const AT_ONCE: usize = 2;

/// How long intervals may take; what is not there by then is left out.
const COMPUTING: Duration = Duration::from_secs(15);

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

/// Compares files and makes something of it, on a thread that may block; the slot ends when that
/// is done, whether anybody still waits for it or not. The inner error is what is wrong with the
/// files. `make` is given the time until which intervals may be computed.
pub async fn run<T: Send + 'static>(
    slot: ComparisonSlot,
    files: Vec<impl Source + 'static>,
    options: ComparingOptions,
    make: impl FnOnce(Compared, Instant) -> T + Send + 'static,
) -> Result<Result<T, Vec<ImportProblem>>> {
    let work = move || {
        let until = Instant::now() + COMPUTING;
        let outcome = compare(files, options).map(|compared| make(compared, until));
        drop(slot);
        outcome
    };
    tokio::task::spawn_blocking(work).await.map_err(Error::broken)
}
