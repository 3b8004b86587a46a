//! What the agreement pages show: the matrix.

mod alert;
mod breakdowns;
mod diagnostics;
mod headlines;
mod measured;
mod over_time;
mod own;
mod pair;
mod positions;
mod switches;
mod target;

pub use alert::*;
pub use breakdowns::*;
pub use diagnostics::*;
pub use headlines::*;
pub use measured::*;
pub use over_time::*;
pub use own::*;
pub use pair::*;
pub use positions::*;
pub use switches::*;
pub use target::*;

use std::{cmp::Reverse, fmt, str::FromStr};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Error, MemberId, ProjectId, Rater, Revision, Role};

/// How many positions at least one of two raters judged, and who judged them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CoverageView {
    pub both: u64,
    pub only_first: u64,
    pub only_second: u64,
}

impl CoverageView {
    /// All positions that at least one judged.
    pub const fn positions(self) -> u64 {
        self.both + self.only_first + self.only_second
    }
}

/// A cell of the matrix; stands for both orders of the pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PairCell {
    pub first: MemberId,
    pub second: MemberId,
    pub measured: Measured,
    pub confidence: Confidence,
    /// Positions that were counted.
    pub n: u64,
    pub coverage: CoverageView,
    /// Documents that were compared.
    pub documents: u64,
}

/// A rater against everybody else of a role: counts are added up over the pairs, and the
/// coefficient is that of the sum, not a mean of the pairs' coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PooledCell {
    pub rater: MemberId,
    /// The others' role.
    pub with: Role,
    pub measured: Measured,
    /// Positions that were counted, once for each pair.
    pub n: u64,
    pub coverage: CoverageView,
}

/// A rater who has moved the numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mover {
    pub rater: MemberId,
    pub saves: u64,
    /// The last of them.
    pub at: DateTime<Utc>,
}

switch! {
    /// A measure of several raters at once.
    SeveralMeasure {
        /// Fleiss' κ (Fleiss 1971), with gaps as in Gwet (2014).
        FleissKappa = "fleiss-kappa",
        /// Krippendorff's α for nominal data (Krippendorff 2011).
        Alpha = "alpha",
        /// The mean share of agreeing pairs, by position.
        Percent = "percent",
    }
}

impl Measure {
    /// The measure of all labelers at once that it stands for; none for those of pairs only.
    pub const fn several(self) -> Option<SeveralMeasure> {
        match self {
            Self::Kappa => Some(SeveralMeasure::FleissKappa),
            Self::Alpha => Some(SeveralMeasure::Alpha),
            Self::Percent => Some(SeveralMeasure::Percent),
            _ => None,
        }
    }
}

/// All labelers at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeveralView {
    pub labelers: u64,
    /// Positions that at least two of them judged.
    pub n: u64,
    /// Documents that at least two of them have worked on.
    pub documents: u64,
    /// One row for each measure.
    pub rows: Vec<SeveralRow>,
    /// The measure of the switches, where it weighs how far apart answers are and is not of pairs alone.
    pub graded: Option<GradedRow>,
    /// `α_U`; none while it is being computed.
    pub unitizing: Option<Unitizing>,
}

/// Krippendorff's `α_U` (1995, 2004) of all labelers: spans are units on a continuum of characters,
/// on which the documents lie end to end in the order of their ids. It knows no missing ratings, so
/// only documents count that every labeler with work that counts has worked on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Unitizing {
    /// Labelers with work that counts.
    pub labelers: u64,
    /// Documents that all of them have worked on.
    pub documents: u64,
    /// How long those are together, in Unicode scalar values.
    pub characters: u64,
    /// Spans of all labelers in them; one for each label.
    pub spans: u64,
    /// Observed and expected are disagreements, `D_o` and `D_e`, taken from 1.
    pub measured: Measured,
    pub confidence: Confidence,
}

/// A graded measure of all labelers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GradedRow {
    pub measure: Measure,
    pub measured: Measured,
    pub confidence: Confidence,
    /// Positions that it is of: those that all labelers judged, of an intraclass correlation.
    pub n: u64,
}

/// A measure of all labelers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeveralRow {
    pub measure: SeveralMeasure,
    pub measured: Measured,
    pub confidence: Confidence,
}

/// Who moved the numbers last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LastChange {
    pub at: DateTime<Utc>,
    pub by: String,
}

/// The matrix at one revision of the project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AgreementSnapshot {
    pub project: ProjectId,
    pub revision: Revision,
    pub switches: Switches,
    /// Labelers in the order they joined, then reviewers.
    pub raters: Vec<Rater>,
    /// One cell for each pair, `first` before `second` in the order of the raters.
    pub cells: Vec<PairCell>,
    /// Each rater against all labelers, and against all reviewers, where there are others.
    pub pooled: Vec<PooledCell>,
    /// All labelers at once; none where there are no two.
    pub several: Option<SeveralView>,
    pub last_change: Option<LastChange>,
}

impl AgreementSnapshot {
    /// How many intervals are still to come.
    pub fn pending(&self) -> usize {
        let of_pairs = self.cells.iter().map(|cell| cell.confidence);
        let of_several = self.several.iter().flat_map(|several| &several.rows);
        let of_graded = self.several.iter().filter_map(|several| several.graded);
        let of_units = self.several.iter().filter(|several| several.unitizing.is_none());
        of_pairs
            .chain(of_several.map(|row| row.confidence))
            .chain(of_graded.map(|row| row.confidence))
            .filter(|confidence| *confidence == Confidence::Pending)
            .count()
            + of_units.count()
    }

    /// The newer snapshot is the greater: by its revision, then by the intervals that are there.
    pub fn rank(&self) -> (Revision, Reverse<usize>) {
        (self.revision, Reverse(self.pending()))
    }

    /// The cell of two raters, in either order.
    pub fn cell(&self, a: MemberId, b: MemberId) -> Option<&PairCell> {
        self.cells.iter().find(|cell| {
            (cell.first == a && cell.second == b) || (cell.first == b && cell.second == a)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UndefinedReason;

    #[test]
    fn a_snapshot_with_more_intervals_is_newer_than_one_of_the_same_revision() {
        let cell = |confidence| PairCell {
            first: MemberId(1),
            second: MemberId(2),
            measured: Measured::Undefined(UndefinedReason::OneCategory),
            confidence,
            n: 0,
            coverage: CoverageView::default(),
            documents: 0,
        };
        let snapshot = |revision, confidence| AgreementSnapshot {
            project: ProjectId(1),
            revision: Revision(revision),
            switches: Switches::default(),
            raters: Vec::new(),
            cells: vec![cell(confidence)],
            pooled: Vec::new(),
            several: None,
            last_change: None,
        };
        let there = Confidence::Interval { lower: 0.0, upper: 1.0 };
        assert!(snapshot(1, there).rank() > snapshot(1, Confidence::Pending).rank());
        assert!(snapshot(2, Confidence::Pending).rank() > snapshot(1, there).rank());
    }
}
