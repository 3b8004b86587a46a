//! The homogeneity interval of true agreement.

use crate::Undefined;
use crate::arithmetic::number::float;
use crate::inference::distributions::exact::binomial;
use crate::inference::true_agreement::Significance;
use crate::inference::{Binary, Level, TrueAgreement, TwoSided};

/// The interval of true agreement if both parts have the same share of yes, averaged over raters.
///
/// # Formula
/// With `n_o = n11 + n22` agreements, the averaged share `p = (p1. + p.1) / 2`, and `m` positions
/// of true agreement, the rest of `n − m` positions has the raters' shares
/// `a = (n1. − pm) / (n − m)` and `b = (n.1 − pm) / (n − m)`, so
/// ```text
/// p_c = ab + (1 − a)(1 − b) = p² + (1 − p)² − ((n12 − n21) / (n − m))² / 2
/// ```
/// `m` is in the interval if `a` and `b` are shares (from 0 to 1), and if `n_o − m` agreements of
/// `n − m`, each by a chance of `p_c`, are compatible in a two-sided binomial test. `pm` is not
/// rounded.
///
/// With [`TwoSided::DoubledTail`], this and [`crate::inference::conservative_interval`] give both printed
/// tables of the paper to the last digit. Its counts are not printed; they follow from the figures
/// and from the first rater's total, which is the same for all annotators of one part of the data.
///
/// # Undefined when
/// Nothing was counted ([`Undefined::NoSharedPositions`]), there are more than a million positions
/// ([`Undefined::TooManyPositions`]), or no `m` fits ([`Undefined::BelowChance`]).
///
/// # Reference
/// Krenn, B., Evert, S. and Zinsmeister, H. (2004). Determining intercoder agreement for a
/// collocation identification task. *Proceedings of KONVENS 2004*, section 5.2.
///
/// # Example
/// Their figure 2.
/// ```
/// # use agreement::inference::{Binary, Level, TwoSided, homogeneity_interval};
/// let table = Binary { both: 40, only_row: 15, only_column: 20, neither: 25 };
/// let shares = homogeneity_interval(&table, Level::P95, TwoSided::AtMostAsLikely)?;
/// assert_eq!((shares.least, shares.most, shares.positions), (10, 44, 100));
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn homogeneity_interval(
    table: &Binary,
    level: Level,
    sides: TwoSided,
) -> Result<TrueAgreement, Undefined> {
    let model = Model { table, significance: Significance::new(level, sides) };
    TrueAgreement::search(
        table,
        || (0..=model.most_divisible()).find(|&m| model.fits(m)),
        || (0..=model.most_divisible()).rev().find(|&m| model.fits(m)),
    )
}

struct Model<'a> {
    table: &'a Binary,
    significance: Significance,
}

impl Model<'_> {
    /// The largest `m` that leaves every rater a share of yes and of no in the rest.
    fn most_divisible(&self) -> u64 {
        let Binary { both, only_row, only_column, neither } = *self.table;
        let disagreements = only_row + only_column;
        let at_most = |same: u64| {
            // p·m ≤ n1. is (2·same + disagreements)·m ≤ 2n·(same + the fewer of the others).
            let least_margin = u128::from(same + only_row.min(only_column));
            let all = 2 * u128::from(both + neither + disagreements);
            (all * least_margin)
                .checked_div(u128::from(2 * same + disagreements))
                .and_then(|most| u64::try_from(most).ok())
                .unwrap_or(u64::MAX)
        };
        (both + neither).min(at_most(both)).min(at_most(neither))
    }

    fn fits(&self, m: u64) -> bool {
        let Binary { both, only_row, only_column, neither } = *self.table;
        let (agreements, disagreements) = (both + neither - m, only_row + only_column);
        let rest = agreements + disagreements;
        if rest == 0 {
            return true;
        }
        // 1 − p_c is 2p(1 − p) + half the square; p is yes / (yes + no).
        let (yes, no) = (float(2 * both + disagreements), float(2 * neither + disagreements));
        let gap = float(only_row.abs_diff(only_column)) / float(rest);
        let all = yes + no;
        let by_chance = (yes * yes + no * no) / (all * all) - 0.5 * gap * gap;
        let apart = 2.0 * (yes / all) * (no / all) + 0.5 * gap * gap;
        if apart <= 0.0 {
            return disagreements == 0;
        }
        !self.ruled_out_by_bound(agreements, rest, by_chance, apart)
            && self.significance.allows(
                binomial(agreements, rest, by_chance / apart, self.significance.sides).p_value,
            )
    }

    /// A quick no. The outcome and everything beyond it have at most the probability
    /// `exp(−n·KL)` (Chernoff), and no more than `n + 1` outcomes are at most as likely as it.
    fn ruled_out_by_bound(&self, agreements: u64, rest: u64, by_chance: f64, apart: f64) -> bool {
        let (x, n) = (float(agreements), float(rest));
        let part = |count: f64, share: f64| {
            if count > 0.0 { count * libm::log(count / (n * share)) } else { 0.0 }
        };
        let divergence = part(x, by_chance) + part(n - x, apart);
        !self.significance.allows(2.0 * (n + 1.0) * libm::exp(-divergence))
    }
}
