//! What every save has in common: its key, the turn, and running to its end once begun.

use domain::{Error as Refusal, SaveKey, UserId};
use serde::{Serialize, de::DeserializeOwned};
use store::{Tx, held_for, purpose};

use crate::{Error, Result, base::checksum::checksum};

/// Runs a save to its end even when the one who asked hangs up: a commit without the update of
/// the tallies would have to wait for the next check of the database to be seen.
pub(crate) async fn to_the_end<T: Send + 'static>(
    save: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    tokio::spawn(held_for(purpose(), save)).await.map_err(Error::broken)?
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
        let key = key.checked()?.to_owned();
        let command = serde_json::to_vec(command).map_err(Error::broken)?;
        let fingerprint = checksum(command);
        Ok(Self { user, key, fingerprint })
    }

    /// The answer that this save got before, if it was carried out already.
    pub(crate) async fn answered<T: DeserializeOwned>(&self, tx: &Tx) -> Result<Option<T>> {
        let Some(stored) = store::work::save_keys::find(tx, self.user, &self.key).await? else {
            return Ok(None);
        };
        if stored.fingerprint != self.fingerprint {
            return Err(Refusal::invalid("key", "this key was used for another save").into());
        }
        serde_json::from_str(&stored.response).map(Some).map_err(Error::broken)
    }

    /// Remembers the answer, in the transaction of the save itself.
    pub(crate) async fn remember(
        &self,
        tx: &Tx,
        answer: &impl Serialize,
        now: chrono::DateTime<chrono::Utc>,
    ) -> Result<()> {
        let answer = serde_json::to_string(answer).map_err(Error::broken)?;
        store::work::save_keys::insert(tx, self.user, &self.key, &self.fingerprint, &answer, now)
            .await?;
        Ok(())
    }
}
