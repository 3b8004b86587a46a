//! Imports that run: how far each has come, and whether it is to stop.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use domain::{Code, Error as Refusal, ImportId, ImportProgress, saturating};

use super::recovery::Watch;
use crate::base::access::concurrency::ConcurrencyLimit;

/// How many imports run at the same time on a server, and how many are looked at beside them.
const AT_ONCE: usize = 2;

/// Whether an import is to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Fate {
    #[default]
    Open,
    Cancelled,
    /// It comes, whatever anybody says.
    Decided,
}

/// An import that runs.
#[derive(Debug, Default)]
pub(crate) struct Job {
    read: AtomicU64,
    stored: AtomicU64,
    all_read: AtomicBool,
    fate: Mutex<Fate>,
}

impl Job {
    pub(super) fn count_read(&self) {
        self.read.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that all was read, and that it is of so many documents.
    pub(super) fn end_reading(&self, documents: usize) {
        self.read.store(saturating(documents), Ordering::Relaxed);
        self.all_read.store(true, Ordering::Relaxed);
    }

    /// Notes how many documents are stored now.
    pub(super) fn note_stored(&self, documents: u64) {
        self.stored.store(documents, Ordering::Relaxed);
    }

    /// Stops it; false if it is decided already.
    pub(super) fn cancel(&self) -> bool {
        self.turn(Fate::Cancelled)
    }

    /// Has it come, and counts anew what is stored; refuses what was cancelled.
    pub(super) fn decide(&self) -> Result<(), Refusal> {
        if !self.turn(Fate::Decided) {
            return Err(cancelled());
        }
        self.stored.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Turns to a fate, unless it has turned to the other.
    fn turn(&self, to: Fate) -> bool {
        // Nothing can panic while this is held.
        let mut fate = self.fate.lock().unwrap_or_else(PoisonError::into_inner);
        if *fate == Fate::Open {
            *fate = to;
        }
        *fate == to
    }

    pub(super) fn is_decided(&self) -> bool {
        *self.fate.lock().unwrap_or_else(PoisonError::into_inner) == Fate::Decided
    }

    pub(super) fn is_cancelled(&self) -> bool {
        *self.fate.lock().unwrap_or_else(PoisonError::into_inner) == Fate::Cancelled
    }

    /// Refuses to go on with what was cancelled.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        if self.is_cancelled() { Err(cancelled()) } else { Ok(()) }
    }

    /// How far it has come.
    pub(crate) fn progress(&self) -> ImportProgress {
        ImportProgress {
            read: self.read.load(Ordering::Relaxed),
            stored: self.stored.load(Ordering::Relaxed),
            all_read: self.all_read.load(Ordering::Relaxed),
        }
    }
}

/// Cancels a job when it is dropped.
pub(super) struct CancelOnDrop(pub(super) Arc<Job>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn cancelled() -> Refusal {
    Code::Cancelled.because("the import was cancelled")
}

/// The imports that run on this server.
#[derive(Debug)]
pub(crate) struct Running {
    jobs: Arc<Jobs>,
    /// Those of all servers, as this one has seen them.
    pub(super) watch: Mutex<Watch>,
    pub(super) at_once: ConcurrencyLimit,
    pub(super) previews: ConcurrencyLimit,
}

impl Default for Running {
    fn default() -> Self {
        Self {
            jobs: Arc::default(),
            watch: Mutex::default(),
            at_once: ConcurrencyLimit::of(AT_ONCE, "importing files"),
            previews: ConcurrencyLimit::of(AT_ONCE, "checking files to import"),
        }
    }
}

impl Running {
    /// How many run here.
    pub(crate) fn count(&self) -> usize {
        self.jobs.lock().len()
    }

    /// Notes that an import runs here, for as long as what is returned is kept.
    pub(super) fn begin(&self, id: ImportId, job: &Arc<Job>) -> Here {
        self.jobs.lock().insert(id, Arc::clone(job));
        Here { id, jobs: Arc::clone(&self.jobs) }
    }

    pub(super) fn find(&self, id: ImportId) -> Option<Arc<Job>> {
        self.jobs.lock().get(&id).cloned()
    }

    /// Stops an import, if it runs here.
    pub(crate) fn stop(&self, id: ImportId) {
        if let Some(job) = self.find(id) {
            // One that is decided stops by itself, where there is no project any more.
            job.cancel();
        }
    }
}

#[derive(Debug, Default)]
struct Jobs(Mutex<HashMap<ImportId, Arc<Job>>>);

impl Jobs {
    /// No code panics while it holds this, and a map is sound after any of its calls.
    fn lock(&self) -> MutexGuard<'_, HashMap<ImportId, Arc<Job>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// That an import runs here. However it ends, it does not run any more once this is gone.
#[derive(Debug)]
pub(super) struct Here {
    id: ImportId,
    jobs: Arc<Jobs>,
}

impl Drop for Here {
    fn drop(&mut self) {
        self.jobs.lock().remove(&self.id);
    }
}
