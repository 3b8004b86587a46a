//! Wrong passwords, counted before anybody looks into the database for longer than a read takes: so
//! that tries at the same moment count as many, and that a busy writer makes no difference between
//! addresses that have an account and others. They are stored a moment later, all at once.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{Error as Refusal, Network};
use store::account::sign_in_failures::Failures;
use tokio::sync::Notify;

use super::{
    client::Client,
    refused::Why,
    throttle::{self, Pace},
};
use crate::base::secrets::token;
use crate::{Result, Services};

/// How many subjects, and how many sources, are remembered at a time.
const REMEMBERED: usize = 10_000;

/// How long what is stored stays in memory, too.
const STAYS: TimeDelta = TimeDelta::minutes(1);

/// What a password is tried at, and from where.
#[derive(Clone, Debug)]
pub(crate) struct Try {
    /// A hash: addresses that have no account are other people's secrets.
    pub(crate) subject: String,
    /// None if the place does not count: the browser is known.
    source: Option<Network>,
}

impl Try {
    /// A try at an address, from a browser that has never been signed in with it.
    pub(crate) fn at_address(email: &str, client: &Client) -> Self {
        let subject = token::hash(&format!("address {email}"));
        Self { subject, source: Some(client.network()) }
    }

    /// A try at an address from a browser that was signed in with it before: nobody else's tries
    /// count there.
    pub(crate) fn in_browser(email: &str, device_hash: &str) -> Self {
        Self { subject: token::hash(&format!("device {device_hash} {email}")), source: None }
    }

    /// A try at somebody's second factor, from a browser that has never been signed in with it.
    pub(crate) fn second_of(user: domain::UserId) -> Self {
        Self { subject: token::hash(&format!("second {user}")), source: None }
    }

    /// The same from a browser that was: nobody else's tries count there.
    pub(crate) fn second_in_browser(user: domain::UserId, device_hash: &str) -> Self {
        Self { subject: token::hash(&format!("second {device_hash} {user}")), source: None }
    }

    /// A try with a passkey, from a browser that has never been signed in with its owner's account.
    pub(crate) fn with_passkey(credential_id: &str, client: &Client) -> Self {
        let subject = token::hash(&format!("passkey {credential_id}"));
        Self { subject, source: Some(client.network()) }
    }

    /// A try with an answer of a provider, to the question with this state.
    pub(crate) fn with_answer(state: &str, client: &Client) -> Self {
        Self { subject: token::hash(&format!("answer {state}")), source: Some(client.network()) }
    }

    /// A try by somebody who is signed in already, and confirms it.
    pub(crate) fn at_own(user: domain::UserId) -> Self {
        Self { subject: token::hash(&format!("own {user}")), source: None }
    }
}

/// What is counted, and what is to be stored of it.
pub(crate) struct SignInFailures {
    counted: Mutex<Counted>,
    /// How often a source may fail.
    pace: Pace,
    /// Told when there is something to store.
    unstored: Notify,
}

#[derive(Default)]
struct Counted {
    subjects: HashMap<String, Entry>,
    /// Until when the failures of a source count.
    sources: HashMap<Network, DateTime<Utc>>,
}

impl Counted {
    /// Has the failures of a source count until then.
    fn put(&mut self, source: Network, until: DateTime<Utc>) {
        make_room(&mut self.sources, &source, |until| *until);
        self.sources.insert(source, until);
    }
}

struct Entry {
    failures: Failures,
    is_stored: bool,
}

impl SignInFailures {
    pub(crate) fn new(pace: Pace) -> Self {
        Self { counted: Mutex::default(), pace, unstored: Notify::new() }
    }

