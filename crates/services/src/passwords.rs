//! Hashing of passwords, within what the machine can bear, and tries at addresses nobody has.

use std::sync::Arc;

use argon2::{
    Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version,
    password_hash::{Error as HashError, SaltString},
};
use domain::Error as Refusal;
use rand::RngCore;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Error, Result, accounts::Strangers};

/// How many passwords are hashed at once: each takes 19 MiB and a core.
const AT_ONCE: usize = 2;

/// How many sign-ins may be under way; whoever comes on top is asked to try again.
const UNDER_WAY: usize = 64;

/// A hash that no password has, made with the same parameters: checking a password against it
/// takes as long as against a real one.
pub(crate) const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1\
    $AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Hashes and checks passwords with Argon2id, and remembers tries at unknown addresses.
pub(crate) struct Passwords {
    working: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    strangers: Strangers,
}

impl Default for Passwords {
    fn default() -> Self {
        Self {
            working: Arc::new(Semaphore::new(AT_ONCE)),
            waiting: Arc::new(Semaphore::new(UNDER_WAY)),
            strangers: Strangers::default(),
        }
    }
}

impl Passwords {
    /// The password's hash, with a salt of its own, as a PHC string.
    pub(crate) async fn hash(&self, password: String) -> Result<String> {
        self.work(move || {
            let mut salt = [0; 16];
            rand::rng().fill_bytes(&mut salt);
            let salt = SaltString::encode_b64(&salt)?;
            Ok(argon2()?.hash_password(password.as_bytes(), &salt)?.to_string())
        })
        .await
    }

    /// Whether the password is the one that was hashed.
    pub(crate) async fn verify(&self, password: String, hash: String) -> Result<bool> {
        self.work(move || {
            let hash = PasswordHash::new(&hash)?;
            match argon2()?.verify_password(password.as_bytes(), &hash) {
                Ok(()) => Ok(true),
                Err(HashError::Password) => Ok(false),
                Err(error) => Err(error),
            }
        })
        .await
    }

    /// The tries at addresses that have no account.
    pub(crate) fn strangers(&self) -> &Strangers {
        &self.strangers
    }

    /// Does the work on a thread that may block, when it is its turn.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HashError> + Send + 'static,
    ) -> Result<T> {
        let waiting = Arc::clone(&self.waiting)
            .try_acquire_owned()
            .map_err(|_| Refusal::TooManyAttempts { seconds: 2 })?;
        let working = Arc::clone(&self.working).acquire_owned().await.map_err(Error::broken)?;
        let held: (OwnedSemaphorePermit, OwnedSemaphorePermit) = (waiting, working);
        // The permits go with the work: it goes on even if nobody waits for it any more.
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(held);
            done
        });
        done.await.map_err(Error::broken)?.map_err(|error| Error::broken(error.to_string()))
    }
}

/// Argon2id with the parameters that OWASP recommends first for 19 MiB.
fn argon2() -> Result<Argon2<'static>, HashError> {
    let params = Params::new(19_456, 2, 1, None).map_err(HashError::from)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_fits_its_password_only_and_has_a_salt_of_its_own() {
        let passwords = Passwords::default();
        let first = passwords.hash("correct horse".to_owned()).await.unwrap();
        let second = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(first.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{first}");
        assert_ne!(first, second);
        assert!(passwords.verify("correct horse".to_owned(), first.clone()).await.unwrap());
        assert!(!passwords.verify("correct house".to_owned(), first).await.unwrap());
    }

    #[tokio::test]
    async fn nobodys_hash_takes_the_same_work_and_fits_nothing() {
        let parsed = PasswordHash::new(NOBODYS).unwrap();
        let params = Params::try_from(&parsed).unwrap();
        assert_eq!((params.m_cost(), params.t_cost(), params.p_cost()), (19_456, 2, 1));
        assert_eq!(parsed.hash.unwrap().len(), 32);
        let passwords = Passwords::default();
        assert!(!passwords.verify("anything".to_owned(), NOBODYS.to_owned()).await.unwrap());
    }

    #[tokio::test]
    async fn whoever_comes_when_too_many_wait_is_asked_to_try_again() {
        let passwords = Passwords::default();
        let all = u32::try_from(UNDER_WAY).unwrap();
        let _taken = Arc::clone(&passwords.waiting).acquire_many_owned(all).await.unwrap();
        let refused = passwords.hash("correct horse".to_owned()).await.unwrap_err();
        assert!(matches!(refused, Error::Refused(Refusal::TooManyAttempts { .. })));
    }
}
