//! Time comes from here, so that tests can set it.

use std::sync::Arc;

use chrono::{DateTime, SubsecRound, Utc};

/// Tells the time.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>);

impl Clock {
    /// The machine's clock.
    #[expect(clippy::disallowed_methods, reason = "this is where time comes from")]
    pub fn system() -> Self {
        Self(Arc::new(Utc::now))
    }

    /// A clock that tells what a test says.
    pub fn from_fn(tell: impl Fn() -> DateTime<Utc> + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// The time now, in whole microseconds: what both databases can store.
    pub fn now(&self) -> DateTime<Utc> {
        (self.0)().trunc_subsecs(6)
    }
}

/// What the present thread has taken of a processor: tests measure with it, since others run beside them.
#[cfg(test)]
pub(crate) fn thread_time() -> std::time::Duration {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    std::time::Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}
