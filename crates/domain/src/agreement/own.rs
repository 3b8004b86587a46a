//! What a labeler may see of their own agreement, and the floor below which they see nothing of it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::LabelId;

/// What the labeler may see of their own agreement. A value that is none is below the floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OwnAgreement {
    /// This project shows labelers no agreement.
    Never,
    /// The manager has not released it yet.
    NotReleased,
    /// Against the reviewers, as of the last batch.
    GoldOnly { reviewers: Option<OwnValue> },
    /// Pooled over peers and against the reviewers; `as_of` is the release, none if always open.
    Shown { peers: Option<OwnValue>, reviewers: Option<OwnValue>, as_of: Option<DateTime<Utc>> },
}

/// One pooled comparison of a labeler with others, over positions that both judged in documents that
/// both submitted; rounded, so that one position more or less can hardly be seen in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnValue {
    /// None if only one label occurs: agreement by chance is certain then.
    pub kappa: Option<f64>,
    /// As κ.
    pub alpha: Option<f64>,
    /// Positions that were counted, rounded down to 30, 100, 300, 1,000 and so on.
    pub n: u64,
    /// The labels on which the others differed most, most first.
    #[serde(default)]
    pub labels: Vec<OwnLabel>,
}

/// A label that the labeler gave, and on which share of its positions the others gave something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnLabel {
    pub label: LabelId,
    /// The share in tenths, rounded.
    pub tenths: u64,
}

impl OwnLabel {
    /// So many are told, at most.
    pub const MOST: usize = 3;

    /// The share of so many positions, from the fewest on that a batch adds; none where it rounds to
    /// nothing.
    pub fn rounded(label: LabelId, differs: u64, of: u64) -> Option<Self> {
        let tenths = (20 * differs + of).checked_div(2 * of).unwrap_or_default();
        (of >= OwnValue::FEWEST_POSITIONS && tenths > 0).then_some(Self { label, tenths })
    }
}

impl OwnValue {
    /// The fewest documents that a batch adds, the first one included; also the fewest that are
    /// shared with peers beside the one with whom most are, so that a number is nobody's own.
    pub const FEWEST_DOCUMENTS: usize = 5;

    /// The fewest positions that a batch adds.
    pub const FEWEST_POSITIONS: u64 = 30;

    /// From so many positions on one of them moves a value by about the second decimal, which
    /// therefore is shown whole.
    const MANY_POSITIONS: u64 = 300;

    /// Rounds what was counted: to 0.05, of many positions to 0.01, of one peer alone to 0.1.
    pub fn rounded(kappa: Option<f64>, alpha: Option<f64>, n: u64, is_of_one_peer: bool) -> Self {
        let steps = match n {
            _ if is_of_one_peer => 10.0,
            0..Self::MANY_POSITIONS => 20.0,
            Self::MANY_POSITIONS.. => 100.0,
        };
        // Adding nothing makes nothing of minus nothing.
        let round = |value: f64| (value * steps).round() / steps + 0.0;
        let (kappa, alpha) = (kappa.map(round), alpha.map(round));
        Self { kappa, alpha, n: rounded_down(n), labels: Vec::new() }
    }
}

/// To three or one with noughts behind it.
fn rounded_down(n: u64) -> u64 {
    let power = 10_u64.pow(n.checked_ilog10().unwrap_or_default());
    if n / power >= 3 { power * 3 } else { power }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_the_more_the_less_they_rest_on() {
        let value = |value, n, alone| OwnValue::rounded(Some(value), None, n, alone).kappa.unwrap();
        for (given, n, alone, shown) in [
            (0.8374, 39, false, 0.85),
            (0.8374, 39, true, 0.8),
            (0.8374, 299, false, 0.85),
            (0.8374, 300, false, 0.84),
            (0.8374, 3000, true, 0.8),
            (-0.01, 39, false, 0.0),
            (1.0, 39, false, 1.0),
        ] {
            assert_eq!(value(given, n, alone).to_bits(), f64::to_bits(shown), "{given} of {n}");
        }
    }

    #[test]
    fn of_a_label_only_tenths_are_told_and_nothing_of_few_positions() {
        let differs = |differs, of| OwnLabel::rounded(LabelId(1), differs, of).map(|it| it.tenths);
        assert_eq!(differs(7, 30), Some(2));
        assert_eq!(differs(8, 30), Some(3));
        assert_eq!(differs(1, 30), None, "less than half a tenth");
        assert_eq!(differs(29, 29), None, "few positions");
    }

    #[test]
    fn of_positions_only_the_order_of_magnitude_is_said() {
        let n = |n| OwnValue::rounded(None, None, n, false).n;
        assert_eq!([30, 99, 100, 299, 300, 1_234].map(n), [30, 30, 100, 100, 300, 1_000]);
        assert_eq!(n(u64::MAX), 10_u64.pow(19));
    }
}
