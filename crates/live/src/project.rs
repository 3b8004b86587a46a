//! One project's tallies in memory, and the channel that says they have moved.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use chrono::{DateTime, Utc};
use domain::{DocumentRatings, MemberId, ProjectId, Revision};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, mpsc, watch};

use crate::{
    Change, Feed, Narrowing, Reader, Tallies, Tokens,
    intervals::Intervals,
    protocol::{self, Carries, Follows, Place},
    recent::Recent,
};

/// How many parts of a project are kept.
const PARTS: usize = 8;

/// As many documents of a change are moved where it came in; more take a thread that may block.
const FEW: usize = 8;

/// What followers are told: that something moved, and by whom if it was a save.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Counts up with every change, also those that come without a revision of their own.
    pub sequence: u64,
    /// Counts up with every change that is more than somebody's work.
    pub resets: u64,
    pub by: Option<(MemberId, DateTime<Utc>)>,
    /// The revision that it is known for who saved last: what was saved before is told no more.
    known: Revision,
}

impl Moved {
    /// Who saved last as of a revision, and when; none if only a later save is known.
    pub fn by_as_of(&self, revision: Revision) -> Option<(MemberId, DateTime<Utc>)> {
        self.by.filter(|_| self.known <= revision)
    }

    /// Takes in who has saved last as of a revision, unless a later save is known.
    fn know(&mut self, revision: Revision, by: Option<(MemberId, DateTime<Utc>)>) {
        if by.is_some() && self.known <= revision {
            (self.by, self.known) = (by, revision);
        }
    }
}

impl Carries for Arc<Change> {
    fn since(&self) -> Revision {
        self.since
    }

    fn revision(&self) -> Revision {
        self.revision
    }
}

impl Follows<Arc<Change>> for Arc<Tallies> {
    fn revision(&self) -> Revision {
        self.revision
    }

    fn advance(&mut self, change: &Arc<Change>) -> bool {
        advance_whole(Self::make_mut(self), change)
    }
}

/// Moves the tallies of all judgements as they are.
fn advance_whole(tallies: &mut Tallies, change: &Change) -> bool {
    tallies.advance(change, Narrowing::WHOLE)
}

type State = protocol::State<Arc<Tallies>, Arc<Change>>;

/// A project that somebody looks at.
pub(crate) struct LiveProject {
    state: Mutex<State>,
    changing: Arc<AsyncMutex<()>>,
    /// Held while rows or the feed are read, so that two do not at once.
    reading: AsyncMutex<()>,
    moved: watch::Sender<Moved>,
    pub(crate) intervals: Mutex<Intervals>,
    /// Tallies of parts; those of exact positions are moved by saves like the whole.
    pub(crate) narrowed: Recent<Narrowing, Arc<Tallies>>,
    /// Held while a part is counted, so that it is counted once at a time.
    pub(crate) turns: Mutex<HashMap<Narrowing, Weak<AsyncMutex<()>>>>,
    /// The tokens of documents that somebody has worked on, if anybody asks for them.
    pub(crate) tokens: Mutex<Arc<Tokens>>,
    /// When it was read last, by the count of the engine.
    pub(crate) read_at: AtomicU64,
    /// How many times the rows were counted, over all projects of the engine.
    pub(crate) counts: Arc<AtomicU64>,
}

impl Default for LiveProject {
    fn default() -> Self {
        Self {
            state: Mutex::default(),
            changing: Arc::default(),
            reading: AsyncMutex::default(),
            moved: watch::Sender::new(Moved::default()),
            intervals: Mutex::default(),
            narrowed: Recent::of(PARTS),
            turns: Mutex::default(),
            tokens: Mutex::default(),
            read_at: AtomicU64::default(),
            counts: Arc::default(),
        }
    }
}

impl LiveProject {
    /// A project nothing is in memory of, which adds the times that it is counted to `counts`.
    pub(crate) fn counting(counts: &Arc<AtomicU64>) -> Self {
        Self { counts: Arc::clone(counts), ..Self::default() }
    }

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

