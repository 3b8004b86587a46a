//! The live projects: what is in memory of each, and how it is kept up with the rows.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use domain::{DocumentId, ProjectId, saturating};
use tokio::{
    sync::{OwnedMutexGuard, watch},
    time::{MissedTickBehavior, interval},
};

use crate::{
    Change, Narrowing, Reader, Tallies, Tokens,
    project::{LiveProject, Moved},
};

/// How often the rows are asked whether they have moved on without us: one statement on few columns of
/// the projects in memory. Notifications of the database would say it sooner by a few hundredths of a
/// second, but hold up all commits of a database one after the other, and do not pass a pooler of
/// transactions.
const WATCH_INTERVAL: Duration = Duration::from_millis(100);

/// How often tallies that have grown by saves are held against the memory that there is.
const ROOM_INTERVAL: Duration = Duration::from_secs(1);

/// How many bytes tallies may take where nobody says otherwise.
pub const MEMORY: u64 = 1 << 30;

/// What is in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    pub projects: usize,
    /// Those that somebody follows.
    pub followed: usize,
    /// How many bytes the tallies take, about.
    pub bytes: u64,
}

/// The live projects of this server.
pub struct Live<R> {
    reader: R,
    projects: Mutex<HashMap<ProjectId, Arc<LiveProject>>>,
    /// How many bytes tallies may take, about.
    memory: u64,
    /// Counts the times that any project was read: what was read longest ago has the lowest count.
    reads: AtomicU64,
    /// How many times the rows of any project were counted.
    counts: Arc<AtomicU64>,
    /// When it was known last that what is in memory is what the rows say; at the beginning nothing is.
    looked_at: Mutex<Instant>,
}

impl<R> Live<R> {
    /// The engine over rows; nothing is read before somebody looks, and tallies take no more than so
    /// many bytes, about, but for those of one project.
    pub fn new(reader: R, memory: u64) -> Self {
        let (reads, counts) = (AtomicU64::default(), Arc::default());
        let looked_at = Mutex::new(Instant::now());
        Self { reader, projects: Mutex::default(), memory, reads, counts, looked_at }
    }

    /// How many times the rows of a project were counted so far, of all projects together: once for each
    /// that is first looked at, and again whenever what has moved it is not known.
    pub fn counts(&self) -> u64 {
        self.counts.load(Ordering::Relaxed)
    }

    /// The live project, made on first use.
    pub(crate) fn project(&self, project: ProjectId) -> Arc<LiveProject> {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(LiveProject::counting(&self.counts));
        Arc::clone(projects.entry(project).or_insert_with(new))
    }

    /// Waits for one's turn to change the project. Saves of one project are committed one after
    /// the other anyway (they raise the same revision); taking turns makes them reach the tallies
    /// in the same order.
    pub async fn lock_project(&self, project: ProjectId) -> OwnedMutexGuard<()> {
        self.project(project).lock().await
    }

    /// Drops the tallies: what they are made of has changed in another way than by a save.
    pub fn invalidate(&self, project: ProjectId) {
        self.project(project).invalidate();
    }

    /// Lets go of a project that is deleted: who follows it is told to look again.
    pub fn forget(&self, project: ProjectId) {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = projects.remove(&project);
        drop(projects);
        if let Some(gone) = gone {
            gone.invalidate();
        }
    }

    /// The tallies as of now, if they are in memory.
    pub fn ready(&self, project: ProjectId) -> Option<Arc<Tallies>> {
        self.project(project).ready()
    }

    /// Tells followers to look again: something beside the numbers has moved.
    pub fn nudge(&self, project: ProjectId) {
        self.project(project).notify();
    }

    /// As [`Self::nudge`], where what somebody may see could have changed: followers ask again.
    pub fn announce(&self, project: ProjectId) {
        self.project(project).announce();
    }

    /// Follows the project: a new value for each change.
    pub fn follow(&self, project: ProjectId) -> watch::Receiver<Moved> {
        self.project(project).follow()
    }

