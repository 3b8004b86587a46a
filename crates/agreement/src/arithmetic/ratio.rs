//! The one step from exact integers to floating point.

/// The quotient of two exact integers: both rounded to the nearest `f64`, then divided once.
///
/// The caller has ruled out a denominator of zero.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "std has no From<i128> for f64; the cast rounds to nearest, and only here"
)]
pub(crate) fn ratio(numerator: i128, denominator: i128) -> f64 {
    debug_assert_ne!(denominator, 0, "an undefined coefficient is an error, not a quotient");
    numerator as f64 / denominator as f64
}

#[cfg(test)]
mod tests {
    use super::ratio;

    #[test]
    #[expect(clippy::float_cmp, reason = "powers of two divide exactly")]
    fn integers_beyond_64_bits_are_divided_not_truncated() {
        assert_eq!(ratio(3 << 120, 4 << 120), 0.75);
        assert_eq!(ratio(-(1 << 120), 1 << 100), -1_048_576.0);
    }
}