    /// Moves the tallies by a committed change; false if they lack something before it, and nothing is
    /// moved. What somebody still reads is copied for that, and what changes many documents takes its
    /// time: neither is work for a thread of the runtime.
    pub(crate) async fn apply(self: &Arc<Self>, change: Change) -> bool {
        let (by, revision) = (change.by, change.revision);
        let change = Arc::new(change);
        let place = if let Some(place) = self.advance_in_place(&change) {
            place
        } else {
            let live = Arc::clone(self);
            let moved = tokio::task::spawn_blocking(move || live.advance_shared(&change));
            moved.await.unwrap_or_else(|_| {
                // A panic has left the tallies half moved.
                self.evict();
                Place::Next
            })
        };
        if place == Place::Next {
            self.let_go_of_unmoved();
            self.moved.send_modify(|moved| {
                moved.sequence += 1;
                moved.know(revision, by);
            });
        }
        place != Place::Gap
    }

    /// Moves what nobody reads at the moment; none if the tallies have a reader, or the change has many
    /// documents, and nothing is moved.
    fn advance_in_place(&self, change: &Arc<Change>) -> Option<Place> {
        let mut state = self.state();
        let place = state.place(change);
        if place == Place::Next {
            match &mut *state {
                State::Cold => {}
                State::Building(waiting) => waiting.push(Arc::clone(change)),
                State::Ready(tallies) => {
                    let alone = Arc::get_mut(tallies)
                        .filter(|_| change.works.len().max(change.documents.len()) <= FEW)?;
                    if !advance_whole(alone, change) {
                        *state = State::Cold;
                    }
                }
            }
            drop(state);
            // A part with a reader is counted anew when it is asked for: that is never done here.
            self.narrowed.retain(|of, part| {
                !of.is_moved() || Arc::get_mut(part).is_some_and(|part| part.advance(change, *of))
            });
        }
        Some(place)
    }

    /// Moves copies of what others read. Takes a thread that may block.
    fn advance_shared(&self, change: &Arc<Change>) -> Place {
        self.narrowed.retain(|of, part| !of.is_moved() || Arc::make_mut(part).advance(change, *of));
        // The copy is made outside the lock: whoever looks meanwhile gets the former state at once.
        let former = self.ready();
        let moved = former
            .clone()
            .filter(|tallies| {
                protocol::place(tallies.revision, change.since, change.revision) == Place::Next
            })
            .and_then(|mut tallies| tallies.advance(change).then_some(tallies));
        let mut state = self.state();
        let place = state.place(change);
        if place != Place::Next {
            return place;
        }
        match &mut *state {
            State::Cold => {}
            State::Building(waiting) => waiting.push(Arc::clone(change)),
            State::Ready(now) => {
                let is_former = former.is_some_and(|former| Arc::ptr_eq(&former, now));
                // Another state has been put there meanwhile: the feed has what that lacks.
                if !is_former {
                    return Place::Gap;
                }
                *state = moved.map_or(State::Cold, State::Ready);
            }
        }
        place
    }

    /// Brings what is in memory up to the rows by what the feed says, or lets go of it where the feed
    /// does not say enough.
    pub(crate) async fn catch_up<R: Reader>(
        self: &Arc<Self>,
        reader: &R,
        project: ProjectId,
    ) -> Result<(), R::Error> {
        // What is being counted is brought up once it is there: a save is not to wait for that.
        if !self.is_loaded() {
            return Ok(());
        }
        let begun = Instant::now();
        let _reading = self.reading.lock().await;
        while let Some(tallies) = self.ready() {
            let now = tallies.revision;
            // A reader would have the change copy everything.
            drop(tallies);
            match reader.feed(project, now).await? {
                Feed::UpToDate => break,
                Feed::Everything => {
                    tracing::info!(project.id = project.0, "the feed does not say what has moved");
                    self.invalidate();
                }
                Feed::Change(change) => {
                    metrics::counter!("concord_live_feed_changes_total").increment(1);
                    if self.apply(change).await {
                        break;
                    }
                }
            }
        }
        metrics::histogram!("concord_live_feed_seconds").record(begun.elapsed());
        Ok(())
    }

