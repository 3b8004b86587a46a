//! Sums of floating-point numbers that keep what plain addition loses.

/// Neumaier's compensated sum, in the order given.
pub(crate) fn compensated(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    for value in values {
        let next = sum + value;
        lost += if sum.abs() >= value.abs() { (sum - next) + value } else { (value - next) + sum };
        sum = next;
    }
    sum + lost
}

#[cfg(test)]
mod tests {
    use super::compensated;

    #[test]
    #[expect(clippy::float_cmp, reason = "the sum is exactly representable")]
    fn small_addends_survive_large_ones() {
        assert_eq!(compensated([1.0, 1e100, 1.0, -1e100]), 2.0);
    }
}
