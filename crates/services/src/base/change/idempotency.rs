//! What is sent again under the same key is carried out once and gets the same answer: the saves of
//! browsers (`Once`), and the requests of programs ([`begin`], [`end`]).
//!
//! Both know who sent what under which key, and refuse a key that stood for something else. They differ
//! in when the answer is kept, and so in where. A save is one transaction, and its answer is written in
//! it: there is never the one without the other, so a page that was cut off may always send again. A
//! request of a program may be anything, also what takes many transactions, and its answer is bytes
//! that only the outermost layer knows: the key is taken before, and the answer is kept after. If the
//! server breaks off between the two, the key says that nobody knows, and the program has to look.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{Actor, Code, Error as Refusal, SaveKey, UserId};
use serde::{Serialize, de::DeserializeOwned};
use store::Tx;
use store::base::answered_requests::{claim, find, keep, release};
use store::work::save_keys::NewSave;

pub use store::base::answered_requests::StoredAnswer;

use crate::{Error, Result, Services, base::secrets::checksum::checksum};

/// Where programs put their key.
const HEADER: &str = "Idempotency-Key";

/// Refuses keys that are too short to be unique or too long to store.
fn check_key(key: &str, field: &str) -> Result<(), Refusal> {
    if (8..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(())
    } else {
        Err(Code::Malformed.of(field, "a key has 8 to 64 visible ASCII characters"))
    }
}

/// Refuses a key that stands for something else than what comes with it now.
fn check_same((stored, now): (&str, &str), field: &str) -> Result<(), Refusal> {
    if stored == now { Ok(()) } else { Err(key_reused(field)) }
}

fn key_reused(field: &str) -> Refusal {
    Code::KeyReused.of(field, "this key was used for something else")
}

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
    check_key(key, HEADER)?;
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
        Some(stored) => {
            check_same((&stored.fingerprint, fingerprint), HEADER)?;
            Ok(stored.answer.map_or(Begun::UnderWay, Begun::Before))
        }
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

/// A save's key and what it stood for, so that the same save sent twice is carried out once.
pub(crate) struct Once {
    user: UserId,
    key: String,
    fingerprint: String,
}

impl Once {
    /// The key of a command, with a fingerprint of everything in it.
    pub(crate) fn new(user: UserId, key: &SaveKey, command: &impl Serialize) -> Result<Self> {
        check_key(&key.0, "key")?;
        let key = key.0.clone();
        let command = serde_json::to_vec(command).map_err(Error::broken)?;
        let fingerprint = checksum(command);
        Ok(Self { user, key, fingerprint })
    }

    /// The answer that this save got before, if it was carried out already.
    pub(crate) async fn answered<T: DeserializeOwned>(&self, tx: &Tx) -> Result<Option<T>> {
        let Some(stored) = store::work::save_keys::find(tx, self.user, &self.key).await? else {
            return Ok(None);
        };
        check_same((&stored.fingerprint, &self.fingerprint), "key")?;
        serde_json::from_str(&stored.response).map(Some).map_err(Error::broken)
    }

    /// Remembers answers, each in the transaction of the save itself.
    pub(crate) async fn remember<'a, A: Serialize + 'a>(
        tx: &Tx,
        answers: impl IntoIterator<Item = (&'a Self, &'a A)>,
        now: DateTime<Utc>,
    ) -> Result<()> {
        let saves = answers.into_iter().map(|(once, answer)| {
            let response = serde_json::to_string(answer).map_err(Error::broken)?;
            Ok(NewSave {
                user: once.user,
                key: &once.key,
                fingerprint: &once.fingerprint,
                response,
            })
        });
        let saves = saves.collect::<Result<Vec<_>>>()?;
        store::work::save_keys::insert(tx, saves, now).await.map_err(|error| match error {
            // The same save sent again would have been answered, and never have come here.
            store::Error::Duplicate(_) => key_reused("key").into(),
            error => error.into(),
        })
    }
}
