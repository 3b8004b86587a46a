//! Refusals, counted in memory until they are noted: whoever is refused a thousand times makes no
//! writer wait, and no more rows than somebody who is refused a few times.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{ProjectId, UserId};

/// How often it is told of the same refusal: the first is told at once, those that follow together.
const EVERY: TimeDelta = TimeDelta::minutes(10);

/// How many rows the refusals of that time make at most: of one person, of all who are signed in,
/// and of all who try to.
const MOST_OF_ONE: usize = 20;
const MOST: usize = 200;

/// How many places of one refusal are named.
const NAMED: usize = 5;

/// What was refused.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refused {
    /// Something that somebody may not do.
    Action {
        /// None for the sum of what was too much to tell apart.
        user: Option<UserId>,
        project: Option<ProjectId>,
        /// Empty for the sum of what was too much to tell apart.
        what: String,
    },
    /// A sign-in.
    SignIn {
        /// None for addresses that have no account, and for the sum of what was too much.
        account: Option<UserId>,
        why: &'static str,
    },
}

impl Refused {
    /// All that was refused to one person, or to all.
    const fn sum(user: Option<UserId>) -> Self {
        Self::Action { user, project: None, what: String::new() }
    }
}

/// How often something was refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    pub times: u64,
    /// Where it came from, as far as that is known: the first few places.
    pub from: BTreeSet<String>,
    /// Whether there were more places.
    pub and_others: bool,
    /// When it was told of the last time.
    told_at: Option<DateTime<Utc>>,
}

impl Times {
    fn add(&mut self, more: Self) {
        self.times = self.times.saturating_add(more.times);
        self.from.extend(more.from);
        self.and_others |= more.and_others;
        while self.from.len() > NAMED {
            self.from.pop_last();
            self.and_others = true;
        }
    }

    fn is_due(&self, now: DateTime<Utc>, all: bool) -> bool {
        self.times > 0 && (all || self.told_at.is_none_or(|told| now - told >= EVERY))
    }
}

/// Refusals that are not noted yet, and those that were a short while ago.
#[derive(Debug, Default)]
pub struct Refusals(Mutex<BTreeMap<Refused, Times>>);

impl Refusals {
    /// Counts a refusal, and where it came from. Beyond what is told apart, those of a person are
    /// summed up, then all.
    pub fn count(&self, refused: Refused, from: Option<String>) {
        let once = Times { times: 1, from: from.into_iter().collect(), ..Times::default() };
        add(&mut self.lock(), refused, once);
    }

    /// What is to be told now; with `all` also what could wait.
    pub fn take_due(&self, now: DateTime<Utc>, all: bool) -> BTreeMap<Refused, Times> {
        let mut counted = self.lock();
        let mut due = BTreeMap::new();
        for (refused, times) in counted.iter_mut().filter(|(_, times)| times.is_due(now, all)) {
            let told = Times { told_at: Some(now), ..Times::default() };
            due.insert(refused.clone(), std::mem::replace(times, told));
        }
        counted.retain(|_, it| it.times > 0 || it.told_at.is_some_and(|told| now - told < EVERY));
        due
    }

