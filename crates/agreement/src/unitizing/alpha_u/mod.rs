//! Krippendorff's alpha for unitizing of 1995 and 2004: do the raters set the same boundaries?

mod differences;
mod documents;
mod parts;
mod sums;

use crate::arithmetic::u256::U256;
use crate::{Continuum, Graded, Undefined};
use differences::Group;
use parts::Parts;

pub use documents::UnitizedDocuments;

/// The disagreements about one category, defined even where their ratio is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaUSteps {
    /// How many units of the category there are.
    pub units: usize,
    /// How many gaps there are between, before and after them, over all raters.
    pub gaps: usize,
    /// The observed disagreement `D_o`.
    pub observed: f64,
    /// The expected disagreement `D_e`.
    pub expected: f64,
}

/// Krippendorff's `α_U` of all categories together.
///
/// # Formula
/// `R` raters, a continuum of length `L`, and for each category `c` the units and, generated, the
/// gaps between them:
/// ```text
/// α_U  = 1 − Σ_c D_o(c) / Σ_c D_e(c)
/// D_o  = Σ_{i ≠ j} Σ_g Σ_h δ²_gh / (R(R−1)L²)
/// δ²   = (b_g − b_h)² + (e_g − e_h)²   two units that intersect; b begin, e end
///      = l_g²                          a unit inside the other's gap
/// D_e  = (2/L) Σ_units [ (N−1)/3 · (2l³ − 3l² + l) + l² Σ_{gaps g ≥ l} (g − l + 1) ]
///        / ( RL(RL − 1) − Σ_units l(l − 1) )
/// ```
/// Both are quotients of integers, which are exact here for every continuum of 64-bit offsets.
/// The value depends on the unit in which the continuum is counted: name it beside the number.
///
/// # Undefined when
/// There are fewer than two raters, nobody marked a unit, a rater's units of one category overlap,
/// or no disagreement is possible because all is marked in units of length 1.
///
/// # Reference
/// Krippendorff, K. (1995). On the reliability of unitizing continuous data. *Sociological
/// Methodology*, 25, 47–76. Over several categories: Krippendorff, K. (2004). *Content Analysis*,
/// 2nd edition, section 11.6. Sage.
///
/// # Example
/// Krippendorff (2004), page 254, printed as .8591 from rounded parts; exactly .85867.
/// ```
/// use agreement::{Continuum, Unit, alpha_u};
///
/// let unit = |(rater, start, length, category)| Unit { rater, start, length, category };
/// let units = [
///     (0, 225, 70, "c"), (0, 370, 30, "c"), (0, 180, 60, "k"), (0, 300, 50, "k"),
///     (1, 220, 80, "c"), (1, 355, 20, "c"), (1, 400, 20, "c"), (1, 180, 60, "k"),
///     (1, 300, 50, "k"),
/// ];
/// let continuum = Continuum::new(150, 300, 2, units.map(unit))?;
/// assert_eq!(format!("{:.5}", alpha_u(&continuum)?.value), "0.85867");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn alpha_u<C: Ord>(continuum: &Continuum<C>) -> Result<Graded, Undefined> {
    let groups = groups(continuum)?;
    let parts = groups.iter().map(|group| Parts::of(group, continuum));
    of_categories(&parts.collect::<Result<Vec<_>, _>>()?)
}

/// All categories together, given by their parts.
fn of_categories(parts: &[Parts]) -> Result<Graded, Undefined> {
    if let [only] = parts {
        return only.alpha();
    }
    let difference: Option<U256> = parts.iter().map(|part| part.difference).sum();
    let scale = parts.first().ok_or(Undefined::NoUnits)?.observed_scale;
    let observed = difference.ok_or(Undefined::TooLarge)?.to_f64() / scale.to_f64();
    // Summed from the smallest, so that neither the order nor the names of categories matter.
    let mut expected: Vec<f64> = parts.iter().map(Parts::expected).collect();
    expected.sort_unstable_by(f64::total_cmp);
    let expected = crate::arithmetic::sum::compensated(expected);
    if expected == 0.0 {
        return Err(Undefined::NoExpectedDisagreement);
    }
    Ok(Graded { value: 1.0 - observed / expected, observed, expected })
}

/// Krippendorff's `α_U` of one category, all others being gaps; see [`alpha_u`].
///
/// # Undefined when
/// As [`alpha_u`], of this category alone; also where nobody used it.
///
/// # Example
/// Krippendorff (1995), page 57, category A on a continuum of 1.2 million points: .553.
/// ```
/// use agreement::{Continuum, Unit, alpha_u_category};
///
/// let units = [(0, 100_000, 400_000), (0, 700_000, 300_000), (1, 200_000, 200_000),
///     (1, 750_000, 100_000)];
/// let units = units.map(|(rater, start, length)| Unit { rater, start, length, category: 'A' });
/// let continuum = Continuum::new(0, 1_200_000, 2, units)?;
/// let alpha = alpha_u_category(&continuum, &'A')?;
/// assert_eq!(format!("{:.3} {:.5}", alpha.value, alpha.observed), "0.553 0.03125");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn alpha_u_category<C: Ord>(
    continuum: &Continuum<C>,
    category: &C,
) -> Result<Graded, Undefined> {
    parts_of_category(continuum, category)?.alpha()
}

/// The disagreements that [`alpha_u_category`] is made of.
///
/// A category that nobody used has none: both are 0.
pub fn alpha_u_steps<C: Ord>(
    continuum: &Continuum<C>,
    category: &C,
) -> Result<AlphaUSteps, Undefined> {
    let parts = parts_of_category(continuum, category)?;
    Ok(AlphaUSteps {
        units: parts.units,
        gaps: parts.gaps,
        observed: parts.observed(),
        expected: parts.expected(),
    })
}

fn check<C: Ord>(continuum: &Continuum<C>) -> Result<(), Undefined> {
    if continuum.raters() < 2 {
        return Err(Undefined::TooFewRaters);
    }
    if continuum.first_self_overlap().is_some() {
        return Err(Undefined::OverlappingUnits);
    }
    Ok(())
}

fn groups<C: Ord>(continuum: &Continuum<C>) -> Result<Vec<Group>, Undefined> {
    check(continuum)?;
    Ok(groups_of(continuum, &continuum.categories()))
}

/// The units of each of the categories, which are sorted.
fn groups_of<C: Ord>(continuum: &Continuum<C>, categories: &[&C]) -> Vec<Group> {
    let mut groups = vec![vec![Vec::new(); continuum.raters()]; categories.len()];
    for unit in continuum.all_units() {
        let index = categories.binary_search(&&unit.category).unwrap_or_default();
        if let Some(stretches) = groups.get_mut(index).and_then(|group| group.get_mut(unit.rater)) {
            stretches.push((unit.start - continuum.begin(), unit.end() - continuum.begin()));
        }
    }
    groups
}

fn parts_of_category<C: Ord>(continuum: &Continuum<C>, category: &C) -> Result<Parts, Undefined> {
    check(continuum)?;
    let group: Group = (0..continuum.raters())
        .map(|rater| {
            let of_category =
                continuum.units(rater).iter().filter(|unit| unit.category == *category);
            of_category
                .map(|unit| (unit.start - continuum.begin(), unit.end() - continuum.begin()))
                .collect()
        })
        .collect();
    Parts::of(&group, continuum)
}
