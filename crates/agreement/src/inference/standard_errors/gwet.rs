//! Gwet's linearised standard errors, for any number of raters and with ratings missing.

use crate::Undefined;
use crate::arithmetic::number::{float, sum};
use crate::inference::{Estimate, ItemCounts, Reference};

/// Fleiss' kappa with Gwet's linearised standard error.
///
/// # Formula
/// With `n` items of which `n′` have two ratings or more, `r_i` ratings of item `i`, of which
/// `r_ik` are category `k`, and `π_k` the mean of `r_ik / r_i` over all items:
/// ```text
/// p_a = mean of p_a|i = Σ_k r_ik (r_ik − 1) / (r_i (r_i − 1)) over the n′ items
/// p_e = Σ_k π_k²        p_e|i = Σ_k π_k r_ik / r_i
/// κ_i = (n / n′) (p_a|i − p_e) / (1 − p_e), and 0 where r_i < 2
/// κ_i* = κ_i − 2 (1 − κ) (p_e|i − p_e) / (1 − p_e)
/// σ² = Σ_i (κ_i* − κ)² / (n (n − 1))
/// ```
/// Intervals refer to Student's t with `n − 1` degrees of freedom.
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), there is only one item
/// ([`Undefined::TooFewUnits`]), or only one category was used ([`Undefined::OneCategory`]).
///
/// # Reference
/// Gwet, K. L. (2014). *Handbook of Inter-Rater Reliability*, 4th edition, chapter 5; the R and
/// Python packages irrCAC compute the same.
///
/// # Example
/// Krippendorff (2004), page 230: four raters, twelve items, ratings missing.
/// ```
/// # use agreement::inference::{ItemCounts, fleiss_kappa_estimate};
/// let items = ["11.1", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", ".555",
///     "..11", "..3."];
/// let ratings = items.map(|item| item.chars().map(|c| (c != '.').then_some(c)));
/// let kappa = fleiss_kappa_estimate(&ItemCounts::from_ratings(ratings))?;
/// assert_eq!(format!("{:.5} ± {:.5}", kappa.value, kappa.standard_error), "0.76117 ± 0.15302");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn fleiss_kappa_estimate(items: &ItemCounts) -> Result<Estimate, Undefined> {
    linearised(items, |shares| Chance {
        expected: sum(shares.iter().map(|share| share * share)),
        slopes: shares.to_vec(),
    })
}

/// Gwet's AC1 with its linearised standard error.
///
/// # Formula
/// As for [`fleiss_kappa_estimate`], with `q` categories to choose from, used or not:
/// ```text
/// p_e = Σ_k π_k (1 − π_k) / (q − 1)
/// p_e|i = Σ_k (1 − π_k) r_ik / r_i / (q − 1)
/// ```
///
/// # Undefined when
/// No item has two ratings ([`Undefined::NoSharedPositions`]), there is only one item
/// ([`Undefined::TooFewUnits`]), or there is only one category to choose from
/// ([`Undefined::OneCategory`]).
///
/// # Reference
/// Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high
/// agreement. *British Journal of Mathematical and Statistical Psychology* 61, 29–48.
///
/// # Example
/// Krippendorff (2004), page 230.
/// ```
/// # use agreement::inference::{ItemCounts, gwet_ac1_estimate};
/// let items = ["11.1", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", ".555",
///     "..11", "..3."];
/// let ratings = items.map(|item| item.chars().map(|c| (c != '.').then_some(c)));
/// let ac1 = gwet_ac1_estimate(&ItemCounts::from_ratings(ratings))?;
/// assert_eq!(format!("{:.5} ± {:.5}", ac1.value, ac1.standard_error), "0.77544 ± 0.14295");
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn gwet_ac1_estimate(items: &ItemCounts) -> Result<Estimate, Undefined> {
    let others = others(items)?;
    linearised(items, |shares| Chance {
        expected: sum(shares.iter().map(|share| share * (1.0 - share))) / others,
        slopes: shares.iter().map(|share| (1.0 - share) / others).collect(),
    })
}

