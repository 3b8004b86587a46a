//! Questions for intervals, and the thread that answers them.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use domain::{Confidence, ProjectId, Revision, Switches, Unitizing};
use tokio::time::Instant;

use super::{
    resample::{Sample, resample, seed},
    subject::{Answering, Estimate, Job, Subject},
    wanted::Generation,
};
use crate::{LabelChoices, Live, Narrowing, Tallies, project::LiveProject};

/// How long results are gathered before they are told.
const GATHER: Duration = Duration::from_millis(300);

/// Somebody's question for intervals, asked before they read the tallies and the labels. What has
/// been invalidated since is neither answered nor computed for them: they are told, and ask again.
pub struct Question {
    project: Arc<LiveProject>,
    id: ProjectId,
    generation: Generation,
    switches: Switches,
}

/// Settles intervals for what cannot wait to be told, and shares what is known with those who look.
/// Begun before the tallies and the labels are read, as a question is.
pub struct Settling {
    project: Arc<LiveProject>,
    id: ProjectId,
    generation: Generation,
}

impl Settling {
    /// The interval of a subject as these tallies count it. Where it is not known yet it is
    /// computed: this takes a thread that may block.
    pub fn settle(
        &self,
        tallies: &Tallies,
        switches: Switches,
        subject: Subject,
        labels: &LabelChoices,
    ) -> Confidence {
        let job = Job::new(switches.without_scale(), subject);
        let moved = subject.moved(tallies);
        if let Some(known) = self.project.intervals().find(job, moved, self.generation) {
            return known.confidence();
        }
        let sample = Sample::of(tallies, job, labels);
        let outcome = resample(&sample, seed(self.id, subject), || true);
        let Some(outcome) = outcome else { return Confidence::Pending };
        self.project.intervals().learn(job, moved, outcome, self.generation);
        outcome.confidence()
    }
}

/// Somebody follows a project's intervals under some switches: they are worth computing.
pub struct Interest {
    project: Arc<LiveProject>,
    switches: Switches,
}

impl<R> Live<R> {
    /// Begins a question; for a while from now on its answer counts as looked at.
    pub fn ask(&self, id: ProjectId, switches: Switches) -> Question {
        let (project, switches) = (self.project(id), switches.without_scale());
        let generation = project.intervals().asked(switches, Instant::now());
        Question { project, id, generation, switches }
    }

    /// Begins to settle intervals.
    pub fn settling(&self, id: ProjectId) -> Settling {
        let project = self.project(id);
        let generation = project.intervals().generation();
        Settling { project, id, generation }
    }

    /// Has a project's intervals under some switches computed, until the interest is dropped.
    pub fn register_interest(&self, project: ProjectId, switches: Switches) -> Interest {
        let (project, switches) = (self.project(project), switches.without_scale());
        project.intervals().add_follower(switches);
        Interest { project, switches }
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        self.project.intervals().remove_follower(self.switches);
    }
}

impl Answering for Question {
    fn answer(&self, tallies: &Tallies, subject: Subject) -> Confidence {
        self.find(tallies, subject).map_or(Confidence::Pending, Estimate::confidence)
    }

    fn units(&self, tallies: &Tallies) -> Option<Unitizing> {
        match self.find(tallies, Subject::Units)? {
            Estimate::Units(unitizing) => Some(unitizing),
            Estimate::Interval(_) => None,
        }
    }
}

impl Question {
    fn find(&self, tallies: &Tallies, subject: Subject) -> Option<Estimate> {
        let job = Job::new(self.switches, subject);
        let moved = subject.moved(tallies);
        self.project.intervals().find_or_want(job, moved, self.generation)
    }

    /// Has what is pending computed, by one thread for the whole project.
    pub fn compute_pending(self, labels: &Arc<LabelChoices>) {
        if self.project.intervals().start(labels, self.generation) {
            let Self { project, id, .. } = self;
            let project = Arc::downgrade(&project);
            // It ends by itself; nobody waits for it.
            drop(tokio::task::spawn_blocking(move || compute_wanted(&project, id)));
        }
    }
}

/// What one step of the thread needs.
struct Task {
    job: Job,
    moved: Revision,
    generation: Generation,
    sample: Sample,
}

impl LiveProject {
    /// The next thing to compute, with its counts as of now: what was asked for may have moved on.
    fn next_task(&self) -> Option<Task> {
        loop {
            let (job, labels, generation) = self.intervals().next(Instant::now())?;
            // Tallies that are gone are being counted anew, and whoever looks asks again.
            let part = Narrowing::of(job.switches);
            let turn = self.turn(part).blocking_lock_owned();
            let Some(whole) = self.ready() else { continue };
            let tallies = self.narrow(&whole, part);
            drop((whole, turn));
            let Some(tallies) = tallies else { continue };
            let moved = job.subject.moved(&tallies);
            if !self.intervals().is_known(job, moved) {
                // The tallies are held no longer than this: a save copies what somebody reads.
                let sample = Sample::of(&tallies, job, &labels);
                return Some(Task { job, moved, generation, sample });
            }
        }
    }
}

/// Computes what is wanted until nothing is, nobody looks, or the server stops.
fn compute_wanted(project: &Weak<LiveProject>, id: ProjectId) {
    let _working = Working(project);
    let (mut notified_at, mut has_learnt) = (Instant::now(), false);
    let upgraded = || project.upgrade();
    while let Some(task) = upgraded().and_then(|project| project.next_task()) {
        let Task { job, moved, generation, sample } = task;
        // What nobody waits for any more is left half-done.
        let is_wanted = || {
            let project = upgraded();
            project.is_some_and(|project| project.intervals().is_looked_at(job, generation))
        };
        let outcome = resample(&sample, seed(id, job.subject), is_wanted);
        let Some(project) = upgraded() else { return };
        if let Some(outcome) = outcome {
            has_learnt |= project.intervals().learn(job, moved, outcome, generation);
        }
        if has_learnt && notified_at.elapsed() > GATHER {
            project.notify();
            (notified_at, has_learnt) = (Instant::now(), false);
        }
    }
    if let Some(project) = upgraded().filter(|_| has_learnt) {
        project.notify();
    }
}

/// Should the thread panic, another one can be started.
struct Working<'a>(&'a Weak<LiveProject>);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Some(project) = self.0.upgrade()
        {
            project.intervals().stop();
        }
    }
}
