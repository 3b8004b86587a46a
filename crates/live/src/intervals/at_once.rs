//! Intervals of tallies that belong to no project: computed when they are asked for, and forgotten.

use agreement::inference::Resampling;
use domain::{Confidence, ProjectId, Switches, Unitizing};

use super::{
    resample::{RESAMPLES, Sample, resample, seed},
    subject::{Answering, Estimate, Job, Subject},
    units::{self, UnitsSample},
};
use crate::{LabelChoices, Tallies};

/// What belongs to no project is drawn as if it belonged to this one, which there is not.
const NO_PROJECT: ProjectId = ProjectId(0);

/// Answers at once, on a thread that may block. Once it is not time any more, intervals are left out.
pub struct AtOnce<'a> {
    pub switches: Switches,
    pub labels: &'a LabelChoices,
    pub is_time: &'a (dyn Fn() -> bool + Sync),
    /// Whether there is room for `α_U`, which counts each label in each document.
    pub takes_apart: bool,
}

impl Answering for AtOnce<'_> {
    fn answer(&self, tallies: &Tallies, subject: Subject) -> Confidence {
        if !(self.is_time)() {
            return Confidence::Pending;
        }
        let sample = Sample::of(tallies, Job::new(self.switches, subject), self.labels);
        let outcome = resample(&sample, seed(NO_PROJECT, subject), || (self.is_time)());
        outcome.map_or(Confidence::Pending, Estimate::confidence)
    }

    fn units(&self, tallies: &Tallies) -> Option<Unitizing> {
        if !self.takes_apart || !(self.is_time)() {
            return None;
        }
        let sample = UnitsSample::of(tallies, Job::new(self.switches, Subject::Units).switches);
        let resampling =
            Resampling { resamples: RESAMPLES, seed: seed(NO_PROJECT, Subject::Units) };
        units::measured(&sample, resampling, || (self.is_time)())
    }
}
