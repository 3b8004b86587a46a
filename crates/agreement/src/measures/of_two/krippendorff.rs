//! Krippendorff's alpha: agreement beyond chance of raters who could stand in for each other.

use crate::arithmetic::ratio::ratio;
use crate::arithmetic::wide::Wide;
use crate::measures::of_many::percent::{agreeing_pairs, pairable_items};
use crate::measures::of_two::pair_sums::PairSums;
use crate::measures::sums::per_partner;
use crate::{Coefficient, Contingency, NominalTally, Undefined, alpha_nominal};

/// Krippendorff's alpha of two raters, for categories without an order.
///
/// # Formula
/// With `r = 2n` labels in all, `r_k` of them category `k`:
/// ```text
/// α = (p_a − p_e) / (1 − p_e)
/// p_a = p_a′ · (1 − 1/r) + 1/r        p_a′ = agreements / n
/// p_e = Σ_k π_k²                      π_k  = r_k / r
/// ```
/// This is `1 − D_o / D_e`, written with agreement in place of disagreement; the step from `p_a′`
/// to `p_a` is Krippendorff's correction for small samples. `observed` is `p_a`.
///
/// # Undefined when
/// No position is counted ([`Undefined::NoSharedPositions`]), or the expected disagreement is 0
/// because only one category was used ([`Undefined::OneCategory`]).
///
/// # Reference
/// Krippendorff, K. (1980). *Content Analysis: An Introduction to Its Methodology*. Sage.
/// The notation is that of Gwet, K. L. (2014). *Handbook of Inter-Rater Reliability*, 4th edition.
///
/// # Example
/// Krippendorff's two observers and ten dichotomous units (page 133), printed as .095.
/// ```
/// # use agreement::{Contingency, krippendorff_alpha_nominal};
/// let first = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0];
/// let second = [0, 1, 1, 0, 0, 1, 0, 1, 0, 0];
/// let table: Contingency<_> = first.into_iter().zip(second).collect();
/// let alpha = krippendorff_alpha_nominal(&table)?;
/// assert_eq!(format!("{:.3}", alpha.value), "0.095");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn krippendorff_alpha_nominal<C: Ord + Clone>(
    table: &Contingency<C>,
) -> Result<Coefficient, Undefined> {
    PairSums::of(table).krippendorff_alpha()
}

/// The numbers that the formula of [`krippendorff_alpha_nominal`] is filled in with.
#[derive(Clone, Debug, PartialEq)]
pub struct AlphaSteps<C> {
    /// How many positions were compared.
    pub n: u64,
    /// `r′`, the mean number of labels per position.
    pub r_bar: f64,
    /// Each category that occurs, with `r_k` (its labels) and `π_k` (their share); sorted.
    pub per_category: Vec<(C, u64, f64)>,
    /// `r`, all labels.
    pub r: u64,
    /// `p_a′`, the observed agreement before the correction for small samples.
    pub observed_uncorrected: f64,
    /// `p_a`, the observed agreement.
    pub observed: f64,
    /// `p_e`, the agreement expected by chance.
    pub expected: f64,
    /// `α`, the value of [`krippendorff_alpha_nominal`].
    pub alpha: f64,
}

/// [`krippendorff_alpha_nominal`] step by step; undefined when it is.
///
/// # Example
/// The worked example of Datasaur's documentation: six spans of Labeler A and the Reviewer.
/// ```
/// # use agreement::{Contingency, alpha_steps};
/// let labeler = ["EVE", "PER", "PER", "YEAR", "YEAR", "ORG"];
/// let reviewer = ["TITLE", "PER", "PER", "YEAR", "YEAR", "PER"];
/// let table: Contingency<_> = labeler.into_iter().zip(reviewer).collect();
/// let steps = alpha_steps(&table)?;
/// assert_eq!((steps.n, steps.r, steps.r_bar), (6, 12, 2.0));
/// assert_eq!(steps.per_category[2], ("PER", 5, 5.0 / 12.0));
/// assert_eq!(format!("{:.4}", steps.observed_uncorrected), "0.6667");
/// assert_eq!(format!("{:.4}", steps.observed), "0.6944");
/// assert_eq!(format!("{:.4}", steps.expected), "0.3056");
/// assert_eq!(steps.alpha, 0.56);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn alpha_steps<C: Ord + Clone>(table: &Contingency<C>) -> Result<AlphaSteps<C>, Undefined> {
    let Coefficient { value, observed, expected } = krippendorff_alpha_nominal(table)?;
    let n = table.total();
    let r = 2 * n;
    let per_category = table
        .margins()
        .into_iter()
        .map(|(category, margin)| {
            let labels = margin.row + margin.column;
            (category.clone(), labels, ratio(labels.into(), r.into()))
        })
        .collect();
    Ok(AlphaSteps {
        n,
        r_bar: ratio(r.into(), n.into()),
        per_category,
        r,
        observed_uncorrected: ratio(table.agreements().into(), n.into()),
        observed,
        expected,
        alpha: value,
    })
}

/// [`alpha_nominal`](crate::alpha_nominal) of any number of raters step by step, in the notation
/// of Gwet (2014); undefined when it is.
///
/// ```text
/// p_a′ = Σ_i Σ_k r_ik (r_ik − 1) / (r_i − 1) / r        over items i with r_i > 1 labels
/// p_a = p_a′ · (1 − 1/r) + 1/r          p_e = Σ_k π_k²
/// ```
/// For two raters the numbers are those of [`alpha_steps`].
///
/// # Example
/// ```
/// # use agreement::{Contingency, NominalTally, alpha_steps_of_many};
/// let labeler = ["EVE", "PER", "PER", "YEAR", "YEAR", "ORG"];
/// let reviewer = ["TITLE", "PER", "PER", "YEAR", "YEAR", "PER"];
/// let table: Contingency<_> = labeler.into_iter().zip(reviewer).collect();
/// let steps = alpha_steps_of_many(&NominalTally::from(&table))?;
/// assert_eq!((steps.n, steps.r, steps.r_bar), (6, 12, 2.0));
/// assert_eq!(format!("{:.4}", steps.observed), "0.6944");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn alpha_steps_of_many<C: Ord + Clone>(
    tally: &NominalTally<C>,
) -> Result<AlphaSteps<C>, Undefined> {
    let alpha = alpha_nominal(tally)?.value;
    let n = pairable_items(tally);
    let labels = tally.pairable();
    let r: u64 = labels.values().sum();
    let wide_r = Wide::from(r);
    let uncorrected = per_partner(agreeing_pairs(tally)) / wide_r;
    let expected = labels.values().map(|&labels| Wide::ratio(labels, r).squared());
    Ok(AlphaSteps {
        n,
        r_bar: ratio(r.into(), n.into()),
        r,
        observed_uncorrected: uncorrected.value(),
        observed: ((uncorrected * (wide_r - Wide::ONE) + Wide::ONE) / wide_r).value(),
        expected: Wide::sum(expected).value(),
        alpha,
        per_category: labels
            .into_iter()
            .map(|(category, labels)| (category.clone(), labels, ratio(labels.into(), r.into())))
            .collect(),
    })
}
