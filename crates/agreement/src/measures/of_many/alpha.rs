//! Krippendorff's alpha of any number of raters, with missing ratings and any distance.

use crate::arithmetic::wide::Wide;
use crate::measures::of_many::percent::agreeing_pairs;
use crate::measures::spread::{Place, absolute_differences, squared_differences};
use crate::measures::sums::{per_pair, per_partner};
use crate::{CoincidenceTally, Distance, Graded, Item, NominalTally, Undefined};

/// Krippendorff's alpha of any number of raters, with disagreements graded by a distance.
///
/// # Formula
/// With `o(c, k)` the [coincidences](CoincidenceTally::coincidences), `n_c = Σ_k o(c, k)` and
/// `n = Σ_c n_c`:
/// ```text
/// α = 1 − D_o / D_e
/// D_o = Σ_ck o(c, k) δ²(c, k) / n         D_e = Σ_ck n_c n_k δ²(c, k) / n (n − 1)
/// ```
/// Items with fewer than two ratings do not enter. A category nobody used adds nothing.
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), only one category was used
/// ([`Undefined::OneCategory`]) or all have distance 0 ([`Undefined::NoExpectedDisagreement`]), or
/// two have no distance ([`Undefined::NoDistance`]).
///
/// # Reference
/// Krippendorff, K. (2004). *Content Analysis*, 2nd edition, chapter 11. Krippendorff, K. (2011).
/// Computing Krippendorff's alpha-reliability.
///
/// # Example
/// Example C of the second: four observers, twelve units, printed as .743, .815, .849 and .797.
/// ```
/// # use agreement::{Interval, Nominal, Number, Ordinal, Ratings, Ratio, krippendorff_alpha};
/// let (o, a, b, c, d, e) = (None, Some(1), Some(2), Some(3), Some(4), Some(5));
/// let study = Ratings::from_rows([
///     [a, a, o, a], [b, b, c, b], [c, c, c, c], [c, c, c, c], [b, b, b, b], [a, b, c, d],
///     [d, d, d, d], [a, a, b, a], [b, b, b, b], [o, e, e, e], [o, o, a, a], [o, o, c, o],
/// ])?;
/// let tally = study.coincidences();
/// let rounded = |alpha: f64| format!("{alpha:.3}");
/// assert_eq!(rounded(krippendorff_alpha(&tally, &Nominal)?.value), "0.743");
/// assert_eq!(rounded(krippendorff_alpha(&tally, &Ordinal::of(&tally))?.value), "0.815");
/// assert_eq!(rounded(krippendorff_alpha(&tally, &Interval)?.value), "0.849");
/// assert_eq!(rounded(krippendorff_alpha(&tally, &Ratio)?.value), "0.797");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn krippendorff_alpha<C: Ord + Clone>(
    tally: &CoincidenceTally<C>,
    distance: &impl Distance<C>,
) -> Result<Graded, Undefined> {
    let labels: u64 = tally.nominal().pairable().into_values().sum();
    let expected = expected_disagreement(tally.nominal(), distance)?;
    let mut terms = Vec::new();
    for (raters, a, b, pairs) in tally.unlike_cells() {
        let weight = Wide::ratio(2 * pairs, raters - 1);
        terms.push(weight * measured(distance, a, b)?);
    }
    Ok(Graded::of_disagreement(Wide::sum(terms) / Wide::from(labels), expected))
}