    /// The live project, which is read now.
    fn project_to_read(&self, project: ProjectId) -> Arc<LiveProject> {
        let live = self.project(project);
        live.read_at.store(self.reads.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
        live
    }

    /// Lets go of tallies until the rest fits: what was read longest ago goes first, what somebody
    /// follows after everything else, and one project always stays. What is left of the others is
    /// their lock and their channel, which those hold who save and follow.
    fn make_room(&self) {
        let mut loaded: Vec<_> = self
            .loaded()
            .into_iter()
            .filter_map(|(id, live)| Some((live.bytes()?, id, live)))
            .collect();
        let mut bytes: u64 = loaded.iter().map(|(bytes, ..)| bytes).sum();
        if bytes <= self.memory {
            return;
        }
        loaded
            .sort_by_key(|(_, _, live)| (live.is_followed(), live.read_at.load(Ordering::Relaxed)));
        loaded.pop();
        for (freed, id, live) in loaded {
            if bytes <= self.memory {
                return;
            }
            tracing::debug!(project.id = id.0, freed, "tallies make room for others");
            live.evict();
            bytes -= freed;
        }
    }

    /// How long ago it was last known that what is in memory is what the rows say.
    pub fn lag(&self) -> Duration {
        self.looked_at.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    fn note_look(&self) {
        *self.looked_at.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// What is in memory at this moment.
    pub fn held(&self) -> Held {
        let loaded = self.loaded();
        let followed = |live: &&Arc<LiveProject>| live.is_followed();
        Held {
            projects: loaded.len(),
            followed: loaded.iter().map(|(_, live)| live).filter(followed).count(),
            bytes: loaded.iter().filter_map(|(_, live)| live.bytes()).sum(),
        }
    }

    /// The projects whose tallies are in memory, with their revisions.
    fn loaded(&self) -> Vec<(ProjectId, Arc<LiveProject>)> {
        let projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        projects
            .iter()
            .filter(|(_, live)| live.is_loaded())
            .map(|(id, live)| (*id, Arc::clone(live)))
            .collect()
    }
}

impl<R: Reader> Live<R> {
    /// The tallies as of now; counted from rows if they are not in memory.
    pub async fn read(&self, project: ProjectId) -> Result<Arc<Tallies>, R::Error> {
        let live = self.project_to_read(project);
        let is_loaded = live.is_loaded();
        let tallies = live.read(&self.reader, project).await;
        if !is_loaded {
            self.make_room();
        }
        tallies
    }

    /// The tallies of a part of the project as of now.
    pub async fn read_part(
        &self,
        project: ProjectId,
        part: Narrowing,
    ) -> Result<Arc<Tallies>, R::Error> {
        let live = self.project_to_read(project);
        let is_loaded = live.is_loaded();
        let part = live.read_part(&self.reader, project, part).await;
        if !is_loaded {
            self.make_room();
        }
        part
    }

    /// Where the tokens of a project's documents are.
    pub async fn tokens(
        &self,
        project: ProjectId,
        documents: &[DocumentId],
    ) -> Result<Arc<Tokens>, R::Error> {
        self.project(project).learn_tokens(&self.reader, documents).await
    }

    /// Moves the tallies by a committed change. What other servers have committed before it comes from
    /// the feed.
    pub async fn apply(&self, project: ProjectId, change: Change) {
        if !self.project(project).apply(change).await
            && let Err(error) = self.catch_up(project).await
        {
            tracing::warn!(%error, project.id = project.0, "the feed could not be read; trying again");
        }
    }

    /// Takes in what other servers have committed up to now, if the project is in memory.
    pub async fn catch_up(&self, project: ProjectId) -> Result<(), R::Error> {
        self.project(project).catch_up(&self.reader, project).await
    }

    /// Asks ten times a second for the revisions of the projects in memory, for as long as it is polled,
    /// and takes in what other processes have saved.
    pub async fn watch(&self) {
        let [mut look, mut tidy] = [WATCH_INTERVAL, ROOM_INTERVAL].map(|period| {
            let mut tick = interval(period);
            tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
            tick
        });
        loop {
            tokio::select! {
                _ = look.tick() => if let Err(error) = self.check_revisions().await {
                    tracing::warn!(%error, "the revisions could not be read; trying again");
                },
                _ = tidy.tick() => self.make_room(),
            }
        }
    }

    async fn check_revisions(&self) -> Result<(), R::Error> {
        let loaded = self.loaded();
        if loaded.is_empty() {
            metrics::gauge!("concord_live_projects_behind").set(0);
            self.note_look();
            return Ok(());
        }
        let ids: Vec<_> = loaded.iter().map(|(id, _)| *id).collect();
        let revisions: HashMap<_, _> = self.reader.revisions(&ids).await?.into_iter().collect();
        let is_behind = |(project, live): &(ProjectId, Arc<LiveProject>)| {
            revisions.get(project).is_some_and(|revision| live.is_behind(*revision))
        };
        let behind: Vec<_> = loaded.into_iter().filter(is_behind).collect();
        metrics::gauge!("concord_live_projects_behind").set(saturating::<u32>(behind.len()));
        for (project, live) in behind {
            live.catch_up(&self.reader, project).await?;
        }
        self.note_look();
        Ok(())
    }
}
