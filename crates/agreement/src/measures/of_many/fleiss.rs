//! Fleiss' kappa: many raters with one distribution in common, also where ratings are missing.

use std::collections::BTreeMap;

use crate::arithmetic::wide::Wide;
use crate::measures::of_many::percent::{share_by_item, share_of_category};
use crate::{Coefficient, NominalTally, Undefined};

/// Fleiss' kappa of many raters.
///
/// # Formula
/// ```text
/// κ = (p_o − p_e) / (1 − p_e)                p_o as in percent_by_item
/// p_e = Σ_k p_k²                             p_k = mean of n_ik / m_i over items with m_i > 0
/// ```
/// Raters need not be the same on every item, nor be equally many: where ratings are missing this
/// is the extension of Gwet (2014), as in irrCAC.
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), or only one category was used
/// ([`Undefined::OneCategory`]).
///
/// # Reference
/// Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. *Psychological
/// Bulletin* 76(5), 378–382, equations 2 to 7. Gwet, K. L. (2014). *Handbook of Inter-Rater
/// Reliability*, 4th edition, chapter 2.
///
/// # Example
/// Five reviews and 250 coders (after Pustejovsky and Stubbs 2012), printed as .0107.
/// ```
/// # use agreement::{Counts, fleiss_kappa};
/// let study = Counts::from_table(["positive", "neutral", "negative"], [
///     [85, 72, 93], [85, 67, 98], [68, 99, 83], [88, 88, 74], [58, 120, 72],
/// ])?;
/// let kappa = fleiss_kappa(&study.nominal_tally())?;
/// assert_eq!(format!("{:.4} {:.4}", kappa.expected, kappa.value), "0.3346 0.0107");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fleiss_kappa<C: Ord + Clone>(tally: &NominalTally<C>) -> Result<Coefficient, Undefined> {
    let observed = share_by_item(tally)?;
    let shares = shares(tally);
    if shares.len() < 2 {
        return Err(Undefined::OneCategory);
    }
    let expected = Wide::sum(shares.into_values().map(Wide::squared));
    Ok(Coefficient::of_shares(observed, expected))
}

/// Fleiss' kappa of one category against all others.
///
/// # Formula
/// ```text
/// κ_k = (P_k − p_k) / (1 − p_k)
/// P_k = Σ_i n_ik (n_ik − 1) / (m − 1) Σ_i n_ik
/// ```
/// where all items have `m` ratings; it is [`fleiss_kappa`] with all other categories taken as
/// one, which also says what it means where ratings are missing.
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), the category was never used
/// ([`Undefined::CategoryNotUsed`]), or no other was ([`Undefined::OneCategory`]).
///
/// # Reference
/// Fleiss (1971), equations 18 to 20.
///
/// # Example
/// ```
/// # use agreement::{Counts, fleiss_kappa_of_category};
/// let study = Counts::from_table(["a", "b", "c"], [[3, 0, 0], [0, 3, 0], [0, 1, 2]])?;
/// assert_eq!(fleiss_kappa_of_category(&study.nominal_tally(), &"a")?.value, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fleiss_kappa_of_category<C: Ord + Clone>(
    tally: &NominalTally<C>,
    category: &C,
) -> Result<Coefficient, Undefined> {
    let observed = share_of_category(tally, category)?;
    let shares = shares(tally);
    let share = *shares.get(category).ok_or(Undefined::CategoryNotUsed)?;
    if shares.len() < 2 {
        return Err(Undefined::OneCategory);
    }
    let expected = Wide::sum([share.squared(), (Wide::ONE - share).squared()]);
    Ok(Coefficient::of_shares(observed, expected))
}

/// `p_k` of each category that occurs: its mean share of the ratings of an item.
pub(crate) fn shares<C: Ord + Clone>(tally: &NominalTally<C>) -> BTreeMap<&C, Wide> {
    let mut terms: BTreeMap<&C, Vec<Wide>> = BTreeMap::new();
    for (raters, bucket) in tally.buckets() {
        for (category, cell) in &bucket.categories {
            terms.entry(category).or_default().push(Wide::ratio(cell.ratings, raters));
        }
    }
    let items = Wide::from(tally.items());
    let mut shares = BTreeMap::new();
    for (category, terms) in terms {
        shares.insert(category, Wide::sum(terms) / items);
    }
    shares
}
