//! How long it is waited after something failed, by a clock that nobody sets.

use std::time::Duration;

use tokio::time::Instant;

/// How long it is waited at most.
const LONGEST_PAUSE: Duration = Duration::from_hours(1);

/// What failed, how often in a row, and when it is tried again.
#[derive(Default)]
pub(super) struct Tries {
    failed: u8,
    not_before: Option<Instant>,
}

impl Tries {
    pub(super) fn may(&self, now: Instant) -> bool {
        self.not_before.is_none_or(|at| at <= now)
    }

    pub(super) fn note(&mut self, has_failed: bool, now: Instant) {
        self.failed = if has_failed { self.failed.saturating_add(1) } else { 0 };
        let pause = Duration::from_secs(60 << self.failed.min(6)).min(LONGEST_PAUSE);
        self.not_before = has_failed.then(|| now + pause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_up_to_an_hour_and_end_with_what_goes_well() {
        let (mut tries, mut now) = (Tries::default(), Instant::now());
        let second = Duration::from_secs(1);
        assert!(tries.may(now));
        for minutes in [2, 4, 8, 16, 32, 60, 60] {
            tries.note(true, now);
            now += Duration::from_secs(minutes * 60);
            assert!(!tries.may(now - second) && tries.may(now), "{minutes}");
        }
        tries.note(false, now);
        assert!(tries.may(now));
        tries.note(true, now);
        assert!(tries.may(now + Duration::from_mins(2)));
    }
}
