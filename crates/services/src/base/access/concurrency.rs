//! Limits on what runs at once, where something takes much memory and time: a few at a time, and one of each
//! person, so that nobody who comes often keeps the others waiting.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use domain::{Code, UserId};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{Instant, timeout_at},
};

use crate::{Error, Result};

/// How long somebody waits for a slot, where nothing else is said.
const PATIENCE: Duration = Duration::from_secs(20);

/// The limit of a server.
#[derive(Debug)]
pub(crate) struct ConcurrencyLimit {
    /// What is limited, for who is refused: "comparing files".
    work: &'static str,
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
    /// So many at a time of what is called so.
    pub(crate) fn of(at_once: usize, work: &'static str) -> Self {
        Self {
            work,
            patience: PATIENCE,
            all: Arc::new(Semaphore::new(at_once)),
            people: Mutex::default(),
        }
    }

    /// The same with another time to wait.
    pub(crate) fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
    }

    /// Waits for a person's slot, in the order in which people came; refuses if it takes too long.
    /// Whoever waits for their own last slot to end does not stand in the way of others.
    pub(crate) async fn acquire(&self, person: UserId) -> Result<Slot> {
        let Self { work, patience, .. } = self;
        let until = Instant::now() + *patience;
        let own =
            timeout_at(until, self.of_person(person).acquire_owned()).await.map_err(|_| {
                let why =
                    format!("the server is still busy {work} for you; wait until that is done");
                Code::TooMuchAtOnce.because(why)
            })?;
        let permit = timeout_at(until, Arc::clone(&self.all).acquire_owned()).await;
        let permit = permit.map_err(|_| {
            let why = format!("the server is busy {work} for others; try again in a moment");
            Code::Busy.because(why)
        })?;
        Ok(Slot { _own: own.map_err(Error::broken)?, _permit: permit.map_err(Error::broken)? })
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
    use tokio::time::sleep;

    use super::*;

    fn limit() -> ConcurrencyLimit {
        ConcurrencyLimit::of(2, "comparing files")
    }

    fn code(refused: Result<Slot>) -> Code {
        let Error::Refused(refused) = refused.unwrap_err() else { panic!("it is refused") };
        assert!(refused.to_string().contains("busy comparing files"), "{refused}");
        refused.code()
    }

    #[tokio::test]
    async fn one_person_has_one_turn_and_others_have_theirs() {
        let limit = limit().with_patience(Duration::from_millis(200));
        let mine = limit.acquire(UserId(1)).await.unwrap();
        assert_eq!(code(limit.acquire(UserId(1)).await), Code::TooMuchAtOnce);
        let other = limit.acquire(UserId(2)).await.unwrap();
        assert_eq!(code(limit.acquire(UserId(3)).await), Code::Busy, "there are two at a time");
        drop(mine);
        let again = limit.acquire(UserId(1)).await.unwrap();
        drop((again, other));
        limit.acquire(UserId(3)).await.unwrap();
        assert!(limit.people().len() <= 3);
    }

    #[tokio::test]
    async fn two_people_who_come_again_and_again_keep_nobody_from_a_slot() {
        let limit = Arc::new(limit().with_patience(Duration::from_secs(30)));
        for person in [1, 2] {
            let limit = Arc::clone(&limit);
            tokio::spawn(async move {
                while let Ok(slot) = limit.acquire(UserId(person)).await {
                    sleep(Duration::from_millis(20)).await;
                    drop(slot);
                }
            });
        }
        sleep(Duration::from_millis(5)).await;
        for _ in 0..5 {
            drop(limit.acquire(UserId(3)).await.unwrap());
        }
    }

    #[tokio::test]
    async fn who_waits_for_their_own_turn_keeps_nobody_else_from_theirs() {
        let limit = Arc::new(limit());
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
