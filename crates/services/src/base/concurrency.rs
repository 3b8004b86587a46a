//! Whose turn it is, where something takes much memory and time: a few at a time, and one of each
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

/// How long somebody waits for a turn.
const PATIENCE: Duration = Duration::from_secs(20);

/// The turns of a server.
#[derive(Debug)]
pub(crate) struct Turns {
    patience: Duration,
    all: Arc<Semaphore>,
    people: Mutex<HashMap<UserId, Weak<Semaphore>>>,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _own: OwnedSemaphorePermit,
    _permit: OwnedSemaphorePermit,
}

impl Turns {
    /// So many at a time.
    pub(crate) fn of(at_once: usize) -> Self {
        Self {
            patience: PATIENCE,
            all: Arc::new(Semaphore::new(at_once)),
            people: Mutex::default(),
        }
    }

    /// Waits for a person's turn; refuses if it takes too long. Whoever waits for their own last
    /// turn to end does not stand in the way of others.
    pub(crate) async fn take(&self, person: UserId) -> Result<Turn> {
        let wait = async {
            let own = self.of_person(person).acquire_owned().await.map_err(Error::broken)?;
            let permit = Arc::clone(&self.all).acquire_owned().await.map_err(Error::broken)?;
            Ok(Turn { _own: own, _permit: permit })
        };
        match timeout(self.patience, wait).await {
            Ok(turn) => turn,
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
        let turns = Turns { patience: Duration::from_millis(200), ..Turns::of(2) };
        let mine = turns.take(UserId(1)).await.unwrap();
        let refused = turns.take(UserId(1)).await.unwrap_err();
        assert!(matches!(refused, Error::Refused(Refusal::TooManyAttempts { seconds: 20 })));
        let other = turns.take(UserId(2)).await.unwrap();
        assert!(turns.take(UserId(3)).await.is_err(), "there are two at a time");
        drop(mine);
        let again = turns.take(UserId(1)).await.unwrap();
        drop((again, other));
        turns.take(UserId(3)).await.unwrap();
        assert!(turns.people().len() <= 3);
    }

    #[tokio::test]
    async fn who_waits_for_their_own_turn_keeps_nobody_else_from_theirs() {
        let turns = Arc::new(Turns::of(2));
        let mine = turns.take(UserId(1)).await.unwrap();
        let waiting = (0..9).map(|_| {
            let turns = Arc::clone(&turns);
            tokio::spawn(async move { turns.take(UserId(1)).await.is_ok() })
        });
        let waiting: Vec<_> = waiting.collect();
        tokio::task::yield_now().await;
        turns.take(UserId(2)).await.unwrap();
        drop(mine);
        for waited in waiting {
            assert!(waited.await.unwrap());
        }
    }
}