    /// Lets go of what is in memory, to make room. Nothing has moved, so nobody is told.
    pub(crate) fn evict(&self) {
        *self.state() = State::Cold;
        self.forget_parts();
        self.intervals().forget();
    }

    /// How many bytes the tallies take, about, with those of parts; none if they are not in memory.
    pub(crate) fn bytes(&self) -> Option<u64> {
        let State::Ready(whole) = &*self.state() else { return None };
        let mut bytes = whole.bytes() + self.tokens().bytes();
        self.narrowed.retain(|_, part| {
            bytes += part.bytes();
            true
        });
        Some(bytes)
    }

    /// Whether somebody waits for what moves.
    pub(crate) fn is_followed(&self) -> bool {
        self.moved.receiver_count() > 0
    }

    pub(crate) fn invalidate(&self) {
        *self.state() = State::Cold;
        self.forget_parts();
        self.intervals().invalidate();
        self.announce();
    }

    pub(crate) fn announce(&self) {
        self.moved.send_modify(|moved| {
            moved.sequence += 1;
            moved.resets += 1;
        });
    }

    /// Tells followers that something has moved that is no save.
    pub(crate) fn notify(&self) {
        self.moved.send_modify(|moved| moved.sequence += 1);
    }

    pub(crate) async fn read<R: Reader>(
        &self,
        reader: &R,
        project: ProjectId,
    ) -> Result<Arc<Tallies>, R::Error> {
        if let Some(tallies) = self.ready() {
            return Ok(tallies);
        }
        let _reading = self.reading.lock().await;
        loop {
            if let Some(tallies) = self.ready() {
                return Ok(tallies);
            }
            self.state().begin_building();
            match self.count(reader, project).await {
                Ok(counted) => {
                    if let Some(tallies) = self.state().end_building(counted) {
                        return Ok(tallies);
                    }
                }
                Err(error) => {
                    *self.state() = State::Cold;
                    return Err(error);
                }
            }
        }
    }
}

impl LiveProject {
    /// Counts the tallies from the rows, on a thread that may block.
    async fn count<R: Reader>(
        &self,
        reader: &R,
        project: ProjectId,
    ) -> Result<Arc<Tallies>, R::Error> {
        self.counts.fetch_add(1, Ordering::Relaxed);
        let begun = Instant::now();
        let (pieces, mut next) = mpsc::channel::<Vec<DocumentRatings>>(1);
        let counting = tokio::task::spawn_blocking(move || {
            let mut tallies = Tallies::default();
            while let Some(rows) = next.blocking_recv() {
                tallies.add(rows);
            }
            tallies
        });
        let revision = reader.ratings(project, pieces).await;
        // Waited for also where rows could not be read: it ends as soon as no more come.
        let (counted, revision) = (counting.await?, revision?);
        let tallies = counted.counted_at(revision);
        metrics::histogram!("concord_live_count_seconds").record(begun.elapsed());
        self.remember(reader, project, revision).await?;
        Ok(Arc::new(tallies))
    }

    /// Takes over from the rows who moved the numbers last, where no save has said it that is as new as
    /// they are: there is none since the server was started, or others have saved while nothing was in
    /// memory. Followers are not told: nothing has moved.
    async fn remember<R: Reader>(
        &self,
        reader: &R,
        project: ProjectId,
        revision: Revision,
    ) -> Result<(), R::Error> {
        let is_known = {
            let moved = self.moved.borrow();
            moved.by.is_some() && moved.known >= revision
        };
        if !is_known {
            let by = reader.last_move(project).await?;
            self.moved.send_if_modified(|moved| {
                moved.know(revision, by);
                false
            });
        }
        Ok(())
    }
}

impl LiveProject {
    pub(crate) fn intervals(&self) -> MutexGuard<'_, Intervals> {
        self.intervals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
