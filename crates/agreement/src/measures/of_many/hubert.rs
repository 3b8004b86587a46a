//! Hubert's multi-kappa: many raters, each with a distribution of their own.

use crate::arithmetic::number::count64;
use crate::arithmetic::wide::Wide;
use crate::{Coefficient, NominalPairs, Ratings, Undefined};

/// The kappa of Hubert, Conger, and Davies and Fleiss, for raters with distributions of their own.
///
/// # Formula
/// ```text
/// κ = (p_o − p_e) / (1 − p_e)
/// ```
/// where `p_o` and `p_e` are the means, over all pairs of raters, of those of Cohen's kappa. Each
/// pair is taken over the items that both rated. For two raters it is
/// [`cohen_kappa`](crate::cohen_kappa).
///
/// # Undefined when
/// There are fewer than two raters ([`Undefined::TooFewRaters`]), a pair has rated no item in
/// common ([`Undefined::NoSharedPositions`]), or only one category was used
/// ([`Undefined::OneCategory`]).
///
/// # Reference
/// Hubert, L. (1977). Kappa revisited. *Psychological Bulletin* 84(2), 289–297. Conger, A. J.
/// (1980). Integration and generalization of kappas for multiple raters. *Psychological Bulletin*
/// 88(2), 322–328. Davies, M. and Fleiss, J. L. (1982). Measuring agreement for multinomial data.
/// *Biometrics* 38(4), 1047–1051.
///
/// # Example
/// Three raters of Krippendorff (1980), page 139, as `DKPro`, irrCAC and NLTK compute it.
/// ```
/// # use agreement::{Ratings, hubert_kappa};
/// let items = [
///     [1, 1, 1], [1, 2, 2], [2, 2, 2], [4, 4, 4], [1, 4, 4],
///     [2, 2, 2], [1, 2, 3], [3, 3, 3], [2, 2, 2],
/// ];
/// let study = Ratings::from_rows(items.map(|item| item.map(Some)))?;
/// assert_eq!(format!("{:.4}", hubert_kappa(&study)?.value), "0.6379");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn hubert_kappa<C: Ord + Clone>(study: &Ratings<C>) -> Result<Coefficient, Undefined> {
    let mut observed = Vec::new();
    let mut expected = Vec::new();
    let mut one_category = true;
    for sums in NominalPairs::of(study).sums() {
        let [agreeing, by_chance, whole] = sums.cohen_parts();
        if whole == 0 {
            return Err(Undefined::NoSharedPositions);
        }
        one_category &= by_chance == whole;
        observed.push(Wide::ratio(agreeing, whole));
        expected.push(Wide::ratio(by_chance, whole));
    }
    let pairs = Wide::from(count64(observed.len()));
    if observed.is_empty() {
        Err(Undefined::TooFewRaters)
    } else if one_category {
        Err(Undefined::OneCategory)
    } else {
        Ok(Coefficient::of_shares(Wide::sum(observed) / pairs, Wide::sum(expected) / pairs))
    }
}
