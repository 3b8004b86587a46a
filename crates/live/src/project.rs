//! One project's tallies in memory, and the channel that says they have moved.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use domain::{MemberId, ProjectId, Revision};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, watch};

use crate::{Change, Reader, Tallies, intervals::Intervals, narrowed::Narrowed};

/// What followers are told: that something moved, and by whom if it was a save.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Counts up with every change, also those that come without a revision of their own.
    pub sequence: u64,
    pub by: Option<(MemberId, DateTime<Utc>)>,
}

/// A project's tallies, if they are in memory.
#[derive(Default)]
enum State {
    /// Not in memory.
    #[default]
    Cold,
    /// Being counted from rows; changes that come meanwhile wait here.
    Building(Vec<Change>),
    /// In memory, moved by every save.
    Ready(Arc<Tallies>),
}

/// A project that somebody looks at.
pub(crate) struct LiveProject {
    state: Mutex<State>,
    changing: Arc<AsyncMutex<()>>,
    /// Held while counting from rows, so that two readers do not count at once.
    building: AsyncMutex<()>,
    moved: watch::Sender<Moved>,
    pub(crate) intervals: Mutex<Intervals>,
    pub(crate) narrowed: Mutex<Narrowed>,
}

impl Default for LiveProject {
    fn default() -> Self {
        Self {
            state: Mutex::default(),
            changing: Arc::default(),
            building: AsyncMutex::default(),
            moved: watch::Sender::new(Moved::default()),
            intervals: Mutex::default(),
            narrowed: Mutex::default(),
        }
    }
}

impl LiveProject {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) async fn lock(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.changing).lock_owned().await
    }

    pub(crate) fn follow(&self) -> watch::Receiver<Moved> {
        self.moved.subscribe()
    }

    /// The tallies, if they are in memory.
    pub(crate) fn ready(&self) -> Option<Arc<Tallies>> {
        match &*self.state() {
            State::Ready(tallies) => Some(Arc::clone(tallies)),
            State::Cold | State::Building(_) => None,
        }
    }

    pub(crate) fn is_loaded(&self) -> bool {
        matches!(*self.state(), State::Ready(_))
    }

    pub(crate) fn is_behind(&self, revision: Revision) -> bool {
        matches!(&*self.state(), State::Ready(tallies) if tallies.revision < revision)
    }

    pub(crate) fn apply(&self, change: Change) {
        let by = Some((change.rater, change.at));
        self.advance_narrowed(&change);
        {
            let mut state = self.state();
            match &mut *state {
                State::Cold => {}
                State::Building(waiting) => waiting.push(change),
                State::Ready(tallies) => {
                    if !advance(tallies, change) {
                        *state = State::Cold;
                    }
                }
            }
        }
        self.notify(by);
    }

    pub(crate) fn invalidate(&self) {
        *self.state() = State::Cold;
        self.clear_narrowed();
        self.intervals().invalidate();
        self.notify(None);
    }

    pub(crate) fn notify(&self, by: Option<(MemberId, DateTime<Utc>)>) {
        self.moved.send_modify(|moved| {
            moved.sequence += 1;
            if by.is_some() {
                moved.by = by;
            }
        });
    }

    pub(crate) async fn read<R: Reader>(
        &self,
        reader: &R,
        project: ProjectId,
    ) -> Result<Arc<Tallies>, R::Error> {
        if let Some(tallies) = self.ready() {
            return Ok(tallies);
        }
        let _building = self.building.lock().await;
        if let Some(tallies) = self.ready() {
            return Ok(tallies);
        }
        // From here on changes wait: what the rows already hold of them is passed over below.
        *self.state() = State::Building(Vec::new());
        let counted = count(reader, project).await;
        self.remember(reader, project).await?;
        let mut state = self.state();
        let waiting = match std::mem::take(&mut *state) {
            State::Building(waiting) => waiting,
            // Invalidated meanwhile: these rows may be old, the next reader counts again.
            State::Cold | State::Ready(_) => return counted,
        };
        let mut tallies = counted?;
        for change in waiting {
            if change.revision > tallies.revision && !advance(&mut tallies, change) {
                return Ok(tallies);
            }
        }
        *state = State::Ready(Arc::clone(&tallies));
        Ok(tallies)
    }
}

impl LiveProject {
    /// Takes over from the rows who moved the numbers last, where no save has said it since
    /// the server was started. Followers are not told: nothing has moved.
    async fn remember<R: Reader>(&self, reader: &R, project: ProjectId) -> Result<(), R::Error> {
        if self.moved.borrow().by.is_none() {
            let by = reader.last_move(project).await?;
            self.moved.send_if_modified(|moved| {
                moved.by = moved.by.or(by);
                false
            });
        }
        Ok(())
    }
}

/// Counts a project's tallies from its rows, on a thread that may block.
async fn count<R: Reader>(reader: &R, project: ProjectId) -> Result<Arc<Tallies>, R::Error> {
    let (revision, rows) = reader.ratings(project).await?;
    let tallies = tokio::task::spawn_blocking(move || Tallies::rebuild(revision, rows)).await?;
    Ok(Arc::new(tallies))
}

/// Moves tallies by a change; `false` if they have missed one or do not fit, and are to be
/// counted anew.
fn advance(tallies: &mut Arc<Tallies>, change: Change) -> bool {
    if change.revision != tallies.revision.next() {
        return false;
    }
    // A copy is made only while somebody is still reading the former state.
    let tallies = Arc::make_mut(tallies);
    tallies.revision = change.revision;
    let rater = change.rater;
    change.works.into_iter().all(|(document, work)| tallies.replace(document, rater, work).is_ok())
}
