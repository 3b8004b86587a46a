//! Which intervals of a project are known, wanted and looked at. Pure bookkeeping.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
    time::Duration,
};

use domain::{Revision, Switches};
use tokio::time::Instant;

use super::subject::{Estimate, Job};
use crate::LabelChoices;

/// How long a question counts as a look: a page that was just rendered opens its stream in this
/// time, and a program asks again.
const PATIENCE: Duration = Duration::from_secs(30);

/// Counts up whenever something moves that no revision tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Generation(u64);

/// An interval, and the revision in which what it is of moved last.
struct Known {
    moved: Revision,
    outcome: Estimate,
}

/// Who looks at the intervals under some switches.
#[derive(Default)]
struct Viewers {
    followers: usize,
    asked: Option<Instant>,
}

impl Viewers {
    fn are_there(&self, now: Instant) -> bool {
        self.followers > 0 || self.asked.is_some_and(|asked| now < asked + PATIENCE)
    }
}

/// The intervals of a project.
#[derive(Default)]
pub(crate) struct Intervals {
    generation: Generation,
    known: HashMap<Job, Known>,
    /// In the order of the questions, none twice.
    wanted: VecDeque<Job>,
    is_wanted: HashSet<Job>,
    viewers: HashMap<Switches, Viewers>,
    labels: Option<Arc<LabelChoices>>,
    is_working: bool,
}

impl Intervals {
    /// Notes a question, and says in which generation it was asked.
    pub(super) fn asked(&mut self, switches: Switches, now: Instant) -> Generation {
        self.viewers.entry(switches).or_default().asked = Some(now);
        self.generation
    }

    /// The generation of what is there now.
    pub(super) const fn generation(&self) -> Generation {
        self.generation
    }

    /// What is known of the subject as it moved last.
    pub(super) fn find(&self, job: Job, moved: Revision, asked: Generation) -> Option<Estimate> {
        let known = self.known.get(&job)?;
        (asked == self.generation && known.moved == moved).then_some(known.outcome)
    }

    pub(super) fn add_follower(&mut self, switches: Switches) {
        self.viewers.entry(switches).or_default().followers += 1;
    }

    pub(super) fn remove_follower(&mut self, switches: Switches) {
        if let Some(viewers) = self.viewers.get_mut(&switches) {
            viewers.followers = viewers.followers.saturating_sub(1);
        }
    }

    /// Forgets what is known, to make room; whoever looks has it computed again.
    pub(crate) fn forget(&mut self) {
        self.known.clear();
    }

    /// Forgets everything: documents, labels or members have changed.
    pub(crate) fn invalidate(&mut self) {
        self.generation.0 += 1;
        self.known.clear();
        self.wanted.clear();
        self.is_wanted.clear();
        self.labels = None;
    }

    /// What is known of the subject as it moved last, or the promise to compute it.
    pub(super) fn find_or_want(
        &mut self,
        job: Job,
        moved: Revision,
        asked: Generation,
    ) -> Option<Estimate> {
        if asked != self.generation {
            return None;
        }
        match self.known.get(&job) {
            Some(known) if known.moved == moved => Some(known.outcome),
            _ => {
                if self.is_wanted.insert(job) {
                    self.wanted.push_back(job);
                }
                None
            }
        }
    }

    /// Whether a thread is to be started for what is wanted.
    pub(super) fn start(&mut self, labels: &Arc<LabelChoices>, asked: Generation) -> bool {
        if asked != self.generation || self.wanted.is_empty() {
            return false;
        }
        self.labels = Some(Arc::clone(labels));
        !std::mem::replace(&mut self.is_working, true)
    }

    /// The thread has ended.
    pub(super) fn stop(&mut self) {
        self.is_working = false;
    }

