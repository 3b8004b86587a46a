//! What is sent again under the same key is carried out once and gets the same answer: the saves of
//! browsers (`Once`), and the requests of programs ([`begin`], [`end`]).
//!
//! Both know who sent what under which key, and refuse a key that stood for something else. They differ
//! in when the answer is kept, and so in where. A save is one transaction, and its answer is written in
//! it: there is never the one without the other, so a page that was cut off may always send again. A
//! request of a program may be anything, also what takes many transactions, and its answer is bytes
//! that only the outermost layer knows: the key is taken before, and the answer is kept after. If the
//! server breaks off between the two, the key says that nobody knows, and the program has to look.
//! Each transaction of the request notes under its key that it has committed. After a commit that may have been
//! done or not, the same request sent again is carried out if there is no such note, and only then.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use domain::{Actor, Code, Error as Refusal, SaveKey, UserId};
use serde::{Serialize, de::DeserializeOwned};
use store::Tx;
use store::base::answered_requests::{claim, claim_again, find, keep, release, release_broken_off};
use store::work::save_keys::NewSave;
use tokio::time::sleep;

pub use store::base::answered_requests::{RequestKey, StoredAnswer};

use crate::{Error, Result, Services, base::secrets::checksum::checksum, error_chain};

/// Where programs put their key.
const HEADER: &str = "Idempotency-Key";

/// The status of [`Code::OutcomeUnknown`], the only answer of it that is stored.
const UNKNOWN: u16 = Code::OutcomeUnknown.status();

/// How often, and after which pause each time, an answer is tried to be stored: for an hour.
const MAX_TRIES: u32 = 3_600;
const PAUSE: Duration = Duration::from_secs(1);

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
    /// The request is to be carried out under this key, and its answer to be passed to [`end`].
    Now(RequestKey),
    /// The same request was answered before.
    Before(StoredAnswer),
    /// The same request is being carried out, or was broken off.
    UnderWay,
    /// The same request is stored, and its answer is not known.
    Stored,
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
    let request = RequestKey { user: person, key: key.into() };
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    match claim(&tx, &request, fingerprint, now).await {
        Ok(()) => {
            return match tx.commit().await {
                Ok(()) => Ok(Begun::Now(request)),
                Err(error) => {
                    end(services, request, None).await;
                    Err(not_begun(error))
                }
            };
        }
        Err(store::Error::Duplicate(_)) => drop(tx),
        Err(error) => return Err(error.into()),
    }
    // If there is none, it is given free at this moment.
    let Some(stored) = find(&services.store, &request).await? else {
        return Ok(Begun::UnderWay);
    };
    check_same((&stored.fingerprint, fingerprint), HEADER)?;
    match stored.answer {
        None => Ok(Begun::UnderWay),
        Some(answer) if answer.status == UNKNOWN => resolve(services, request).await,
        Some(answer) => Ok(Begun::Before(answer)),
    }
}

/// The error of a request that is not carried out: whether its key is stored is of no concern to its sender.
fn not_begun(error: store::Error) -> Error {
    match error.into() {
        Error::Refused(Refusal::OutcomeUnknown) => Refusal::DatabaseUnavailable.into(),
        error => error,
    }
}

/// Finds out how a request ended of which the commit may have been done or not.
async fn resolve(services: &Services, request: RequestKey) -> Result<Begun> {
    let tx = services.store.begin().await?;
    if claim_again(&tx, &request, UNKNOWN).await? {
        tx.commit().await.map_err(not_begun)?;
        return Ok(Begun::Now(request));
    }
    let is_stored = find(&tx, &request).await?.is_some_and(|stored| stored.has_committed);
    Ok(if is_stored { Begun::Stored } else { Begun::UnderWay })
}

/// Stores what the request under a key was answered, or gives the key free if there is nothing worth
/// storing, since nothing was done. While the storage fails it is tried again, and nobody waits for that.
pub async fn end(services: &Arc<Services>, request: RequestKey, answer: Option<StoredAnswer>) {
    let Err(error) = try_to_end(services, &request, answer.as_ref()).await else { return };
    let error = error_chain(&error);
    tracing::warn!(error, "the answer to a request with a key is not stored yet");
    let services = Arc::downgrade(services);
    tokio::spawn(async move {
        for _ in 0..MAX_TRIES {
            sleep(PAUSE).await;
            let Some(services) = services.upgrade() else { return };
            if try_to_end(&services, &request, answer.as_ref()).await.is_ok() {
                return;
            }
        }
    });
}

/// Gives free the keys of requests that a server has broken off before anything of them was stored. There is one
/// server for a file of SQLite; on PostgreSQL another one may be carrying them out.
pub async fn release_after_start(services: &Services) -> Result<()> {
    if services.store.file().is_none() {
        return Ok(());
    }
    let tx = services.store.begin().await?;
    release_broken_off(&tx).await?;
    Ok(tx.commit().await?)
}

async fn try_to_end(
    services: &Services,
    request: &RequestKey,
    answer: Option<&StoredAnswer>,
) -> Result<()> {
    let tx = services.store.begin().await?;
    match answer {
        Some(answer) => keep(&tx, request, answer).await?,
        None => release(&tx, request).await?,
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