/// The coefficient of Brennan and Prediger with Gwet's linearised standard error.
///
/// # Formula
/// As for [`fleiss_kappa_estimate`], with `q` categories to choose from, used or not:
/// ```text
/// p_e = p_e|i = 1 / q
/// ```
///
/// # Undefined when
/// [`gwet_ac1_estimate`] is.
///
/// # Reference
/// Brennan, R. L. and Prediger, D. J. (1981). Coefficient kappa: some uses, misuses, and
/// alternatives. *Educational and Psychological Measurement* 41, 687–699; the standard error is
/// Gwet's (2014), chapter 5.
pub fn brennan_prediger_estimate(items: &ItemCounts) -> Result<Estimate, Undefined> {
    let expected = 1.0 / (others(items)? + 1.0);
    linearised(items, |shares| Chance { expected, slopes: vec![expected; shares.len()] })
}

/// `q − 1`, which is not 0.
fn others(items: &ItemCounts) -> Result<f64, Undefined> {
    match items.categories() {
        0 => Err(Undefined::NoSharedPositions),
        1 if items.patterns().all(|(pattern, _)| ratings(pattern) < 2.0) => {
            Err(Undefined::NoSharedPositions)
        }
        1 => Err(Undefined::OneCategory),
        categories => u64::try_from(categories - 1).map(float).or(Err(Undefined::OneCategory)),
    }
}

/// The agreement expected by chance.
struct Chance {
    expected: f64,
    /// Per category, what an item adds to its own expected agreement by being all that category.
    slopes: Vec<f64>,
}

/// What the standard error needs to know of the items with one pattern of counts.
struct PatternTerm {
    times: f64,
    /// `p_a|i`, where there are two ratings.
    agreement: Option<f64>,
    /// `p_e|i`.
    expected: f64,
}

fn linearised(
    items: &ItemCounts,
    chance: impl Fn(&[f64]) -> Chance,
) -> Result<Estimate, Undefined> {
    let Chance { expected, slopes } = chance(&shares(items));
    let parts: Vec<PatternTerm> = items
        .patterns()
        .map(|(pattern, times)| {
            let ratings = ratings(pattern);
            let share = |count: u64| float(count) / ratings;
            let pair = |count: u64| share(count) * (float(count) - 1.0) / (ratings - 1.0);
            PatternTerm {
                times: float(times),
                agreement: (ratings >= 2.0).then(|| sum(pattern.iter().map(|&(_, n)| pair(n)))),
                expected: sum(pattern
                    .iter()
                    .map(|&(k, n)| share(n) * slopes.get(k).copied().unwrap_or(0.0))),
            }
        })
        .collect();
    let all = sum(parts.iter().map(|part| part.times));
    let pairable = sum(parts.iter().filter(|part| part.agreement.is_some()).map(|part| part.times));
    if pairable < 1.0 {
        return Err(Undefined::NoSharedPositions);
    }
    let beyond_chance = 1.0 - expected;
    // One category throughout gives a share of exactly 1.
    if beyond_chance <= 0.0 {
        return Err(Undefined::OneCategory);
    }
    if all < 2.0 {
        return Err(Undefined::TooFewUnits);
    }
    let observed = sum(parts.iter().map(|part| part.times * part.agreement.unwrap_or(0.0)));
    let value = (observed / pairable - expected) / beyond_chance;
    let variance = sum(parts.iter().map(|part| {
        let own = part.agreement.map_or(0.0, |agreement| agreement - expected);
        let from_chance = 2.0 * (1.0 - value) * (part.expected - expected);
        let deviation = (own * all / pairable - from_chance) / beyond_chance - value;
        part.times * deviation * deviation
    })) / (all * (all - 1.0));
    let degrees = items.items().saturating_sub(1);
    let reference = Reference::StudentT(degrees);
    Ok(Estimate { value, standard_error: variance.sqrt(), reference })
}

fn ratings(pattern: &[(usize, u64)]) -> f64 {
    sum(pattern.iter().map(|&(_, count)| float(count)))
}

/// `π_k`: the mean over items of the share of ratings that are category `k`.
pub(crate) fn shares(items: &ItemCounts) -> Vec<f64> {
    let mut parts = vec![Vec::new(); items.categories()];
    for (pattern, times) in items.patterns() {
        let ratings = ratings(pattern);
        for &(category, count) in pattern {
            if let Some(parts) = parts.get_mut(category) {
                parts.push(float(times) * float(count) / ratings);
            }
        }
    }
    let all = float(items.items());
    parts.into_iter().map(|parts| sum(parts) / all).collect()
}
