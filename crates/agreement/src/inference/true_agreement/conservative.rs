//! The conservative interval of true agreement.

use std::ops::RangeInclusive;

use crate::Undefined;
use crate::arithmetic::number::float;
use crate::inference::distributions::exact::fisher;
use crate::inference::true_agreement::Significance;
use crate::inference::{Binary, Level, TrueAgreement, TwoSided};

/// The interval of true agreement over every possible division into true and chance agreement.
///
/// # Formula
/// `m` positions of true agreement, of which `m₊` are a common yes, leave the rest
/// ```text
/// n11 − m₊   n12
/// n21        n22 − (m − m₊)        max(0, m − n22) ≤ m₊ ≤ n11
/// ```
/// `m` is in the interval if for any `m₊` Fisher's exact test, two-sided, does not rule out chance
/// in the rest. The interval is so wide that its authors call it practically useless; it is the
/// only one that assumes nothing more.
///
/// # Undefined when
/// Nothing was counted ([`Undefined::NoSharedPositions`]), there are more than a million positions
/// ([`Undefined::TooManyPositions`]), or no `m` fits ([`Undefined::BelowChance`]).
///
/// # Reference
/// Krenn, B., Evert, S. and Zinsmeister, H. (2004). Determining intercoder agreement for a
/// collocation identification task. *Proceedings of KONVENS 2004*, section 5.1.
///
/// # Example
/// Their figure 2.
/// ```
/// # use agreement::inference::{Binary, Level, TwoSided, conservative_interval};
/// let table = Binary { both: 40, only_row: 15, only_column: 20, neither: 25 };
/// let shares = conservative_interval(&table, Level::P95, TwoSided::AtMostAsLikely)?;
/// assert_eq!((shares.least, shares.most, shares.positions), (7, 46, 100));
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn conservative_interval(
    table: &Binary,
    level: Level,
    sides: TwoSided,
) -> Result<TrueAgreement, Undefined> {
    let rests = Rests { table, significance: Significance::new(level, sides) };
    TrueAgreement::search(table, || rests.most_kept(), || rests.least_kept())
}

/// All tables of chance agreement: `n12` and `n21` as they are, up to `n11` of `yes`, `n22` of `no`.
///
/// For a given `yes`, the tails of the test shrink as `no` moves away from independence, so the
/// furthest `no` that fits is found by halving. The p-value of [`TwoSided::AtMostAsLikely`] may
/// rise again by a little where an outcome of the other side joins; for that, some tables beyond
/// the first that does not fit are tried too.
struct Rests<'a> {
    table: &'a Binary,
    significance: Significance,
}

impl Rests<'_> {
    /// The least true agreement: the largest rest that chance explains.
    fn most_kept(&self) -> Option<u64> {
        let Binary { both, neither, .. } = *self.table;
        let mut best = None;
        // The largest rests keep all of the one or all of the other.
        for yes in std::iter::once(both).chain(0..both) {
            let least = best.map_or(0, |best: u64| (best + 1).saturating_sub(yes));
            if least <= neither
                && let Some(no) = self.furthest(yes, least..=neither, Towards::More)
            {
                best = Some(yes + no);
            }
        }
        Some(both + neither - best?)
    }

    /// The most true agreement: the smallest rest that chance explains.
    fn least_kept(&self) -> Option<u64> {
        let Binary { both, only_row, only_column, neither } = *self.table;
        let mut best = None;
        // The smallest rests keep about as much of the one as of the other.
        let middle = (u128::from(only_row) * u128::from(only_column)).isqrt();
        let middle = u64::try_from(middle).unwrap_or(both).min(both);
        for yes in (middle..=both).chain((0..middle).rev()) {
            let most = match best {
                Some(best) if best <= yes => continue,
                Some(best) => neither.min(best - 1 - yes),
                None => neither,
            };
            if let Some(no) = self.furthest(yes, 0..=most, Towards::Fewer) {
                best = Some(yes + no);
            }
        }
        Some(both + neither - best?)
    }

    /// The furthest `no` of the range that chance explains.
    fn furthest(&self, yes: u64, range: RangeInclusive<u64>, towards: Towards) -> Option<u64> {
        let (least, most) = range.into_inner();
        let start = self.independent(yes).clamp(least, most);
        let (end, back) = match towards {
            Towards::More => (most, least),
            Towards::Fewer => (least, most),
        };
        if self.fits(yes, end) {
            return Some(end);
        }
        if self.fits(yes, start) {
            // Between what fits and what does not.
            let (mut inside, mut outside) = (start, end);
            while inside.abs_diff(outside) > 1 {
                let middle = inside.midpoint(outside);
                if self.fits(yes, middle) {
                    inside = middle;
                } else {
                    outside = middle;
                }
            }
            return self.beyond(yes, outside, end).last().or(Some(inside));
        }
        self.beyond(yes, start, end).last().or_else(|| self.beyond(yes, start, back).next())
    }

    /// What fits on a walk from a table that does not, away from independence.
    fn beyond(&self, yes: u64, from: u64, to: u64) -> impl Iterator<Item = u64> {
        let steps = match self.significance.sides {
            TwoSided::DoubledTail => 0,
            // An outcome joins about every `rest / 2·yes` steps.
            TwoSided::AtMostAsLikely => {
                let rest = yes + self.table.only_row + self.table.only_column + from.max(to);
                16 + 4 * (rest / (yes + 1))
            }
        };
        let walk = (0..=steps.min(from.abs_diff(to)))
            .map(move |step| if from < to { from + step } else { from - step });
        walk.map(move |no| (no, self.p_value(yes, no)))
            .take_while(|&(_, p_value)| self.significance.allows(3.0 * p_value))
            .filter(|&(_, p_value)| self.significance.allows(p_value))
            .map(|(no, _)| no)
    }

    /// The `no` that makes a table independent, rounded down.
    fn independent(&self, yes: u64) -> u64 {
        let product = u128::from(self.table.only_row) * u128::from(self.table.only_column);
        product.checked_div(yes.into()).and_then(|no| u64::try_from(no).ok()).unwrap_or(u64::MAX)
    }

    fn fits(&self, yes: u64, no: u64) -> bool {
        self.significance.allows(self.p_value(yes, no))
    }

    /// The p-value of a table, or 0 if it is certain to be far too small.
    fn p_value(&self, yes: u64, no: u64) -> f64 {
        let rest = Binary { both: yes, neither: no, ..*self.table };
        let outcomes = float(yes + self.table.only_row.min(self.table.only_column)) + 1.0;
        if self.significance.allows(6.0 * outcomes * bound(&rest)) {
            fisher(&rest, self.significance.sides).p_value
        } else {
            0.0
        }
    }
}

#[derive(Clone, Copy)]
enum Towards {
    More,
    Fewer,
}

/// What the probability of a table with these margins cannot exceed: `exp(−r·KL)` (Hoeffding 1963),
/// where `r` is a row total.
fn bound(table: &Binary) -> f64 {
    let [a, b, c, d] = [table.both, table.only_row, table.only_column, table.neither].map(float);
    let (row, all) = (a + b, a + b + c + d);
    let part = |count: f64, column: f64| {
        if count > 0.0 { count * libm::log(count * all / (row * column)) } else { 0.0 }
    };
    libm::exp(-(part(a, a + c) + part(b, b + d)))
}
