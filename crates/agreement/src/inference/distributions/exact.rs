//! Exact two-sided tests: Fisher's for a table of two by two, and the binomial.
//!
//! Probabilities are summed from ratios of neighbours, outward from the likeliest outcome, so no
//! gamma function is needed. Accuracy: 1e-12 relative for up to a million positions, tested
//! against exact fractions.
#![expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the likeliest outcome is a float between 0 and the number of trials, rounded down"
)]

use crate::Undefined;
use crate::inference::Binary;

/// What counts as "at least as far from chance", on both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TwoSided {
    /// Every outcome that is at most as likely as the observed one, as `fisher.test` and
    /// `binom.test` of R do.
    #[default]
    AtMostAsLikely,
    /// Twice the smaller of the two tails, at most 1. The tables of Krenn, Evert and Zinsmeister
    /// (2004) come out so.
    DoubledTail,
}

/// The largest table that an exact test goes through.
const CAPACITY: u64 = 1 << 40;

/// Outcomes whose probabilities differ by less count as equally likely: products taken in another
/// order round apart what is equal.
const TIE: f64 = 1e-10;

/// What is known of an outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TableProbability {
    /// Its two-sided p-value.
    pub(crate) p_value: f64,
    /// Its own probability.
    pub(crate) probability: f64,
}

/// Fisher's exact test of independence: the two-sided p-value.
///
/// # Formula
/// With all margins fixed, the cell `both` is hypergeometric:
/// ```text
/// P(x) = C(x + b, x) · C(c + d, K − x) / C(n, K)
/// ```
///
/// # Undefined when
/// The table has more than 2^40 positions ([`Undefined::TooManyPositions`]).
///
/// # Reference
/// Fisher, R. A. (1970). *Statistical Methods for Research Workers*, 14th edition, 96f.
///
/// # Example
/// The lady tasting tea: three of four cups right.
/// ```
/// # use agreement::inference::{Binary, TwoSided, fisher_exact};
/// let table = Binary { both: 3, only_row: 1, only_column: 1, neither: 3 };
/// let p = fisher_exact(&table, TwoSided::AtMostAsLikely)?;
/// assert!((p - 34.0 / 70.0).abs() < 1e-15);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn fisher_exact(table: &Binary, sides: TwoSided) -> Result<f64, Undefined> {
    match table.total() {
        Some(total) if total <= CAPACITY => Ok(fisher(table, sides).p_value),
        _ => Err(Undefined::TooManyPositions),
    }
}

/// The test of the cell `both`; the table has at most [`CAPACITY`] positions.
pub(crate) fn fisher(table: &Binary, sides: TwoSided) -> TableProbability {
    let [a, b, c, d] =
        [table.both, table.only_row, table.only_column, table.neither].map(|count| count as f64);
    let (row, column, all) = (a + b, a + c, a + b + c + d);
    let least = table.both.saturating_sub(table.neither);
    let most = table.both + table.only_row.min(table.only_column);
    let likeliest = ((row + 1.0) * (column + 1.0) / (all + 2.0)) as u64;
    let next = |x: u64| {
        let both = x as f64;
        (row - both) * (column - both) / ((both + 1.0) * (d - a + both + 1.0))
    };
    two_sided(least, most, likeliest, table.both, next, sides)
}

/// The test of a number of successes, each with probability `odds / (1 + odds)`.
pub(crate) fn binomial(
    successes: u64,
    trials: u64,
    odds: f64,
    sides: TwoSided,
) -> TableProbability {
    let likeliest = ((trials as f64 + 1.0) * (odds / (1.0 + odds))) as u64;
    let next = |x: u64| (trials - x) as f64 / (x as f64 + 1.0) * odds;
    two_sided(0, trials, likeliest, successes, next, sides)
}

/// `next(x)` is the probability of `x + 1` divided by that of `x`.
fn two_sided(
    least: u64,
    most: u64,
    likeliest: u64,
    observed: u64,
    next: impl Fn(u64) -> f64,
    sides: TwoSided,
) -> TableProbability {
    let likeliest = likeliest.clamp(least, most);
    // Everything is in units of the probability of the likeliest outcome.
    let at_observed = if observed >= likeliest {
        product((likeliest..observed).map(&next))
    } else {
        product((observed..likeliest).map(&next)).recip()
    };
    // On either side outcomes only get less likely, so that each stops at the first negligible one.
    let negligible = f64::max(at_observed * 1e-20, f64::MIN_POSITIVE);
    let tie = at_observed * (1.0 + TIE);
    let (mut all, mut at_most_as_likely, mut below, mut above) = (0.0, 0.0, 0.0, 0.0);
    let mut add = |x: u64, probability: f64| {
        all += probability;
        if probability <= tie {
            at_most_as_likely += probability;
        }
        if x <= observed {
            below += probability;
        }
        if x >= observed {
            above += probability;
        }
        probability > negligible
    };
    let mut probability = 1.0;
    let mut x = likeliest;
    while add(x, probability) && x < most {
        probability *= next(x);
        x += 1;
    }
    probability = 1.0;
    x = likeliest;
    while x > least {
        x -= 1;
        probability /= next(x);
        if !add(x, probability) {
            break;
        }
    }
    let extreme = match sides {
        TwoSided::AtMostAsLikely => at_most_as_likely,
        TwoSided::DoubledTail => f64::min(2.0 * f64::min(below, above), all),
    };
    TableProbability { p_value: extreme / all, probability: at_observed / all }
}

