//! Percent agreement of many raters: how often two of them said the same.

use crate::arithmetic::wide::Wide;
use crate::measures::sums::{per_pair, per_partner};
use crate::{Coefficient, Item, NominalTally, Undefined};

/// The mean share of agreeing pairs of raters, over the items that two or more raters rated.
///
/// # Formula
/// ```text
/// P_i = Σ_k n_ik (n_ik − 1) / m_i (m_i − 1)       p_o = mean of P_i over items with m_i > 1
/// ```
/// Every item weighs the same (Fleiss, Gwet). `expected` is 0.
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]).
///
/// # Reference
/// Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. *Psychological
/// Bulletin* 76(5), 378–382, equations 2 and 3. Gwet, K. L. (2014). *Handbook of Inter-Rater
/// Reliability*, chapter 2.
///
/// # Example
/// Krippendorff (2011), example C: .818 by item, .800 by rating.
/// ```
/// # use agreement::{Ratings, percent_by_item, percent_by_rating, percent_unanimous};
/// let (o, a, b, c, d, e) = (None, Some(1), Some(2), Some(3), Some(4), Some(5));
/// let study = Ratings::from_rows([
///     [a, a, o, a], [b, b, c, b], [c, c, c, c], [c, c, c, c], [b, b, b, b], [a, b, c, d],
///     [d, d, d, d], [a, a, b, a], [b, b, b, b], [o, e, e, e], [o, o, a, a], [o, o, c, o],
/// ])?;
/// let tally = study.nominal_tally();
/// assert_eq!(percent_by_item(&tally)?.value, 9.0 / 11.0);
/// assert_eq!(percent_by_rating(&tally)?.value, 0.8);
/// assert_eq!(percent_unanimous(&tally)?.value, 8.0 / 11.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn percent_by_item<C: Ord + Clone>(tally: &NominalTally<C>) -> Result<Coefficient, Undefined> {
    share_by_item(tally).map(without_chance)
}

/// The share of agreeing pairs of raters, where every rating weighs the same.
///
/// # Formula
/// ```text
/// p_o = Σ_i m_i P_i / Σ_i m_i       over items with m_i > 1
/// ```
/// That is 1 less Krippendorff's observed disagreement; `DKPro` counts so too. It equals
/// [`percent_by_item`] unless ratings are missing, where the example is.
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]).
///
/// # Reference
/// Krippendorff, K. (2004). *Content Analysis*, 2nd edition, chapter 11.
pub fn percent_by_rating<C: Ord + Clone>(
    tally: &NominalTally<C>,
) -> Result<Coefficient, Undefined> {
    let labels: u64 = tally.pairable().into_values().sum();
    if labels == 0 {
        return Err(Undefined::NoSharedPositions);
    }
    let agreeing = per_partner(agreeing_pairs(tally));
    Ok(without_chance(agreeing / Wide::from(labels)))
}

/// The share of items with two or more ratings on which all raters said the same; the example is
/// at [`percent_by_item`].
///
/// # Formula
/// ```text
/// #{i : some n_ik = m_i} / #{i}       over items with m_i > 1
/// ```
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]).
pub fn percent_unanimous<C: Ord + Clone>(
    tally: &NominalTally<C>,
) -> Result<Coefficient, Undefined> {
    let unanimous: u64 = tally.pairable_buckets().map(|(_, bucket)| bucket.unanimous).sum();
    Coefficient::chance_corrected(unanimous.into(), 0, pairable_items(tally).into())
}

/// [`percent_by_item`] on whether an item is of this category: all others are taken as one.
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]). On a category that nobody used all
/// agree.
///
/// # Example
/// Meyer et al. (2014) print .777 for category 1 (rounded down) of Krippendorff (1980), page 139.
/// ```
/// # use agreement::{Ratings, percent_of_category};
/// let items = [
///     [1, 1, 1], [1, 2, 2], [2, 2, 2], [4, 4, 4], [1, 4, 4],
///     [2, 2, 2], [1, 2, 3], [3, 3, 3], [2, 2, 2],
/// ];
/// let study = Ratings::from_rows(items.map(|item| item.map(Some)))?;
/// assert_eq!(percent_of_category(&study.nominal_tally(), &1)?.value, 7.0 / 9.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn percent_of_category<C: Ord + Clone>(
    tally: &NominalTally<C>,
    category: &C,
) -> Result<Coefficient, Undefined> {
    share_of_category(tally, category).map(without_chance)
}

/// The share of agreeing pairs of raters of one item.
///
/// # Undefined when
/// The item has fewer than two ratings ([`Undefined::NoSharedPositions`]).
///
/// # Example
/// ```
/// # use agreement::{Item, percent_on_item};
/// assert_eq!(percent_on_item(&Item::from_iter(["a", "a", "b"]))?.value, 1.0 / 3.0);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn percent_on_item<C: Ord + Clone>(item: &Item<C>) -> Result<Coefficient, Undefined> {
    let pairs = |count: u64| i128::from(count) * (i128::from(count) - 1);
    let agreeing = item.counts().map(|(_, count)| pairs(count)).sum();
    Coefficient::chance_corrected(agreeing, 0, pairs(item.ratings()))
}

/// `p_o`, each item weighing the same.
pub(crate) fn share_by_item<C: Ord + Clone>(tally: &NominalTally<C>) -> Result<Wide, Undefined> {
    match pairable_items(tally) {
        0 => Err(Undefined::NoSharedPositions),
        items => Ok(per_pair(agreeing_pairs(tally)) / Wide::from(items)),
    }
}

/// `p_o` on one category against all others.
///
/// Of an item with `m` ratings, `n` of them this category, `n (n − 1)` pairs agree that it is and
/// `m (m − 1) − 2n (m − 1) + n (n − 1)` that it is not.
pub(crate) fn share_of_category<C: Ord + Clone>(
    tally: &NominalTally<C>,
    category: &C,
) -> Result<Wide, Undefined> {
    let agreeing = tally.pairable_buckets().map(|(raters, bucket)| {
        let cell = bucket.categories.get(category).copied().unwrap_or_default();
        let partners = u128::from(raters - 1);
        let all = u128::from(bucket.items) * u128::from(raters) * partners;
        (raters, all + 2 * cell.agreeing - 2 * u128::from(cell.ratings) * partners)
    });
    match pairable_items(tally) {
        0 => Err(Undefined::NoSharedPositions),
        items => Ok(per_pair(agreeing) / Wide::from(items)),
    }
}

/// How many items two or more raters rated.
pub(crate) fn pairable_items<C: Ord + Clone>(tally: &NominalTally<C>) -> u64 {
    tally.pairable_buckets().map(|(_, bucket)| bucket.items).sum()
}

/// Agreeing pairs of ratings, both ways round, by the number of raters of the item.
pub(crate) fn agreeing_pairs<C: Ord + Clone>(
    tally: &NominalTally<C>,
) -> impl Iterator<Item = (u64, u128)> {
    tally
        .pairable_buckets()
        .map(|(raters, bucket)| (raters, bucket.categories.values().map(|c| c.agreeing).sum()))
}

fn without_chance(share: Wide) -> Coefficient {
    Coefficient::of_shares(share, Wide::ZERO)
}