    /// Takes back what could not be noted: it is due at once.
    pub fn give_back(&self, due: BTreeMap<Refused, Times>) {
        let mut counted = self.lock();
        for (refused, times) in due {
            counted.entry(refused.clone()).or_default().told_at = None;
            add(&mut counted, refused, times);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Refused, Times>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add(counted: &mut BTreeMap<Refused, Times>, refused: Refused, times: Times) {
    let key = if counted.contains_key(&refused) { refused } else { with_room(counted, refused) };
    counted.entry(key).or_default().add(times);
}

/// What a refusal is counted as that was not counted before.
fn with_room(counted: &BTreeMap<Refused, Times>, refused: Refused) -> Refused {
    let is_action = |it: &&Refused| matches!(it, Refused::Action { .. });
    let actions = counted.keys().filter(is_action).count();
    match refused {
        Refused::Action { user, .. } => {
            let own = |it: &&Refused| matches!(it, Refused::Action { user: of, .. } if *of == user);
            let sum = Refused::sum(user);
            let of_one = counted.keys().filter(own).filter(|it| **it != sum).count();
            if actions < MOST && of_one < MOST_OF_ONE {
                refused
            } else if actions < MOST || counted.contains_key(&sum) {
                sum
            } else {
                Refused::sum(None)
            }
        }
        Refused::SignIn { why, .. } if counted.len() - actions >= MOST => {
            Refused::SignIn { account: None, why }
        }
        Refused::SignIn { .. } => refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: DateTime<Utc> = DateTime::UNIX_EPOCH;

    fn refused(user: i64, project: i64) -> Refused {
        let (user, project) = (Some(UserId(user)), Some(ProjectId(project)));
        Refused::Action { user, project, what: "review".to_owned() }
    }

    fn sum(counted: &BTreeMap<Refused, Times>) -> u64 {
        counted.values().map(|it| it.times).sum()
    }

    #[test]
    fn the_first_is_told_at_once_and_what_repeats_together() {
        let refusals = Refusals::default();
        refusals.count(refused(1, 2), None);
        assert_eq!(sum(&refusals.take_due(START, false)), 1, "the first at once");
        (0..1000).for_each(|_| refusals.count(refused(1, 2), None));
        let soon = START + EVERY - TimeDelta::seconds(1);
        assert!(refusals.take_due(soon, false).is_empty());
        refusals.count(refused(2, 2), None);
        assert_eq!(refusals.take_due(soon, false).len(), 1, "somebody else's does not wait");
        let told = refusals.take_due(START + EVERY, false);
        assert_eq!((told.len(), told[&refused(1, 2)].times), (1, 1000));
        refusals.count(refused(1, 2), None);
        assert_eq!(sum(&refusals.take_due(START + EVERY, true)), 1, "all, before the end");
        assert!(refusals.take_due(START + EVERY * 3, true).is_empty());
        assert!(refusals.lock().is_empty(), "what was told is forgotten");
    }

    #[test]
    fn a_few_of_the_places_are_named() {
        let (refusals, why) = (Refusals::default(), "wrong password");
        let ann = Refused::SignIn { account: Some(UserId(1)), why };
        for n in 0..100 {
            refusals.count(ann.clone(), Some(format!("192.0.2.{}", n % 5)));
        }
        let told = refusals.take_due(START, false).remove(&ann).unwrap();
        assert_eq!((told.times, told.from.len(), told.and_others), (100, NAMED, false));
        for n in 0..100 {
            refusals.count(ann.clone(), Some(format!("192.0.2.{n}")));
        }
        let told = refusals.take_due(START, true).remove(&ann).unwrap();
        assert_eq!((told.times, told.from.len(), told.and_others), (100, NAMED, true));
    }

    #[test]
    fn nobody_makes_more_rows_than_a_few_and_no_refusal_is_forgotten() {
        let refusals = Refusals::default();
        (0..10_000).for_each(|project| refusals.count(refused(1, project), None));
        let of_one = refusals.take_due(START, false);
        assert_eq!((of_one.len(), sum(&of_one)), (MOST_OF_ONE + 1, 10_000));

        let later = START + EVERY;
        assert!(refusals.take_due(later, false).is_empty());
        for user in 0..1000 {
            (0..30).for_each(|project| refusals.count(refused(user, project), None));
            let account = Some(UserId(user));
            refusals.count(Refused::SignIn { account, why: "wrong password" }, None);
        }
        let of_all = refusals.take_due(later, false);
        assert!(of_all.len() <= 2 * (MOST + 1), "{}", of_all.len());
        assert_eq!(sum(&of_all), 31_000);
        refusals.give_back(of_all);
        assert_eq!(sum(&refusals.take_due(later, false)), 31_000);
    }
}
