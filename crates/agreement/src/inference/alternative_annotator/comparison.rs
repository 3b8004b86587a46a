//! A stand-in beside one annotator.

use std::cmp::Ordering;

use crate::Undefined;
use crate::arithmetic::number::float;
use crate::arithmetic::ratio::ratio;
use crate::inference::distributions::student;

/// The share of wrong rejections among all that is controlled for: `q`.
pub const FALSE_DISCOVERIES: f64 = 0.05;

/// With fewer items a mean is not taken for normal, and nothing is tested.
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

/// A p-value beside those of other tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorrectedTest {
    /// How likely the stand-in seems as good if it is worse by the margin.
    pub p_value: f64,
    /// The same, corrected for the number of annotators who are tested.
    pub corrected: f64,
}

impl CorrectedTest {
    /// Whether the stand-in is no worse, but for the margin.
    pub fn is_won(&self) -> bool {
        self.corrected <= FALSE_DISCOVERIES
    }
}

/// What came of the comparison with one annotator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// The annotator's place.
    pub annotator: usize,
    pub(super) standing: Standing,
    /// The test; undefined with fewer than [`FEWEST_ITEMS`] ([`Undefined::TooFewItems`]).
    pub test: Result<CorrectedTest, Undefined>,
}

impl Comparison {
    /// On how many items the two were compared.
    pub fn items(&self) -> u64 {
        self.standing.items()
    }

    /// `ρ_f`: the share of items on which the stand-in represents the others at least as well; nothing
    /// without items.
    pub fn stand_in_share(&self) -> Option<f64> {
        self.standing.share(self.standing.ahead)
    }

    /// `ρ_h`: the share of items on which the annotator does.
    pub fn annotator_share(&self) -> Option<f64> {
        self.standing.share(self.standing.behind)
    }
}

impl Standing {
    /// Adds an item, by the scores of the stand-in and of the annotator.
    pub(super) fn add(&mut self, stand_in: f64, annotator: f64) {
        match compare(stand_in, annotator) {
            Ordering::Greater => self.ahead += 1,
            Ordering::Equal => self.level += 1,
            Ordering::Less => self.behind += 1,
        }
    }

    pub(super) fn items(&self) -> u64 {
        self.ahead + self.level + self.behind
    }

    /// The share of items on which one of the two, who is better on so many, is at least as good.
    fn share(&self, better: u64) -> Option<f64> {
        let items = self.items();
        (items > 0).then(|| ratio((better + self.level).into(), items.into()))
    }

    /// The p-value of "the annotator is better by the margin, or more", by Student's t.
    pub(super) fn p_value(&self, margin: f64) -> Result<f64, Undefined> {
        if self.items() < FEWEST_ITEMS {
            return Err(Undefined::TooFewItems);
        }
        let (n, won, lost) =
            (i128::from(self.items()), i128::from(self.ahead), i128::from(self.behind));
        // The differences are −1, 0 and 1: their squares add up to those that are not 0.
        let variance = ratio(n * (won + lost) - (lost - won) * (lost - won), n * (n - 1));
        let above = ratio(lost - won, n) - margin;
        if variance <= 0.0 {
            return Ok(if above < 0.0 { 0.0 } else { 1.0 });
        }
        let t = above / libm::sqrt(variance / float(self.items()));
        let half = 0.5 * student::two_sided_tail(t, self.items() - 1);
        Ok(if t < 0.0 { half } else { 1.0 - half })
    }
}

/// Which score is better. Infinite ones are level with their like; one that is no number is worse than any,
/// as nothing is known for it.
fn compare(stand_in: f64, annotator: f64) -> Ordering {
    let apart = (stand_in - annotator).abs();
    if apart.is_finite() && apart <= TIE * (stand_in.abs() + annotator.abs()) {
        return Ordering::Equal;
    }
    let known = annotator.is_nan().cmp(&stand_in.is_nan());
    stand_in.partial_cmp(&annotator).unwrap_or(known)
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::compare;

    #[test]
    fn infinite_scores_are_level_and_what_is_no_number_is_worse() {
        let (most, least, none) = (f64::INFINITY, f64::NEG_INFINITY, f64::NAN);
        for (stand_in, annotator, ordering) in [
            (least, least, Ordering::Equal),
            (most, most, Ordering::Equal),
            (least, -1e308, Ordering::Less),
            (1e308, -1e308, Ordering::Greater),
            (0.0, -0.0, Ordering::Equal),
            (0.3, 0.1 + 0.2, Ordering::Equal),
            (none, least, Ordering::Less),
            (none, none, Ordering::Equal),
        ] {
            assert_eq!(compare(stand_in, annotator), ordering, "{stand_in} {annotator}");
            assert_eq!(compare(annotator, stand_in), ordering.reverse(), "{annotator} {stand_in}");
        }
    }
}
