//! Randolph's free-marginal kappa: many raters, and chance that spreads evenly.

use crate::arithmetic::wide::Wide;
use crate::measures::of_many::percent::share_by_item;
use crate::{Coefficient, NominalTally, Undefined};

/// Randolph's free-marginal multirater kappa, with `q` categories to choose from.
///
/// # Formula
/// ```text
/// κ_free = (p_o − 1/q) / (1 − 1/q)        p_o as in percent_by_item
/// ```
/// For two raters it is [`bennett_s`](crate::bennett_s), and for any number the coefficient of
/// Brennan and Prediger without weights.
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), there is one choice only
/// ([`Undefined::OneCategory`]), or more than `q` categories occur
/// ([`Undefined::UndeclaredCategory`]).
///
/// # Reference
/// Randolph, J. J. (2005). Free-marginal multirater kappa: an alternative to Fleiss' fixed-marginal
/// multirater kappa. *Joensuu University Learning and Instruction Symposium*.
///
/// # Example
/// Nine items of Krippendorff (1980), page 139, in Meyer et al. (2014): 20/27 agree.
/// ```
/// # use agreement::{Ratings, randolph_kappa};
/// let items = [
///     [1, 1, 1], [1, 2, 2], [2, 2, 2], [4, 4, 4], [1, 4, 4],
///     [2, 2, 2], [1, 2, 3], [3, 3, 3], [2, 2, 2],
/// ];
/// let study = Ratings::from_rows(items.map(|item| item.map(Some)))?;
/// let kappa = randolph_kappa(&study.nominal_tally(), 4)?;
/// assert_eq!((kappa.observed, kappa.expected), (20.0 / 27.0, 0.25));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn randolph_kappa<C: Ord + Clone>(
    tally: &NominalTally<C>,
    q: usize,
) -> Result<Coefficient, Undefined> {
    let observed = share_by_item(tally)?;
    let choices = choices(tally, q)?;
    Ok(Coefficient::of_shares(observed, Wide::ratio(1_u64, choices)))
}

/// How many categories there are to choose from, if it can be so many.
pub(crate) fn choices<C: Ord + Clone>(tally: &NominalTally<C>, q: usize) -> Result<u64, Undefined> {
    if tally.categories().len() > q {
        return Err(Undefined::UndeclaredCategory);
    }
    match u64::try_from(q) {
        Ok(q) if q > 1 => Ok(q),
        Ok(_) => Err(Undefined::OneCategory),
        Err(_) => Err(Undefined::UndeclaredCategory),
    }
}
