//! What every save has in common, a labeler's and a reviewer's: its key, the lock, one transaction,
//! the tallies, and running to its end once begun.

pub(crate) mod assignments;
pub(crate) mod together;

use chrono::{DateTime, Utc};
use domain::ProjectId;
use live::Change;
use serde::{Serialize, de::DeserializeOwned};
use store::{Tx, continue_in_task};
use tokio::sync::OwnedMutexGuard;

use crate::{Error, Result, Services, base::change::idempotency::Once};

/// What a save has come to in its transaction.
pub(crate) enum Saved<A> {
    /// The work has moved on since the save's base: nothing is to be kept.
    Conflict(A),
    /// To be committed, with what it changes in the tallies: nothing if no number between raters
    /// moves.
    Done(A, Option<Change>),
}

/// Carries a save out: `write` does what is its own, unless its key was answered before.
///
/// The lock is held to the end, so that saves of a project reach the tallies in the order in which
/// they were committed; the answer is kept under the key in the transaction of the work, so that
/// there is never the one without the other.
pub(crate) async fn save<A: Serialize + DeserializeOwned>(
    services: &Services,
    (project, lock): (ProjectId, OwnedMutexGuard<()>),
    once: Option<&Once>,
    now: DateTime<Utc>,
    write: impl AsyncFnOnce(&Tx) -> Result<Saved<A>>,
) -> Result<A> {
    let tx = services.store.begin().await?;
    // Asked before `write` compares revisions: a save that is sent again is based on one that it has moved
    // on from itself, and would meet itself as a conflict.
    if let Some(once) = once
        && let Some(answer) = once.answered(&tx).await?
    {
        return Ok(answer);
    }
    let (answer, change) = match write(&tx).await? {
        Saved::Conflict(answer) => {
            count("conflict");
            return Ok(answer);
        }
        Saved::Done(answer, change) => (answer, change),
    };
    if let Some(once) = once {
        Once::remember(&tx, [(once, &answer)], now).await?;
    }
    commit(services, project, tx, change).await?;
    drop(lock);
    count("done");
    Ok(answer)
}

/// Counts what a save came to.
fn count(outcome: &'static str) {
    metrics::counter!("concord_saves_total", "outcome" => outcome).increment(1);
}

/// Commits what was written under a project's lock, and moves the tallies by it; nothing if no number
/// between raters moves.
async fn commit(
    services: &Services,
    project: ProjectId,
    tx: Tx,
    change: Option<Change>,
) -> Result<()> {
    tx.commit().await?;
    // After the commit, so that nobody counts what may yet be undone; under the lock, so that the next
    // save does not reach the tallies first.
    match change {
        Some(change) => services.live.apply(project, change).await,
        None => services.live.nudge(project),
    }
    Ok(())
}

/// Runs a save to its end even when the one who asked hangs up: a commit without the update of
/// the tallies would have to wait for the next check of the database to be seen.
pub(crate) async fn to_the_end<T: Send + 'static>(
    save: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    tokio::spawn(continue_in_task(save)).await.map_err(Error::broken)?
}
