//! What is sent until it arrives or is given up: how often, and by one server at a time.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use domain::saturating;

/// How often it is looked what is to be sent.
pub(super) const INTERVAL: Duration = Duration::from_secs(5);

/// When to try again what failed in a try that began at this time, after so many before it: so long after its
/// beginning as stands in the list; none if it is given up.
pub(super) fn next_try(
    begun: DateTime<Utc>,
    before: u32,
    back_off: &[TimeDelta],
) -> Option<DateTime<Utc>> {
    back_off.get(saturating::<usize>(before)).map(|wait| begun + *wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_is_tried_again_as_often_as_there_are_times_to_wait() {
        let waits = [TimeDelta::minutes(1), TimeDelta::hours(1)];
        let next = |before| next_try(DateTime::UNIX_EPOCH, before, &waits);
        assert_eq!(next(0), Some(DateTime::UNIX_EPOCH + TimeDelta::minutes(1)));
        assert_eq!(next(1), Some(DateTime::UNIX_EPOCH + TimeDelta::hours(1)));
        assert_eq!(next(2), None);
    }
}
