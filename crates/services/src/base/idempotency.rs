//! Requests of programs under a key of their own: the same request, sent again, is carried out once
//! and gets the same answer. What a key stands for is stored beside the work, not with it: if the
//! server breaks off between the two, the key says that nobody knows, and the program has to look.

use std::sync::Arc;

use domain::{Actor, Code};
use store::base::answered_requests::{claim, find, keep, release};

pub use store::base::answered_requests::StoredAnswer;

use crate::{Result, Services};

/// What a key stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It is new: the request is to be carried out, and [`end`] to be told.
    Now,
    /// The same request was answered before.
    Before(StoredAnswer),
    /// The same request is being carried out, or was broken off.
    UnderWay,
}

/// Takes a key for a request. Refuses a key that stands for another request.
pub async fn begin(
    services: &Arc<Services>,
    actor: &Actor,
    key: &str,
    fingerprint: &str,
) -> Result<Begun> {
    let person = actor.person()?.id;
    if !(8..=64).contains(&key.len()) || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let why = "a key has 8 to 64 visible ASCII characters";
        return Err(Code::Malformed.of("Idempotency-Key", why).into());
    }
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    match claim(&tx, person, key, fingerprint, now).await {
        Ok(()) => {
            tx.commit().await?;
            return Ok(Begun::Now);
        }
        Err(store::Error::Duplicate(_)) => drop(tx),
        Err(error) => return Err(error.into()),
    }
    match find(&services.store, person, key).await? {
        Some(stored) if stored.fingerprint != fingerprint => {
            let why = "this key was used for another request";
            Err(Code::KeyReused.of("Idempotency-Key", why).into())
        }
        Some(stored) => Ok(stored.answer.map_or(Begun::UnderWay, Begun::Before)),
        // Given free at this moment.
        None => Ok(Begun::UnderWay),
    }
}

/// Keeps what the request under a key was answered, or gives the key free if there is nothing worth
/// keeping, since nothing was done.
pub async fn end(
    services: &Arc<Services>,
    actor: &Actor,
    key: &str,
    answer: Option<&StoredAnswer>,
) -> Result<()> {
    let person = actor.person()?.id;
    let tx = services.store.begin().await?;
    match answer {
        Some(answer) => keep(&tx, person, key, answer).await?,
        None => release(&tx, person, key).await?,
    }
    Ok(tx.commit().await?)
}
