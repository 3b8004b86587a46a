//! Whose turn it is: comparing takes memory and time. A turn is taken before a file is read, so that
//! not more files are held in memory than there are turns.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use domain::{Actor, Error as Refusal, ImportProblem};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Compared, ComparingOptions, compare};
use crate::{Error, Result, Services, reading::UploadedFile};

/// How many comparisons go on at the same time.
const TURNS: usize = 2;

/// How long somebody waits for a turn.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long intervals may take; what is not there by then is left out.
const COMPUTING: Duration = Duration::from_secs(15);

/// The turns of a server.
#[derive(Debug)]
pub struct Turns(Arc<Semaphore>);

impl Default for Turns {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(TURNS)))
    }
}

/// The right to compare once.
#[derive(Debug)]
pub struct Turn {
    _permit: OwnedSemaphorePermit,
}

/// Waits for a turn; refuses if it takes too long. Everybody with an account may compare files:
/// nothing is stored, and nothing that is stored is read. What files can be made to cost is bounded
/// too loosely for strangers.
pub async fn turn(services: &Services, actor: &Actor) -> Result<Turn> {
    if *actor == Actor::Anonymous {
        return Err(Refusal::SignInRequired.into());
    }
    let turns = Arc::clone(&services.turns.0);
    match tokio::time::timeout(PATIENCE, turns.acquire_owned()).await {
        Ok(permit) => Ok(Turn { _permit: permit.map_err(Error::broken)? }),
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
        let until = Instant::now() + COMPUTING;
        let outcome = compare(files, options).map(|compared| make(compared, until));
        drop(turn);
        outcome
    };
    tokio::task::spawn_blocking(work).await.map_err(Error::broken)
}
