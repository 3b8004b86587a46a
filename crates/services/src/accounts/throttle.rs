//! How long somebody has to wait who keeps getting a password wrong.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use domain::Error as Refusal;

use super::token;

/// From this failure on, the account is locked for a while.
const FREE: i32 = 5;

/// The longest lock, in seconds.
const LONGEST: i64 = 15 * 60;

/// How many unknown addresses are remembered.
const STRANGERS: usize = 10_000;

/// How often in a row a password was wrong, and until when nobody may try again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Failures {
    pub(super) count: i32,
    pub(super) locked_until: Option<DateTime<Utc>>,
}

impl Failures {
    /// Refuses a try while the lock lasts.
    pub(super) fn check(self, now: DateTime<Utc>) -> Result<(), Refusal> {
        match self.locked_until {
            Some(until) if until > now => {
                let left = (until - now).num_milliseconds();
                let seconds = u64::try_from(left).unwrap_or(0).div_ceil(1000);
                Err(Refusal::TooManyAttempts { seconds })
            }
            _ => Ok(()),
        }
    }

    /// One failure more: the fifth in a row locks for a second, each further one twice as long.
    pub(super) fn one_more(self, now: DateTime<Utc>) -> Self {
        let count = self.count.saturating_add(1);
        let seconds = u32::try_from(count - FREE)
            .ok()
            .map(|doublings| 1_i64.checked_shl(doublings.min(62)).unwrap_or(LONGEST).min(LONGEST));
        Self { count, locked_until: seconds.map(|seconds| now + TimeDelta::seconds(seconds)) }
    }
}

/// The failures at addresses that have no account, in memory: whoever tries them is answered as
/// if they had one. Addresses are kept as hashes, so that each takes the same room.
#[derive(Default)]
pub(crate) struct Strangers(Mutex<HashMap<String, (Failures, DateTime<Utc>)>>);

impl Strangers {
    /// Refuses the try or counts it, in one step.
    pub(super) fn count(&self, email: &str, now: DateTime<Utc>) -> Result<(), Refusal> {
        let mut strangers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = token::hash(email);
        let failures = strangers.get(&key).map(|(failures, _)| *failures).unwrap_or_default();
        failures.check(now)?;
        if strangers.len() >= STRANGERS && !strangers.contains_key(&key) {
            make_room(&mut strangers);
        }
        strangers.insert(key, (failures.one_more(now), now));
        Ok(())
    }
}

/// Forgets the half that was tried least lately.
fn make_room(strangers: &mut HashMap<String, (Failures, DateTime<Utc>)>) {
    let mut times: Vec<_> = strangers.values().map(|(_, tried)| *tried).collect();
    times.sort_unstable();
    if let Some(middle) = times.get(times.len() / 2).copied() {
        let mut spared = STRANGERS / 2;
        strangers.retain(|_, (_, tried)| {
            let stays = *tried >= middle && spared > 0;
            spared -= usize::from(stays);
            stays
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifth_failure_locks_for_a_second_and_each_one_after_twice_as_long() {
        let now = DateTime::UNIX_EPOCH;
        let mut failures = Failures::default();
        let mut waits = Vec::new();
        for _ in 0..16 {
            failures = failures.one_more(now);
            waits.push(failures.locked_until.map_or(0, |until| (until - now).num_seconds()));
        }
        assert_eq!(waits, [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
        let many = Failures { count: i32::MAX, locked_until: None }.one_more(now);
        assert_eq!(many.locked_until, Some(now + TimeDelta::seconds(900)));
    }

    #[test]
    fn the_wait_is_told_in_seconds_begun() {
        let now = DateTime::UNIX_EPOCH;
        let until = now + TimeDelta::milliseconds(1_200);
        let failures = Failures { count: 6, locked_until: Some(until) };
        assert_eq!(failures.check(now), Err(Refusal::TooManyAttempts { seconds: 2 }));
        assert_eq!(failures.check(until), Ok(()));
    }

    #[test]
    fn many_unknown_addresses_take_bounded_room_and_push_out_the_oldest() {
        let strangers = Strangers::default();
        let start = DateTime::UNIX_EPOCH;
        for _ in 0..5 {
            strangers.count("old@example.org", start).unwrap();
        }
        strangers.count("old@example.org", start).unwrap_err();
        for n in 0..20_000 {
            let now = start + TimeDelta::milliseconds(n);
            strangers.count(&format!("{n}@example.org"), now).unwrap();
        }
        assert!(strangers.0.lock().unwrap().len() <= STRANGERS);
        strangers.count("old@example.org", start).unwrap();
    }
}
