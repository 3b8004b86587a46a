//! How long somebody has to wait who keeps getting passwords wrong: at one address, and from one
//! place.

use std::num::NonZeroU16;

use chrono::{DateTime, TimeDelta, Utc};
use domain::Error as Refusal;
use store::account::sign_in_failures::Failures;

/// From this failure on, the account is locked for a while.
const FREE: i32 = 5;

/// The longest lock, in seconds.
const LONGEST: i64 = 15 * 60;

/// How often somebody may fail from one place, unless somebody says otherwise: a class shares one
/// address.
pub(crate) const FROM_ONE_PLACE: NonZeroU16 = match NonZeroU16::new(30) {
    Some(number) => number,
    None => NonZeroU16::MIN,
};

/// How long a failure counts for the place that it came from: all of them within this time.
const COUNTS_FOR: TimeDelta = TimeDelta::minutes(10);

/// Refuses a try while the lock lasts.
pub(crate) fn check(failures: Option<Failures>, now: DateTime<Utc>) -> Result<(), Refusal> {
    match failures.and_then(|failures| failures.locked_until) {
        Some(until) if until > now => Err(wait(until - now)),
        _ => Ok(()),
    }
}

/// One failure more: the fifth in a row locks for a second, each further one twice as long.
pub(crate) fn one_more(failures: Option<Failures>, now: DateTime<Utc>) -> Failures {
    let count = failures.map_or(0, |failures| failures.count).saturating_add(1);
    // Below the limit the difference is negative, and there is no lock. A shift by 63 would turn the sign.
    let seconds = u32::try_from(count - FREE)
        .ok()
        .map(|doublings| 1_i64.checked_shl(doublings.min(62)).unwrap_or(LONGEST).min(LONGEST));
    let locked_until = seconds.map(|seconds| now + TimeDelta::seconds(seconds));
    Failures { count, locked_until, failed_at: now }
}

/// One failure less, and no lock.
pub(crate) fn one_less(failures: Failures) -> Failures {
    Failures { count: failures.count.saturating_sub(1).max(0), locked_until: None, ..failures }
}

fn wait(left: TimeDelta) -> Refusal {
    let seconds = u64::try_from(left.num_milliseconds()).unwrap_or(0).div_ceil(1000);
    Refusal::TooManyAttempts { seconds: seconds.max(1) }
}

/// How often somebody may fail from one place. What is kept of a place is the time when its last
/// failure does not count any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// How long one failure counts if there is no other.
    each: TimeDelta,
}

impl Pace {
    /// So many failures at once, and as many more every ten minutes.
    pub(crate) fn of(failures: NonZeroU16) -> Self {
        Self { each: COUNTS_FOR / i32::from(failures.get()) }
    }

    /// Refuses a try while too many failures count.
    pub(crate) fn check(
        self,
        until: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        match until.map(|until| until + self.each - COUNTS_FOR) {
            Some(free) if free > now => Err(wait(free - now)),
            _ => Ok(()),
        }
    }

    /// One failure more.
    pub(crate) fn one_more(
        self,
        until: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> DateTime<Utc> {
        until.map_or(now, |until| until.max(now)) + self.each
    }

    /// One failure less.
    pub(crate) fn one_less(self, until: DateTime<Utc>) -> DateTime<Utc> {
        until - self.each
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifth_failure_locks_for_a_second_and_each_one_after_twice_as_long() {
        let now = DateTime::UNIX_EPOCH;
        let mut failures = None;
        let mut waits = Vec::new();
        for _ in 0..16 {
            let one_more = one_more(failures, now);
            waits.push(one_more.locked_until.map_or(0, |until| (until - now).num_seconds()));
            failures = Some(one_more);
        }
        assert_eq!(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
        let many = Failures { count: i32::MAX, locked_until: None, failed_at: now };
        let locked = one_more(Some(many), now).locked_until;
        assert_eq!(locked, Some(now + TimeDelta::seconds(900)));
    }

    #[test]
    fn the_wait_is_told_in_seconds_begun() {
        let now = DateTime::UNIX_EPOCH;
        let until = now + TimeDelta::milliseconds(1_200);
        let failures = Some(Failures { count: 6, locked_until: Some(until), failed_at: now });
        assert_eq!(check(failures, now), Err(Refusal::TooManyAttempts { seconds: 2 }));
        assert_eq!(check(failures, until), Ok(()));
    }

    #[test]
    fn a_place_may_fail_so_often_at_once_and_then_as_time_goes_by() {
        let pace = Pace::of(NonZeroU16::new(30).unwrap());
        let now = DateTime::UNIX_EPOCH;
        let mut until = None;
        for _ in 0..30 {
            pace.check(until, now).unwrap();
            until = Some(pace.one_more(until, now));
        }
        assert_eq!(pace.check(until, now), Err(Refusal::TooManyAttempts { seconds: 20 }));
        let right = until.map(|until| pace.one_less(until));
        pace.check(right, now).unwrap();
        let later = now + TimeDelta::seconds(20);
        pace.check(until, later).unwrap();
        assert!(pace.check(Some(pace.one_more(until, later)), later).is_err());
        pace.check(until, now + COUNTS_FOR).unwrap();
    }
}
