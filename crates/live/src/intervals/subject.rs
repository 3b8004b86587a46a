//! What intervals are wanted of, and what is computed of it.

use domain::{
    Confidence, Measure, MemberId, PolicyChoice, Revision, SeveralMeasure, Switches, Unitizing,
};

use crate::Tallies;

/// What an interval is wanted of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Two raters, the lower id first.
    Pair(MemberId, MemberId),
    /// All labelers at once.
    Labelers(SeveralMeasure),
    /// All labelers at once, by the measure of the switches.
    LabelersGraded,
    /// `α_U` of all labelers, with its value: that takes too long for a request as well.
    Units,
}

impl Subject {
    /// Two raters in whichever order: every measure is the same both ways.
    pub fn pair(first: MemberId, second: MemberId) -> Self {
        Self::Pair(first.min(second), first.max(second))
    }

    /// The revision in which what is counted of the subject moved last.
    pub(super) fn moved(self, tallies: &Tallies) -> Revision {
        match self {
            Self::Pair(first, second) => tallies.moved(first, second),
            Self::Labelers(_) | Self::LabelersGraded => tallies.several_moved(),
            Self::Units => tallies.spans_moved(),
        }
    }
}

/// Who is asked for intervals.
pub trait Answering: Sync {
    /// The interval of a subject as these tallies count it; pending if it is not known (yet).
    fn answer(&self, tallies: &Tallies, subject: Subject) -> Confidence;

    /// `α_U` of all labelers as these tallies, which are of exact positions, have their spans; none if it is
    /// not known (yet).
    fn units(&self, tallies: &Tallies) -> Option<Unitizing>;
}

/// What is computed of a subject.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Estimate {
    Interval(Confidence),
    Units(Unitizing),
}

impl Estimate {
    pub(super) const fn confidence(self) -> Confidence {
        match self {
            Self::Interval(confidence) | Self::Units(Unitizing { confidence, .. }) => confidence,
        }
    }
}

/// An interval to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Job {
    pub(super) switches: Switches,
    pub(super) subject: Subject,
}

impl Job {
    /// The measure of the matrix has no say in what is of all labelers.
    pub(super) fn new(switches: Switches, subject: Subject) -> Self {
        let switches = match subject {
            Subject::Pair(..) | Subject::LabelersGraded => switches,
            Subject::Labelers(_) => Switches { measure: Measure::default(), ..switches },
            // Nor has the policy, but for the documents that count.
            Subject::Units => {
                let documents = switches.policy.documents(switches.documents);
                let (measure, policy) = (Measure::default(), PolicyChoice::Cleaned);
                Switches { measure, policy, documents, ..switches }
            }
        };
        Self { switches, subject }
    }

    /// Whether somebody who looks at these switches sees it.
    pub(super) fn is_seen_under(self, switches: Switches) -> bool {
        Self::new(switches, self.subject) == self
    }
}
