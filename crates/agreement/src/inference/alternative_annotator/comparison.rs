//! A stand-in beside one annotator.

use crate::arithmetic::number::float;
use crate::arithmetic::ratio::ratio;
use crate::inference::distributions::{signed_rank, student};

/// The share of wrong rejections among all that is controlled for: `q`.
pub const FALSE_DISCOVERIES: f64 = 0.05;

/// With fewer items a mean is not taken for normal.
pub const FEWEST_ITEMS: u64 = 30;

/// Scores that differ by a smaller part of them count as the same: sums in another order round apart what is
/// equal.
const TIE: f64 = 1e-10;

/// How many items the stand-in or the annotator represents better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    /// The stand-in.
    ahead: u64,
    /// Both alike.
    level: u64,
    /// The annotator.
    behind: u64,
}

/// Which test a p-value is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairedTest {
    /// Student's t of the differences.
    StudentT,
    /// Wilcoxon's signed ranks of the differences, exact.
    SignedRank,
}

/// What came of the comparison with one annotator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The annotator's place.
    pub annotator: usize,
    pub(super) standing: Standing,
    /// Which test was made.
    pub test: PairedTest,
    /// How likely the stand-in seems as good if it is worse by the margin.
    pub p_value: f64,
    /// The same, corrected for the number of annotators.
    pub corrected: f64,
}

impl Comparison {
    /// On how many items the two were compared.
    pub fn items(&self) -> u64 {
        self.standing.items()
    }

    /// `ρ_f`: the share of items on which the stand-in represents the others at least as well.
    pub fn stand_in_share(&self) -> f64 {
        let Standing { ahead, level, .. } = self.standing;
        ratio((ahead + level).into(), self.items().into())
    }

    /// `ρ_h`: the share of items on which the annotator does.
    pub fn annotator_share(&self) -> f64 {
        let Standing { behind, level, .. } = self.standing;
        ratio((behind + level).into(), self.items().into())
    }

    /// Whether the stand-in is no worse, but for the margin.
    pub fn is_won(&self) -> bool {
        self.corrected <= FALSE_DISCOVERIES
    }
}

impl Standing {
    /// Adds an item, by the scores of the stand-in and of the annotator.
    pub(super) fn add(&mut self, stand_in: f64, annotator: f64) {
        let tie = TIE * (stand_in.abs() + annotator.abs());
        // Not by their difference: two scores may be infinite.
        match (stand_in + tie >= annotator, annotator + tie >= stand_in) {
            (true, true) => self.level += 1,
            (true, false) => self.ahead += 1,
            (false, _) => self.behind += 1,
        }
    }

    pub(super) fn items(&self) -> u64 {
        self.ahead + self.level + self.behind
    }

    /// The p-value of "the annotator is better by the margin, or more".
    pub(super) fn test(&self, margin: f64) -> (PairedTest, f64) {
        if self.items() < FEWEST_ITEMS {
            (PairedTest::SignedRank, self.signed_rank(margin))
        } else {
            (PairedTest::StudentT, self.student_t(margin))
        }
    }

    fn student_t(&self, margin: f64) -> f64 {
        let (n, won) = (i128::from(self.items()), i128::from(self.ahead));
        let lost = i128::from(self.behind);
        // The differences are −1, 0 and 1: their squares add up to those that are not 0.
        let variance = ratio(n * (won + lost) - (lost - won) * (lost - won), n * (n - 1));
        let above = ratio(lost - won, n) - margin;
        if variance <= 0.0 {
            return if above < 0.0 { 0.0 } else { 1.0 };
        }
        let t = above / libm::sqrt(variance / float(self.items()));
        let half = 0.5 * student::two_sided_tail(t, self.items() - 1);
        if t < 0.0 { half } else { 1.0 - half }
    }

    fn signed_rank(&self, margin: f64) -> f64 {
        let each = [(-1.0, self.ahead), (0.0, self.level), (1.0, self.behind)];
        signed_rank::lower_tail(&each.map(|(difference, times)| (difference - margin, times)))
    }
}
