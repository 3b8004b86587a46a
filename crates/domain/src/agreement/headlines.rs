//! The two numbers that agreement is headlined by: of all labelers, where both marked and with everything
//! counted. Neither is the number.

use serde::{Deserialize, Serialize};

use crate::{
    Confidence, CoverageView, Measured, PolicyChoice, Revision, SeveralMeasure, Switches, Target,
    TargetVerdict,
};

/// The two numbers, and what they say of the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Headlines {
    pub revision: Revision,
    /// Under which they are counted, but for the policy.
    pub switches: Switches,
    /// The measure, unless that of the switches is [of all and graded](crate::Measure::is_graded_of_all).
    pub measure: SeveralMeasure,
    /// One for each of [`PolicyChoice::HEADLINES`], in their order.
    pub numbers: Vec<HeadlineNumber>,
    /// What was agreed on as good enough; and whether it is reached, where that can be told under these
    /// switches.
    pub target: Option<(Target, Option<TargetVerdict>)>,
}

/// A measure of all labelers under one policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeadlineNumber {
    pub policy: PolicyChoice,
    pub measured: Measured,
    pub confidence: Confidence,
    /// Positions that were counted, in so many documents.
    pub n: u64,
    pub documents: u64,
    /// Positions of all pairs of labelers, each pair for itself.
    pub coverage: CoverageView,
}

impl Headlines {
    /// Whether an interval is still to come.
    pub fn is_pending(&self) -> bool {
        self.numbers.iter().any(|number| number.confidence == Confidence::Pending)
    }

    /// The target with what a number says of it; none of a number that it is not about.
    pub fn judged(&self, policy: PolicyChoice) -> Option<(Target, TargetVerdict)> {
        let (target, verdict) = self.target?;
        let is_shown = target.policy == policy
            && target.measure.several() == Some(self.measure)
            && !self.switches.measure.is_graded_of_all();
        verdict.filter(|_| is_shown).map(|verdict| (target, verdict))
    }
}