    /// What to compute next; if there is nothing, the thread ends. What nobody looks at any more is
    /// dropped, and asked for again by the next who does.
    pub(super) fn next(&mut self, now: Instant) -> Option<(Job, Arc<LabelChoices>, Generation)> {
        self.viewers.retain(|_, viewers| viewers.are_there(now));
        // Without labels a question is being asked at this moment: it starts a thread itself.
        if let Some(labels) = self.labels.clone() {
            while let Some(job) = self.wanted.pop_front() {
                self.is_wanted.remove(&job);
                if self.viewers.keys().any(|looked_at| job.is_seen_under(*looked_at)) {
                    return Some((job, labels, self.generation));
                }
            }
        }
        self.stop();
        None
    }

    /// Whether somebody looks at it, and what it rests on has not been invalidated.
    pub(super) fn is_looked_at(&self, job: Job, generation: Generation) -> bool {
        let now = Instant::now();
        generation == self.generation
            && self
                .viewers
                .iter()
                .any(|(switches, viewers)| viewers.are_there(now) && job.is_seen_under(*switches))
    }

    pub(super) fn is_known(&self, job: Job, moved: Revision) -> bool {
        self.known.get(&job).is_some_and(|known| known.moved == moved)
    }

    /// Takes a result in, unless what it rests on has been invalidated meanwhile.
    pub(super) fn learn(
        &mut self,
        job: Job,
        moved: Revision,
        outcome: Estimate,
        generation: Generation,
    ) -> bool {
        let is_valid = generation == self.generation;
        if is_valid {
            self.known.insert(job, Known { moved, outcome });
        }
        is_valid
    }
}

#[cfg(test)]
mod tests {
    use domain::{Confidence, Filter, Measure, MemberId};

    use super::{super::subject::Subject, *};

    fn job() -> Job {
        let switches = Switches { measure: Measure::Alpha, ..Switches::default() };
        Job { switches, subject: Subject::pair(MemberId(2), MemberId(1)) }
    }

    fn labels() -> Arc<LabelChoices> {
        Arc::new(LabelChoices::of(&[], Filter::NONE))
    }

    const THERE: Estimate = Estimate::Interval(Confidence::Interval { lower: 0.25, upper: 0.75 });

    #[test]
    fn one_thread_computes_and_the_newest_revision_only_is_an_answer() {
        let (mut intervals, now) = (Intervals::default(), Instant::now());
        let asked = intervals.asked(job().switches, now);
        assert_eq!(intervals.find_or_want(job(), Revision(3), asked), None);
        assert!(intervals.start(&labels(), asked));
        assert!(!intervals.start(&labels(), asked), "one is working already");
        let (next, _, generation) = intervals.next(now).unwrap();
        assert_eq!(next, job());
        assert!(intervals.learn(next, Revision(3), THERE, generation));
        assert_eq!(intervals.find_or_want(job(), Revision(3), asked), Some(THERE));
        assert_eq!(intervals.find_or_want(job(), Revision(4), asked), None);
    }

    #[test]
    fn what_nobody_looks_at_is_not_computed() {
        let (mut intervals, now) = (Intervals::default(), Instant::now());
        let asked = intervals.asked(job().switches, now);
        let want = |intervals: &mut Intervals| {
            intervals.find_or_want(job(), Revision(3), asked);
            intervals.start(&labels(), asked);
        };
        want(&mut intervals);
        let later = now + PATIENCE;
        assert!(intervals.next(later).is_none(), "the question is old");
        intervals.add_follower(job().switches);
        want(&mut intervals);
        assert!(intervals.next(later).is_some(), "somebody follows");
        intervals.remove_follower(job().switches);
        want(&mut intervals);
        assert!(intervals.next(later).is_none());
    }

    #[test]
    fn what_was_invalidated_meanwhile_is_neither_learnt_nor_answered() {
        let (mut intervals, now) = (Intervals::default(), Instant::now());
        let asked = intervals.asked(job().switches, now);
        intervals.find_or_want(job(), Revision(3), asked);
        intervals.start(&labels(), asked);
        let (next, _, generation) = intervals.next(now).unwrap();
        intervals.invalidate();
        assert!(!intervals.learn(next, Revision(3), THERE, generation));
        assert_eq!(intervals.find_or_want(job(), Revision(3), asked), None);
        assert!(!intervals.start(&labels(), asked), "an old question wants nothing");
    }
}
