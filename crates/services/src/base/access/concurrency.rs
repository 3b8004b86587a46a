//! Limits on what runs at once, where something takes much memory and time: a few at a time, and one of each
//! person, so that nobody who comes often keeps the others waiting.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use domain::{Error as Refusal, UserId};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::{Error, Result};

/// How long somebody waits for a slot.
const PATIENCE: Duration = Duration::from_secs(20);

/// The limit of a server.
#[derive(Debug)]
pub(crate) struct ConcurrencyLimit {
    patience: Duration,
    all: Arc<Semaphore>,
    people: Mutex<HashMap<UserId, Weak<Semaphore>>>,
}

/// A slot, until it is dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    _own: OwnedSemaphorePermit,
    _permit: OwnedSemaphorePermit,
}

impl ConcurrencyLimit {
    /// So many at a time.
    pub(crate) fn of(at_once: usize) -> Self {
        Self {
            patience: PATIENCE,
            all: Arc::new(Semaphore::new(at_once)),
            people: Mutex::default(),
        }
    }

    /// Waits for a person's slot; refuses if it takes too long. Whoever waits for their own last
    /// slot to end does not stand in the way of others.
    pub(crate) async fn acquire(&self, person: UserId) -> Result<Slot> {
        let wait = async {
            let own = self.of_person(person).acquire_owned().await.map_err(Error::broken)?;
            let permit = Arc::clone(&self.all).acquire_owned().await.map_err(Error::broken)?;
            Ok(Slot { _own: own, _permit: permit })
        };
        match timeout(self.patience, wait).await {
            Ok(slot) => slot,
            Err(_) => Err(Refusal::TooManyAttempts { seconds: PATIENCE.as_secs() }.into()),
        }
    }

    fn of_person(&self, person: UserId) -> Arc<Semaphore> {
        let mut people = self.people();
        if let Some(own) = people.get(&person).and_then(Weak::upgrade) {
            return own;
        }
        people.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(1));
        people.insert(person, Arc::downgrade(&own));
        own
    }

    /// No code panics while it holds this, and a map is sound after any of its calls.
    fn people(&self) -> MutexGuard<'_, HashMap<UserId, Weak<Semaphore>>> {
        self.people.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_person_has_one_turn_and_others_have_theirs() {
        let limit =
            ConcurrencyLimit { patience: Duration::from_millis(200), ..ConcurrencyLimit::of(2) };
        let mine = limit.acquire(UserId(1)).await.unwrap();
        let refused = limit.acquire(UserId(1)).await.unwrap_err();
        assert!(matches!(refused, Error::Refused(Refusal::TooManyAttempts { seconds: 20 })));
        let other = limit.acquire(UserId(2)).await.unwrap();
        assert!(limit.acquire(UserId(3)).await.is_err(), "there are two at a time");
        drop(mine);
        let again = limit.acquire(UserId(1)).await.unwrap();
        drop((again, other));
        limit.acquire(UserId(3)).await.unwrap();
        assert!(limit.people().len() <= 3);
    }

    #[tokio::test]
    async fn who_waits_for_their_own_turn_keeps_nobody_else_from_theirs() {
        let limit = Arc::new(ConcurrencyLimit::of(2));
        let mine = limit.acquire(UserId(1)).await.unwrap();
        let waiting = (0..9).map(|_| {
            let limit = Arc::clone(&limit);
            tokio::spawn(async move { limit.acquire(UserId(1)).await.is_ok() })
        });
        let waiting: Vec<_> = waiting.collect();
        tokio::task::yield_now().await;
        limit.acquire(UserId(2)).await.unwrap();
        drop(mine);
        for waited in waiting {
            assert!(waited.await.unwrap());
        }
    }
}
