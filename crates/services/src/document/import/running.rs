//! Imports that run: how far each has come, and whether it is to stop.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use domain::{Code, Error as Refusal, ImportId, ImportProgress, saturating};

use crate::base::access::concurrency::ConcurrencyLimit;

/// How many imports run at the same time on a server, and how many are looked at beside them.
const AT_ONCE: usize = 2;

/// Whether an import is to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Course {
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
    course: Mutex<Course>,
}

impl Job {
    pub(super) fn count_read(&self) {
        self.read.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn end_reading(&self) {
        self.all_read.store(true, Ordering::Relaxed);
    }

    pub(super) fn count_stored(&self, documents: usize) {
        let documents = saturating::<u64>(documents);
        self.stored.fetch_add(documents, Ordering::Relaxed);
    }

    /// Stops it; false if it is decided already.
    pub(super) fn cancel(&self) -> bool {
        self.turn(Course::Cancelled)
    }

    /// Has it come, and counts anew what is stored; refuses what was cancelled.
    pub(super) fn decide(&self) -> Result<(), Refusal> {
        if !self.turn(Course::Decided) {
            return Err(cancelled());
        }
        self.stored.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Turns to a course, unless it has turned to the other.
    fn turn(&self, to: Course) -> bool {
        // Nothing can panic while this is held.
        let mut course = self.course.lock().unwrap_or_else(PoisonError::into_inner);
        if *course == Course::Open {
            *course = to;
        }
        *course == to
    }

    pub(super) fn is_cancelled(&self) -> bool {
        *self.course.lock().unwrap_or_else(PoisonError::into_inner) == Course::Cancelled
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

fn cancelled() -> Refusal {
    Code::Cancelled.because("the import was cancelled")
}

/// The imports that run on this server.
#[derive(Debug)]
pub(crate) struct Running {
    jobs: Mutex<HashMap<ImportId, Arc<Job>>>,
    pub(super) at_once: ConcurrencyLimit,
    pub(super) previews: ConcurrencyLimit,
}

impl Default for Running {
    fn default() -> Self {
        let limit = || ConcurrencyLimit::of(AT_ONCE);
        Self { jobs: Mutex::default(), at_once: limit(), previews: limit() }
    }
}

impl Running {
    pub(super) fn begin(&self, id: ImportId, job: &Arc<Job>) {
        self.lock().insert(id, Arc::clone(job));
    }

    pub(super) fn end(&self, id: ImportId) {
        self.lock().remove(&id);
    }

    pub(super) fn find(&self, id: ImportId) -> Option<Arc<Job>> {
        self.lock().get(&id).cloned()
    }

    /// Stops an import, if it runs here.
    pub(crate) fn stop(&self, id: ImportId) {
        if let Some(job) = self.find(id) {
            // One that is decided stops by itself, where there is no project any more.
            job.cancel();
        }
    }

    /// No code panics while it holds this, and a map is sound after any of its calls.
    fn lock(&self) -> MutexGuard<'_, HashMap<ImportId, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
