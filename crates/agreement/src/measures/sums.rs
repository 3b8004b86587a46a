//! Pairs of ratings, weighted as Krippendorff and as Fleiss weigh them.

use crate::arithmetic::wide::Wide;

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
