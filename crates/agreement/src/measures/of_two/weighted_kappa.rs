//! The weighted kappa: Cohen's kappa with disagreements graded by a distance.

use crate::arithmetic::wide::Wide;
use crate::measures::of_many::alpha::measured;
use crate::measures::spread::{Place, absolute_differences, squared_differences};
use crate::{Contingency, Distance, Graded, Undefined};

/// Cohen's weighted kappa of two raters.
///
/// # Formula
/// ```text
/// κ_w = 1 − Σ_ab v_ab p_ab / Σ_ab v_ab p_a p_b
/// ```
/// where `v_ab` is the distance, `p_ab` the share of positions on which the row rater said `a` and
/// the column rater `b`, and `p_a`, `p_b` their own shares. [`Linear`](crate::Linear) and
/// [`Interval`](crate::Interval) are the usual weights |a − b| and (a − b)², of the categories'
/// values; with [`By`](crate::By), of anything else, such as ranks. Neither part is normalised, so
/// that distances may be in any unit. These two take a sort of the categories that occur, other
/// distances are asked for once per pair of them.
///
/// # Undefined when
/// No position is counted ([`Undefined::NoSharedPositions`]), chance would give no disagreement
/// because both raters used one and the same category ([`Undefined::OneCategory`]) or categories
/// without distance ([`Undefined::NoExpectedDisagreement`]), or two categories have no distance
/// ([`Undefined::NoDistance`]).
///
/// # Reference
/// Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement
/// or partial credit. *Psychological Bulletin* 70(4), 213–220.
///
/// # Example
/// Artstein and Poesio (2008), page 568: "Chck" is half as far from the other two tags as they are
/// from each other; printed as .8163.
/// ```
/// # use agreement::{Contingency, weighted_kappa};
/// let mut table = Contingency::new();
/// for (row, counts) in [("STAT", [46, 0, 0]), ("IReq", [6, 32, 6]), ("Chck", [0, 0, 10])] {
///     for (column, count) in ["STAT", "IReq", "Chck"].into_iter().zip(counts) {
///         table.add_count(row, column, count);
///     }
/// }
/// let distance = |a: &&str, b: &&str| if [*a, *b].contains(&"Chck") { 0.5 } else { 1.0 };
/// let kappa = weighted_kappa(&table, &distance)?;
/// assert_eq!(kappa.observed, 0.09);
/// assert_eq!(format!("{:.4}", kappa.value), "0.8163");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn weighted_kappa<C: Ord + Clone>(
    table: &Contingency<C>,
    distance: &impl Distance<C>,
) -> Result<Graded, Undefined> {
    if table.is_empty() {
        return Err(Undefined::NoSharedPositions);
    }
    let margins = table.margins();
    if margins.len() < 2 {
        return Err(Undefined::OneCategory);
    }
    let between = |a: &C, b: &C| match a.cmp(b) {
        std::cmp::Ordering::Less => measured(distance, a, b),
        std::cmp::Ordering::Equal => Ok(Wide::ZERO),
        std::cmp::Ordering::Greater => measured(distance, b, a),
    };
    let mut observed = Vec::new();
    for (a, b, count) in table.cells() {
        observed.push(Wide::from(count) * between(a, b)?);
    }
    let line = |place: &dyn Fn(&C) -> Option<f64>| -> Option<Vec<Place>> {
        margins.iter().map(|(c, margin)| Some((place(c)?, margin.row, margin.column))).collect()
    };
    let n = Wide::from(table.total());
    let expected = if let Some(constant) = distance.constant() {
        let alike = margins.values().map(|m| Wide::from(m.row) * Wide::from(m.column));
        Wide::from(constant) * (n * n - Wide::sum(alike))
    } else if let Some(places) = line(&|category| distance.coordinate(category)) {
        squared_differences(&places)?
    } else if let Some(places) = line(&|category| distance.place(category)) {
        absolute_differences(places)?
    } else {
        let mut expected = Vec::new();
        for (a, row) in margins.iter().filter(|(_, margin)| margin.row > 0) {
            let mut terms = Vec::new();
            for (b, column) in margins.iter().filter(|(_, margin)| margin.column > 0) {
                terms.push(Wide::from(column.column) * between(a, b)?);
            }
            expected.push(Wide::from(row.row) * Wide::sum(terms));
        }
        Wide::sum(expected)
    };
    if expected.is_positive() {
        Ok(Graded::of_disagreement(Wide::sum(observed) / n, expected / (n * n)))
    } else {
        Err(Undefined::NoExpectedDisagreement)
    }
}
