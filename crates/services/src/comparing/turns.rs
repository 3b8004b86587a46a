//! Whose turn it is: comparing takes memory and time, and anybody may ask for it. A turn is taken
//! before a file is read, so that not more is held in memory than there are turns.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use domain::{Actor, Error as Refusal, ImportProblem};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Compared, ComparingOptions, MAX_COMPARED_BYTES, MAX_STRANGERS_BYTES, compare};
use crate::{Error, Result, Services, importing::UploadedFile};

/// How many comparisons go on at the same time: for people with an account, and for everybody
/// else. Strangers never take a turn away from people with an account.
const FOR_PEOPLE: usize = 2;
const FOR_STRANGERS: usize = 1;

/// How long somebody waits for a turn.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long intervals may take; what is not there by then is left out.
const COMPUTING: Duration = Duration::from_secs(15);

/// The turns of a server.
#[derive(Debug)]
pub struct Turns {
    people: Arc<Semaphore>,
    strangers: Arc<Semaphore>,
}

impl Default for Turns {
    fn default() -> Self {
        Self {
            people: Arc::new(Semaphore::new(FOR_PEOPLE)),
            strangers: Arc::new(Semaphore::new(FOR_STRANGERS)),
        }
    }
}

/// The right to compare once.
#[derive(Debug)]
pub struct Turn {
    /// The most bytes that the files may have, all together.
    pub most_bytes: usize,
    permit: OwnedSemaphorePermit,
    /// Whether the place rests afterwards for as long as it has worked.
    rests: bool,
}

/// Waits for a turn; refuses if it takes too long. Anybody may compare files: nothing is stored,
/// and nothing that is stored is read.
pub async fn turn(services: &Services, actor: &Actor) -> Result<Turn> {
    let Turns { people, strangers } = &services.turns;
    let (turns, rests, most_bytes) = match actor {
        Actor::Person(_) => (people, false, MAX_COMPARED_BYTES),
        Actor::Anonymous => (strangers, true, MAX_STRANGERS_BYTES),
    };
    match tokio::time::timeout(PATIENCE, Arc::clone(turns).acquire_owned()).await {
        Ok(permit) => Ok(Turn { most_bytes, permit: permit.map_err(Error::broken)?, rests }),
        Err(_) => Err(Refusal::TooManyAttempts { seconds: PATIENCE.as_secs() }.into()),
    }
}

/// Compares files and makes something of it, on a thread that may block; the turn ends when that
/// is done, whether anybody still waits for it or not. The inner error is what is wrong with the
/// files. `make` is given the time until which intervals may be computed.
pub async fn run<T: Send + 'static>(
    turn: Turn,
    files: Vec<UploadedFile>,
    options: ComparingOptions,
    make: impl FnOnce(Compared, Instant) -> T + Send + 'static,
) -> Result<Result<T, Vec<ImportProblem>>> {
    let work = move || {
        let began = Instant::now();
        let outcome = compare(files, options).map(|compared| make(compared, began + COMPUTING));
        (outcome, began.elapsed())
    };
    let working = tokio::spawn(async move {
        let done = tokio::task::spawn_blocking(work).await;
        let Turn { permit, rests, .. } = turn;
        if let Ok((_, took)) = &done
            && rests
        {
            // Half of a processor at the most is at the service of strangers.
            let took = *took;
            tokio::spawn(async move {
                tokio::time::sleep(took).await;
                drop(permit);
            });
        }
        done
    });
    let done = working.await.map_err(Error::broken)?;
    Ok(done.map_err(Error::broken)?.0)
}
