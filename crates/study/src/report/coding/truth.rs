//! The share of true agreement of two raters on each label.

use agreement::inference::{
    Binary, Level, TrueAgreement, TwoSided, conservative_interval, homogeneity_interval,
};
use agreement::scales::KRENN_HOMOGENEITY;
use agreement::{Contingency, Undefined, category_counts};
use serde::{Deserialize, Serialize};

use crate::report::{Band, Reason, bands};

/// The most labels; the most frequent come first.
const MOST_LABELS: usize = 50;
/// The most positions of all labels together.
const MOST_STEPS: u64 = 10_000_000;
/// The most positions of the conservative interval, which goes through all divisions of them.
const MOST_POSITIONS: u64 = 10_000;

/// The shares of positions with true agreement on one label that fit the data, after Krenn, Evert
/// and Zinsmeister (2004).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrueAgreementOf {
    /// The label, against all others.
    pub category: String,
    /// How often both chose it, only the first, only the second, and neither.
    pub table: [u64; 4],
    /// If true agreement is as frequent as the label is.
    pub homogeneity: TrueInterval,
    /// Over all divisions into true and chance agreement.
    pub conservative: TrueInterval,
}

/// An interval of shares, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrueInterval {
    /// The lower end.
    pub lower: Option<f64>,
    /// The upper end.
    pub upper: Option<f64>,
    /// Why there is none.
    pub undefined: Option<Reason>,
    /// The words of its authors for the lower end.
    pub band: Option<Band>,
}

pub(super) fn of(
    table: &Contingency<u32>,
    names: &[String],
    confidence: Level,
) -> Vec<TrueAgreementOf> {
    let mut labels: Vec<u32> = table.categories().into_iter().copied().collect();
    let counts = category_counts(table);
    labels.sort_by_key(|label| {
        std::cmp::Reverse(counts.get(label).map_or(0, |counts| counts.said + counts.right))
    });
    if let &[first, second] = labels.as_slice() {
        // What is true of the one is true of the other: the first in order stands for both.
        labels = vec![first.min(second)];
    }
    // The time grows with the positions of each label.
    let bearable = usize::try_from(MOST_STEPS / table.total().max(1)).unwrap_or(usize::MAX);
    labels.truncate(bearable.clamp(1, MOST_LABELS));
    labels.sort_unstable();
    labels.into_iter().map(|label| of_label(table, label, names, confidence)).collect()
}

fn of_label(
    table: &Contingency<u32>,
    label: u32,
    names: &[String],
    confidence: Level,
) -> TrueAgreementOf {
    let binary = Binary::one_vs_rest(table, &label);
    let sides = TwoSided::AtMostAsLikely;
    let conservative = if table.total() > MOST_POSITIONS {
        Err(Undefined::TooManyPositions)
    } else {
        conservative_interval(&binary, confidence, sides)
    };
    let name = usize::try_from(label).ok().and_then(|place| names.get(place));
    TrueAgreementOf {
        category: name.cloned().unwrap_or_default(),
        table: [binary.both, binary.only_row, binary.only_column, binary.neither],
        homogeneity: interval(homogeneity_interval(&binary, confidence, sides), true),
        conservative: interval(conservative, false),
    }
}

fn interval(found: Result<TrueAgreement, Undefined>, has_words: bool) -> TrueInterval {
    match found.map(|shares| shares.interval()) {
        Ok(shares) => TrueInterval {
            lower: Some(shares.lower),
            upper: Some(shares.upper),
            undefined: None,
            band: has_words
                .then(|| bands::band(&KRENN_HOMOGENEITY, shares.lower, Some(shares.lower))),
        },
        Err(reason) => {
            TrueInterval { lower: None, upper: None, undefined: Some(reason.into()), band: None }
        }
    }
}