    fn counted(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses a try, or counts it as one that has failed, in one step. `stored` is what the
    /// database knows of it.
    pub(crate) fn count(
        &self,
        tried: &Try,
        stored: Option<Failures>,
        now: DateTime<Utc>,
    ) -> Result<(), (Refusal, Why)> {
        let mut counted = self.counted();
        let full = match tried.source {
            Some(source) => {
                let until = self.one_more(&counted, source, now);
                Some((source, until.map_err(|refusal| (refusal, Why::Source))?))
            }
            None => None,
        };
        let known = counted.subjects.get(&tried.subject).map(|entry| entry.failures);
        // Another server of the same database may have counted since.
        let known = match (known, stored) {
            (Some(known), Some(stored)) if stored.failed_at > known.failed_at => Some(stored),
            (known, stored) => known.or(stored),
        };
        throttle::check(known, now).map_err(|refusal| (refusal, Why::Locked))?;
        if let Some((source, until)) = full {
            counted.put(source, until);
        }
        let entry = Entry { failures: throttle::one_more(known, now), is_stored: false };
        make_room(&mut counted.subjects, &tried.subject, |entry| entry.failures.failed_at);
        counted.subjects.insert(tried.subject.clone(), entry);
        drop(counted);
        self.unstored.notify_one();
        Ok(())
    }

    /// Refuses what costs something whether it succeeds or not, or counts it as a failure from where it comes.
    pub(crate) fn count_source(&self, source: Network, now: DateTime<Utc>) -> Result<(), Refusal> {
        let mut counted = self.counted();
        let until = self.one_more(&counted, source, now)?;
        counted.put(source, until);
        Ok(())
    }

    /// Until when the failures of a source count with one more; refused if there are too many.
    fn one_more(
        &self,
        counted: &Counted,
        source: Network,
        now: DateTime<Utc>,
    ) -> Result<DateTime<Utc>, Refusal> {
        let until = counted.sources.get(&source).copied();
        self.pace.check(until, now)?;
        Ok(self.pace.one_more(until, now))
    }

    /// Takes a count back: nothing was tried after all.
    pub(crate) fn take_back(&self, tried: &Try) {
        self.forgive(tried);
        if let Some(entry) = self.counted().subjects.get_mut(&tried.subject) {
            entry.failures = throttle::one_less(entry.failures);
            entry.is_stored = false;
        }
    }

    /// Takes back what was counted of the source: the password was right.
    pub(crate) fn forgive(&self, tried: &Try) {
        let mut counted = self.counted();
        if let Some(until) = tried.source.and_then(|source| counted.sources.get_mut(&source)) {
            *until = self.pace.one_less(*until);
        }
    }

    /// Forgets what failed before a right password. What the database knows of it is to be deleted
    /// in a transaction that has begun: then nothing older is stored after that.
    pub(crate) fn forget(&self, subject: &str) {
        self.counted().subjects.remove(subject);
    }

    /// Starts the count anew, after a right password.
    pub(crate) fn start_anew(&self, tried: &Try) {
        if let Some(entry) = self.counted().subjects.get_mut(&tried.subject) {
            entry.failures = Failures { count: 0, locked_until: None, ..entry.failures };
            entry.is_stored = false;
        }
    }

    /// What has not been stored.
    fn unstored(&self) -> Vec<(String, Failures)> {
        let counted = self.counted();
        let unstored = counted.subjects.iter().filter(|(_, entry)| !entry.is_stored);
        unstored.map(|(subject, entry)| (subject.clone(), entry.failures)).collect()
    }

    /// These are stored now; what was stored a while ago is forgotten.
    fn stored(&self, rows: &[(String, Failures)], now: DateTime<Utc>) {
        let mut counted = self.counted();
        for (subject, failures) in rows {
            if let Some(entry) = counted.subjects.get_mut(subject) {
                entry.is_stored = entry.failures == *failures;
            }
        }
        counted
            .subjects
            .retain(|_, entry| !entry.is_stored || now - entry.failures.failed_at < STAYS);
        counted.sources.retain(|_, until| *until > now);
    }
}

/// Forgets the older half if there is no room for what has this key.
fn make_room<K: std::hash::Hash + Eq, V>(
    all: &mut HashMap<K, V>,
    key: &K,
    age: impl Fn(&V) -> DateTime<Utc>,
) {
    if all.len() < REMEMBERED || all.contains_key(key) {
        return;
    }
    let mut times: Vec<_> = all.values().map(&age).collect();
    times.sort_unstable();
    if let Some(middle) = times.get(times.len() / 2).copied() {
        let mut spared = REMEMBERED / 2;
        all.retain(|_, value| {
            let stays = age(value) >= middle && spared > 0;
            spared -= usize::from(stays);
            stays
        });
    }
}

/// Stores what was counted soon after it was, for as long as it is polled.
pub(crate) async fn keep_failures(services: &Arc<Services>) {
    loop {
        // Whatever comes within a second is stored at once; what could not be, is tried again.
        let soon = services.failures.unstored.notified();
        drop(tokio::time::timeout(std::time::Duration::from_mins(1), soon).await);
        if let Err(error) = store_failures(services).await {
            tracing::warn!(%error, "failed sign-ins could not be stored; trying again");
        }
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
}

/// Stores what was counted.
pub(crate) async fn store_failures(services: &Services) -> Result<()> {
    let failures = &services.failures;
    if failures.unstored().is_empty() {
        return Ok(());
    }
    let tx = services.store.begin().await?;
    // Only now: what a right password forgets while this waits is not to come back.
    let rows = failures.unstored();
    store::account::sign_in_failures::save(&tx, &rows).await?;
    tx.commit().await?;
    failures.stored(&rows, services.clock.now());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_unknown_addresses_take_bounded_room_and_push_out_the_oldest() {
        let failures = SignInFailures::new(Pace::of(throttle::FROM_ONE_PLACE));
        let start = DateTime::UNIX_EPOCH;
        let at = |email: &str| Try { source: None, ..Try::at_address(email, &Client::LOCAL) };
        for _ in 0..5 {
            failures.count(&at("old@example.org"), None, start).unwrap();
        }
        failures.count(&at("old@example.org"), None, start).unwrap_err();
        for n in 0..20_000 {
            let now = start + TimeDelta::milliseconds(n);
            failures.count(&at(&format!("{n}@example.org")), None, now).unwrap();
        }
        assert!(failures.counted().subjects.len() <= REMEMBERED);
        failures.count(&at("old@example.org"), None, start).unwrap();
    }

    #[test]
    fn what_another_server_has_counted_later_counts() {
        let failures = SignInFailures::new(Pace::of(throttle::FROM_ONE_PLACE));
        let now = DateTime::UNIX_EPOCH;
        let tried = Try::at_address("ann@example.org", &Client::LOCAL);
        let stored = |count, minutes| {
            let failed_at = now + TimeDelta::minutes(minutes);
            let locked_until = Some(failed_at + TimeDelta::minutes(5));
            Some(Failures { count, locked_until, failed_at })
        };
        failures.count(&tried, None, now).unwrap();
        let later = now + TimeDelta::minutes(2);
        assert!(failures.count(&tried, stored(9, 1), later).is_err());
        failures.count(&tried, stored(9, -1), later).unwrap();
    }
}