/// Krippendorff's alpha of any number of raters, for categories without an order.
///
/// It equals [`krippendorff_alpha`] with the distance [`Nominal`](crate::Nominal), in time that
/// grows with the categories that occur and not with their pairs; for two raters it equals
/// [`krippendorff_alpha_nominal`](crate::krippendorff_alpha_nominal).
///
/// # Formula
/// ```text
/// α = 1 − (n − 1) (n − Σ_c o(c, c)) / (n² − Σ_c n_c²)
/// ```
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), or only one category was used
/// ([`Undefined::OneCategory`]).
///
/// # Reference
/// Krippendorff, K. (2004). *Content Analysis*, 2nd edition, chapter 11.
///
/// # Example
/// Meyer et al. (2014): three raters of Krippendorff (1980), page 139, printed as .642 with a `D_o` of .259.
/// ```
/// # use agreement::{Ratings, alpha_nominal};
/// let items = [
///     [1, 1, 1], [1, 2, 2], [2, 2, 2], [4, 4, 4], [1, 4, 4],
///     [2, 2, 2], [1, 2, 3], [3, 3, 3], [2, 2, 2],
/// ];
/// let study = Ratings::from_rows(items.map(|item| item.map(Some)))?;
/// let alpha = alpha_nominal(&study.nominal_tally())?;
/// assert_eq!(format!("{:.3} {:.3}", alpha.observed, alpha.value), "0.259 0.642");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn alpha_nominal<C: Ord + Clone>(tally: &NominalTally<C>) -> Result<Graded, Undefined> {
    let labels = tally.pairable();
    let n = wide_total(labels.values());
    if labels.is_empty() {
        return Err(Undefined::NoSharedPositions);
    }
    if labels.len() < 2 {
        return Err(Undefined::OneCategory);
    }
    let agreeing = per_partner(agreeing_pairs(tally));
    let alike = Wide::sum(labels.into_values().map(|labels| Wide::from(labels).squared()));
    let expected = (n * n - alike) / (n * (n - Wide::ONE));
    Ok(Graded::of_disagreement((n - agreeing) / n, expected))
}

/// [`alpha_nominal`] on whether an item is of this category: all others are taken as one.
///
/// # Formula
/// With `n_k` labels of the category and `o(k, k)` their coincidences:
/// ```text
/// α_k = 1 − (n − 1) (n_k − o(k, k)) / n_k (n − n_k)
/// ```
/// A missing rating stays missing.
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), none of these is of the category
/// ([`Undefined::CategoryNotUsed`]), or all are ([`Undefined::OneCategory`]).
///
/// # Example
/// Meyer et al. (2014) print .381 for category 1 of Krippendorff (1980), page 139.
/// ```
/// # use agreement::{Ratings, alpha_of_category};
/// let items = [
///     [1, 1, 1], [1, 2, 2], [2, 2, 2], [4, 4, 4], [1, 4, 4],
///     [2, 2, 2], [1, 2, 3], [3, 3, 3], [2, 2, 2],
/// ];
/// let study = Ratings::from_rows(items.map(|item| item.map(Some)))?;
/// let alpha = alpha_of_category(&study.nominal_tally(), &1)?;
/// assert_eq!(format!("{:.3}", alpha.value), "0.381");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn alpha_of_category<C: Ord + Clone>(
    tally: &NominalTally<C>,
    category: &C,
) -> Result<Graded, Undefined> {
    let labels = tally.pairable();
    let n = wide_total(labels.values());
    if labels.is_empty() {
        return Err(Undefined::NoSharedPositions);
    }
    let of_category = Wide::from(*labels.get(category).ok_or(Undefined::CategoryNotUsed)?);
    if labels.len() < 2 {
        return Err(Undefined::OneCategory);
    }
    let agreeing = per_partner(tally.pairable_buckets().map(|(raters, bucket)| {
        (raters, bucket.categories.get(category).map_or(0, |cell| cell.agreeing))
    }));
    let two = Wide::from(2_u64);
    let expected = two * of_category * (n - of_category) / (n * (n - Wide::ONE));
    Ok(Graded::of_disagreement(two * (of_category - agreeing) / n, expected))
}

