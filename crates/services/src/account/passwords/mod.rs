//! Hashing of passwords, within what the machine can bear, and which of them are taken at all.

mod memory;
mod queue;
mod strength;

use std::{sync::Arc, thread::available_parallelism, time::Instant};

use argon2::password_hash::Error as HashError;
use domain::Network;
use tokio::sync::Semaphore;

use crate::{Error, Result};
use memory::Memory;
use queue::Queue;

pub(crate) use strength::Owner;

/// How many passwords are hashed at once, at most: each takes 19 MiB and a core.
const AT_ONCE: usize = 2;

/// How many passwords are hashed at once on this machine: one core is left to everybody else, if
/// there is another.
fn at_once() -> usize {
    let cores = available_parallelism().map_or(1, usize::from);
    cores.saturating_sub(1).clamp(1, AT_ONCE)
}

/// A hash that no password has, made with the same parameters: checking a password against it
/// takes as long as against a real one.
pub const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1\
    $AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Hashes and checks passwords with Argon2id.
pub struct Passwords {
    working: Arc<Semaphore>,
    queue: Queue,
    memory: Arc<Memory>,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            working: Arc::new(Semaphore::new(at_once())),
            queue: Queue::default(),
            memory: Arc::default(),
        }
    }
}

impl Passwords {
    /// The hash of a password that somebody chose, unless it is easily guessed.
    pub(crate) async fn choose(
        &self,
        source: Network,
        password: String,
        owner: Owner,
    ) -> Result<String> {
        let memory = Arc::clone(&self.memory);
        let chosen = self.work(source, move || match strength::check(&password, &owner) {
            Ok(()) => Ok(Ok(memory.hash(&password)?)),
            Err(refusal) => Ok(Err(refusal)),
        });
        Ok(chosen.await??)
    }

    /// The hash of a password that was drawn at random.
    pub async fn hash(&self, password: String) -> Result<String> {
        let memory = Arc::clone(&self.memory);
        self.work(Network::LOCAL, move || memory.hash(&password)).await
    }

    /// Whether the password is the one that was hashed.
    pub(crate) async fn verify(
        &self,
        source: Network,
        password: String,
        hash: String,
    ) -> Result<bool> {
        let memory = Arc::clone(&self.memory);
        self.work(source, move || memory.verify(&password, &hash)).await
    }

    /// How many are being hashed or checked, or wait to be.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.length()
    }

    /// Does the work on a thread that may block, when it is its turn.
    async fn work<T: Send + 'static>(
        &self,
        source: Network,
        work: impl FnOnce() -> Result<T, HashError> + Send + 'static,
    ) -> Result<T> {
        let place = self.queue.enter(source)?;
        let turn = Arc::clone(&self.working).acquire_owned().await.map_err(Error::broken)?;
        // Place and turn go with the work: it goes on even if nobody waits for it any more.
        let done = tokio::task::spawn_blocking(move || {
            let begun = Instant::now();
            let done = work();
            metrics::histogram!("concord_password_hash_seconds").record(begun.elapsed());
            drop((turn, place));
            done
        });
        done.await.map_err(Error::broken)?.map_err(|error| Error::broken(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use argon2::{Params, PasswordHash};

    use super::*;

    #[tokio::test]
    async fn a_hash_fits_its_password_only_and_has_a_salt_of_its_own() {
        let passwords = Passwords::default();
        let first = passwords.hash("correct horse".to_owned()).await.unwrap();
        let second = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        assert_ne!(first, second);
        let fits = async |password: &str, hash: &str| {
            let (password, hash) = (password.to_owned(), hash.to_owned());
            passwords.verify(Network::LOCAL, password, hash).await.unwrap()
        };
        assert!(fits("correct horse", &first).await);
        assert!(!fits("correct house", &first).await);
    }

    #[tokio::test]
    async fn nobodys_hash_takes_the_same_work_and_fits_nothing() {
        let parsed = PasswordHash::new(NOBODYS).unwrap();
        let params = Params::try_from(&parsed).unwrap();
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), (19_456, 2, 1));
        assert_eq!(parsed.hash.unwrap().len(), 32);
        let passwords = Passwords::default();
        let fits = passwords.verify(Network::LOCAL, "anything".to_owned(), NOBODYS.to_owned());
        assert!(!fits.await.unwrap());
    }
}