/// The product of factors on one side of 1: 0 or infinite from where it leaves the numbers of full precision,
/// of a large table after a small part of all outcomes. Below these, what is multiplied may stay as it is.
fn product(factors: impl Iterator<Item = f64>) -> f64 {
    let mut product = 1.0;
    for factor in factors {
        product *= factor;
        if product < f64::MIN_POSITIVE {
            return 0.0;
        }
        if product.is_infinite() {
            break;
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;
    use num_rational::BigRational;

    use super::{TwoSided, binomial, fisher};
    use crate::inference::Binary;

    type Weights = Vec<(u64, BigInt)>;

    fn choose(n: u64, k: u64) -> BigInt {
        (0..k).fold(BigInt::from(1), |product, i| product * (n - i) / (i + 1))
    }

    /// Both p-values and the point probability, exactly, rounded once.
    fn exactly(weights: &Weights, observed: u64) -> [f64; 3] {
        let at_observed = &weights.iter().find(|(x, _)| *x == observed).unwrap().1;
        let sum = |keep: &dyn Fn(&(u64, BigInt)) -> bool| -> BigInt {
            weights.iter().filter(|outcome| keep(outcome)).map(|(_, weight)| weight).sum()
        };
        let all = sum(&|_| true);
        let as_likely = sum(&|(_, weight)| weight <= at_observed);
        let (below, above) = (sum(&|(x, _)| *x <= observed), sum(&|(x, _)| *x >= observed));
        let doubled: BigInt = (below.min(above) * 2_u32).min(all.clone());
        [as_likely, doubled, at_observed.clone()].map(|part| {
            // 120 bits of a fraction are more than an f64 holds.
            let scaled = BigRational::new(part << 120, all.clone()).to_integer();
            scaled.to_string().parse::<f64>().unwrap() / 120_f64.exp2()
        })
    }

    fn check(
        actual: impl Fn(TwoSided) -> super::TableProbability,
        weights: &Weights,
        observed: u64,
    ) {
        let [as_likely, doubled, probability] = exactly(weights, observed);
        for (sides, expected) in
            [(TwoSided::AtMostAsLikely, as_likely), (TwoSided::DoubledTail, doubled)]
        {
            let outcome = actual(sides);
            assert!((outcome.p_value / expected - 1.0).abs() < 1e-12, "{outcome:?} {expected}");
            assert!((outcome.probability / probability - 1.0).abs() < 1e-12, "{outcome:?}");
        }
    }

    fn check_fisher(both: u64, only_row: u64, only_column: u64, neither: u64) {
        let table = Binary { both, only_row, only_column, neither };
        let (row, column) = (both + only_row, both + only_column);
        let rest = only_column + neither;
        let weights = (column.saturating_sub(rest)..=row.min(column))
            .map(|x| (x, choose(row, x) * choose(rest, column - x)))
            .collect();
        // Beyond this an f64 of 120 bits keeps too few digits of the exact value.
        if exactly(&weights, both)[2] > 1e-18 {
            check(|sides| fisher(&table, sides), &weights, both);
        }
    }

    #[test]
    fn fisher_equals_exact_fractions_for_all_small_tables() {
        for both in 0..6 {
            for only_row in 0..6 {
                for only_column in 0..6 {
                    for neither in 0..6 {
                        check_fisher(both, only_row, only_column, neither);
                    }
                }
            }
        }
    }

    #[test]
    fn fisher_equals_exact_fractions_for_larger_tables() {
        check_fisher(40, 15, 20, 25);
        check_fisher(0, 15, 20, 25);
        check_fisher(109, 20, 55, 671);
        check_fisher(300, 1, 2, 400);
    }

    #[test]
    fn binomial_equals_exact_fractions() {
        for (trials, probability) in
            [(0, (1, 2)), (1, (1, 2)), (9, (1, 2)), (20, (1, 3)), (60, (51, 100)), (400, (9, 10))]
        {
            let (yes, all): (u64, u64) = probability;
            let weights: Weights = (0..=trials)
                .map(|x| {
                    let power = |base: u64, exponent: u64| {
                        BigInt::from(base).pow(u32::try_from(exponent).unwrap())
                    };
                    (x, choose(trials, x) * power(yes, x) * power(all - yes, trials - x))
                })
                .collect();
            let odds = f64::from(u32::try_from(yes).unwrap())
                / f64::from(u32::try_from(all - yes).unwrap());
            for observed in (0..=trials).step_by(1 + usize::try_from(trials).unwrap() / 40) {
                // Beyond this an f64 of 120 bits keeps too few digits of the exact value.
                if exactly(&weights, observed)[2] > 1e-18 {
                    check(|sides| binomial(observed, trials, odds, sides), &weights, observed);
                }
            }
        }
    }
}
