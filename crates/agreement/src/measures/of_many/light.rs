//! Light's kappa: the mean of Cohen's kappas over all pairs of raters.

use crate::arithmetic::wide::Wide;
use crate::{NominalPairs, Ratings, Undefined};

/// Light's kappa: the mean of [`cohen_kappa`](crate::cohen_kappa) over all pairs of raters.
///
/// # Formula
/// ```text
/// κ = Σ_pairs κ_pair / pairs
/// ```
/// Each pair is measured on the items that both rated. As a mean of quotients it has no observed
/// and expected part.
///
/// # Undefined when
/// There are fewer than two raters ([`Undefined::TooFewRaters`]), or the kappa of a pair is
/// undefined, for the first such pair's reason: a mean over the others would be one of another
/// study.
///
/// # Reference
/// Light, R. J. (1971). Measures of response agreement for qualitative data: some generalizations
/// and alternatives. *Psychological Bulletin* 76(5), 365–377.
///
/// # Example
/// Three raters whose pairs have kappas of 1, ½ and ½.
/// ```
/// # use agreement::{Ratings, light_kappa};
/// let study = Ratings::from_rows([
///     [Some("a"), Some("a"), Some("a")],
///     [Some("a"), Some("a"), Some("b")],
///     [Some("b"), Some("b"), Some("b")],
///     [Some("b"), Some("b"), Some("b")],
/// ])?;
/// assert_eq!(light_kappa(&study)?, 2.0 / 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn light_kappa<C: Ord + Clone>(study: &Ratings<C>) -> Result<f64, Undefined> {
    let mut kappas = Vec::new();
    for sums in NominalPairs::of(study).sums() {
        sums.cohen_kappa()?;
        // Not the rounded kappas: where they nearly cancel out, their rounding would remain.
        let [observed, expected, whole] = sums.cohen_parts();
        kappas.push(Wide::ratio(observed - expected, whole - expected));
    }
    match u64::try_from(kappas.len()) {
        Ok(pairs) if pairs > 0 => Ok((Wide::sum(kappas) / Wide::from(pairs)).value()),
        _ => Err(Undefined::TooFewRaters),
    }
}