/// What one item adds: its disagreement against what is expected of all.
///
/// # Formula
/// ```text
/// α_i = 1 − D_i / D_e        D_i = mean distance of two ratings of the item
/// ```
/// The mean of these, weighted by the items' ratings, is alpha.
///
/// # Undefined when
/// The item has fewer than two ratings ([`Undefined::NoSharedPositions`]), or
/// [`krippendorff_alpha`] of the tally is undefined.
///
/// # Example
/// `DKPro`'s value for the second item of Krippendorff (1980), page 139.
/// ```
/// # use agreement::{Item, Nominal, Ratings, alpha_of_item};
/// let items = [
///     [1, 1, 1], [1, 2, 2], [2, 2, 2], [4, 4, 4], [1, 4, 4],
///     [2, 2, 2], [1, 2, 3], [3, 3, 3], [2, 2, 2],
/// ];
/// let study = Ratings::from_rows(items.map(|item| item.map(Some)))?;
/// let alpha = alpha_of_item(&Item::from_iter(items[1]), &study.coincidences(), &Nominal)?;
/// assert_eq!(format!("{:.4}", alpha.value), "0.0787");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn alpha_of_item<C: Ord + Clone>(
    item: &Item<C>,
    tally: &CoincidenceTally<C>,
    distance: &impl Distance<C>,
) -> Result<Graded, Undefined> {
    if item.ratings() < 2 {
        return Err(Undefined::NoSharedPositions);
    }
    let expected = expected_disagreement(tally.nominal(), distance)?;
    let mut terms = Vec::new();
    for (a, b, pairs) in item.unlike_pairs() {
        let share = per_pair([(item.ratings(), 2 * pairs)]);
        terms.push(share * measured(distance, a, b)?);
    }
    Ok(Graded::of_disagreement(Wide::sum(terms), expected))
}

/// `D_e`, above 0.
fn expected_disagreement<C: Ord + Clone>(
    tally: &NominalTally<C>,
    distance: &impl Distance<C>,
) -> Result<Wide, Undefined> {
    let counts = tally.pairable();
    match counts.len() {
        0 => return Err(Undefined::NoSharedPositions),
        1 => return Err(Undefined::OneCategory),
        _ => {}
    }
    let labels: Vec<(&C, Wide)> = counts.iter().map(|(c, &n)| (*c, Wide::from(n))).collect();
    let n = Wide::sum(labels.iter().map(|&(_, n)| n));
    let line = |place: &dyn Fn(&C) -> Option<f64>| -> Option<Vec<Place>> {
        counts.iter().map(|(category, &n)| Some((place(category)?, n, n))).collect()
    };
    let total = if let Some(constant) = distance.constant() {
        let alike = Wide::sum(labels.iter().map(|(_, n)| n.squared()));
        Wide::from(constant) * (n * n - alike)
    } else if let Some(places) = line(&|category| distance.coordinate(category)) {
        squared_differences(&places)?
    } else if let Some(places) = line(&|category| distance.place(category)) {
        absolute_differences(places)?
    } else {
        sum_over_pairs(&labels, distance)?
    };
    if total.is_positive() {
        Ok(total / (n * (n - Wide::ONE)))
    } else {
        Err(Undefined::NoExpectedDisagreement)
    }
}

/// `Σ_ck n_c n_k δ²(c, k)`, asking for every two categories.
fn sum_over_pairs<C>(
    labels: &[(&C, Wide)],
    distance: &impl Distance<C>,
) -> Result<Wide, Undefined> {
    let mut terms = Vec::new();
    for (index, &(a, n_a)) in labels.iter().enumerate() {
        let mut row = Vec::new();
        for &(b, n_b) in labels.iter().skip(index + 1) {
            row.push(n_b * measured(distance, a, b)?);
        }
        terms.push(n_a * Wide::sum(row));
    }
    Ok(Wide::from(2_u64) * Wide::sum(terms))
}

/// A distance that can be computed with.
pub(crate) fn measured<C>(distance: &impl Distance<C>, a: &C, b: &C) -> Result<Wide, Undefined> {
    let apart = |a: f64, b: f64| Wide::from(a) - Wide::from(b);
    // A difference may have more digits than an f64, and its square twice as many.
    let between = match (distance.coordinate(a), distance.coordinate(b)) {
        (Some(a), Some(b)) => apart(a, b).squared(),
        _ => match (distance.place(a), distance.place(b)) {
            (Some(a), Some(b)) => apart(a, b).abs(),
            _ => Wide::from(distance.between(a, b)),
        },
    };
    if between.value().is_finite() && between.value() >= 0.0 {
        Ok(between)
    } else {
        Err(Undefined::NoDistance)
    }
}

fn wide_total<'a>(labels: impl Iterator<Item = &'a u64>) -> Wide {
    Wide::from(labels.sum::<u64>())
}
