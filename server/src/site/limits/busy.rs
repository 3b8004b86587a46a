//! How often nobody could be answered in time.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

/// The log is told at most so often.
const TELL_EVERY: Duration = Duration::from_secs(1);

/// Marks an answer of 503 as one that was asked for: nobody is kept waiting.
#[derive(Clone, Copy)]
pub(crate) struct AsAsked;

/// Counts the answers that nobody could be given in time.
pub(crate) struct Busy {
    since: Instant,
    refused: AtomicU64,
    /// The whole intervals of [`TELL_EVERY`] after which the log was told last, and one.
    told: AtomicU64,
}

impl Busy {
    pub(crate) fn new() -> Self {
        Self { since: Instant::now(), refused: AtomicU64::new(0), told: AtomicU64::new(0) }
    }

    /// How many answers were refused so far.
    pub(crate) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Counts one more; whether the log is to be told now.
    pub(crate) fn count(&self, now: Instant) -> bool {
        self.refused.fetch_add(1, Ordering::Relaxed);
        let intervals = now.duration_since(self.since).as_secs() / TELL_EVERY.as_secs() + 1;
        self.told.fetch_max(intervals, Ordering::Relaxed) < intervals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_told_once_a_second_at_most_and_each_refusal_is_counted() {
        let busy = Busy::new();
        let at = |millis| busy.count(busy.since + Duration::from_millis(millis));
        let told: Vec<_> = [0, 10, 999, 1_000, 1_500, 2_900, 3_000].map(at).to_vec();
        assert_eq!(told, [true, false, false, true, false, true, true]);
        assert_eq!(busy.refused(), 7);
    }
}
