//! The measures, one per file: each reads a table of counts and returns a coefficient.

pub(crate) mod alpha;
pub(crate) mod bennett;
pub(crate) mod brennan_prediger;
pub(crate) mod by_name;
pub(crate) mod cohen;
pub(crate) mod fleiss;
pub(crate) mod gwet;
pub(crate) mod hubert;
pub(crate) mod krippendorff;
pub(crate) mod light;
pub(crate) mod nominal_pairs;
pub(crate) mod pair_sums;
pub(crate) mod pairs;
pub(crate) mod percent;
pub(crate) mod percent_of_many;
pub(crate) mod randolph;
pub(crate) mod retrieval;
pub(crate) mod scott;
mod spread;
pub(crate) mod weighted_kappa;
pub(crate) mod weights;

use crate::wide::Wide;

/// `Σ pairs / (m − 1)`, for ordered pairs of ratings by the number `m > 1` of raters of the item:
/// each rating counts once, shared among its partners.
pub(crate) fn per_partner(pairs: impl IntoIterator<Item = (u64, u128)>) -> Wide {
    Wide::sum(pairs.into_iter().map(|(raters, pairs)| Wide::ratio(pairs, raters - 1)))
}

/// `Σ pairs / m(m − 1)`: each item counts once.
pub(crate) fn per_pair(pairs: impl IntoIterator<Item = (u64, u128)>) -> Wide {
    let all = |raters: u64| u128::from(raters) * u128::from(raters - 1);
    Wide::sum(pairs.into_iter().map(|(raters, pairs)| Wide::ratio(pairs, all(raters))))
}
