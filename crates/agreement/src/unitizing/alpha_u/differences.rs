//! By how much the units of two raters differ.

use crate::arithmetic::u256::U256;

/// Begin and end of a unit, relative to the continuum.
pub(super) type Stretch = (u64, u64);

/// One category's stretches, per rater, sorted and apart.
pub(super) type Group = Vec<Vec<Stretch>>;

/// `l(l − 1)`.
pub(super) fn times_less_one(length: u64) -> u128 {
    u128::from(length) * u128::from(length.saturating_sub(1))
}

pub(super) fn square(length: u64) -> u128 {
    u128::from(length) * u128::from(length)
}

/// Σδ² of two raters, in one walk along each.
pub(super) fn pair_difference(first: &[Stretch], second: &[Stretch]) -> Option<U256> {
    let mut sum = lonely(first, second)?.checked_add(lonely(second, first)?)?;
    let mut candidates = second;
    for &(begin, end) in first {
        candidates = candidates.get(passed(candidates, begin)..)?;
        for &(other_begin, other_end) in candidates.iter().take_while(|other| other.0 < end) {
            let begins = U256::from(square(begin.abs_diff(other_begin)));
            let ends = U256::from(square(end.abs_diff(other_end)));
            sum = sum.checked_add(begins)?.checked_add(ends)?;
        }
    }
    Some(sum)
}

/// Σl² of the units that meet none of the other's.
fn lonely(units: &[Stretch], others: &[Stretch]) -> Option<U256> {
    let mut sum = U256::default();
    let mut candidates = others;
    for &(begin, end) in units {
        candidates = candidates.get(passed(candidates, begin)..)?;
        if candidates.first().is_none_or(|other| other.0 >= end) {
            sum = sum.checked_add(square(end - begin).into())?;
        }
    }
    Some(sum)
}

/// How many stretches end before or at a point.
fn passed(stretches: &[Stretch], point: u64) -> usize {
    stretches.iter().take_while(|stretch| stretch.1 <= point).count()
}
