//! Counts as floating-point numbers, and sums that do not depend on the order of their parts.

use crate::arithmetic::ratio::ratio;
use crate::arithmetic::sum::compensated;
use crate::arithmetic::wide::Wide;

/// The nearest floating-point number to a count.
pub(crate) fn float(count: u64) -> f64 {
    ratio(count.into(), 1)
}

/// A length as a count: no machine holds more than 64 bits count.
pub(crate) fn count64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// The sum, the same for every order of the parts: sorted, then added with Neumaier's
/// compensation (*Zeitschrift für angewandte Mathematik und Mechanik* 54, 1974).
pub(crate) fn sum(parts: impl IntoIterator<Item = f64>) -> f64 {
    let mut parts: Vec<Wide> = parts.into_iter().map(Wide::from).collect();
    Wide::sort(&mut parts);
    compensated(parts.into_iter().map(Wide::value))
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    #[expect(clippy::float_cmp, reason = "the compensated sum is exact here")]
    fn small_parts_survive_large_ones_in_any_order() {
        assert_eq!(sum([1e100, 1.0, -1e100]), 1.0);
        assert_eq!(sum([1.0, -1e100, 1e100]), 1.0);
        assert_eq!(sum([]), 0.0);
    }
}
