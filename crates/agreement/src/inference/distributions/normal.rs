//! The standard normal distribution.
//!
//! Accuracy: the tail is `libm`'s `erfc`, within two units in the last place; the quantile is
//! refined until it is within a few units in the last place. Only `libm` is called, so that every
//! platform gets the same bits.

use std::f64::consts::{PI, SQRT_2};

/// The probability of a value above `z`.
pub(crate) fn upper_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z / SQRT_2)
}

/// The probability of a value of at most `z`.
pub(crate) fn cumulative(z: f64) -> f64 {
    upper_tail(-z)
}

/// The value that is exceeded with the given probability, which is between 0 and 1.
pub(crate) fn upper_quantile(probability: f64) -> f64 {
    if probability > 0.5 {
        return -upper_quantile(1.0 - probability);
    }
    if probability <= 0.0 {
        return f64::INFINITY;
    }
    // Abramowitz and Stegun (1964) 26.2.23, off by at most 0.00045; Halley's steps cube that.
    let t = libm::sqrt(-2.0 * libm::log(probability));
    let start = t
        - (2.515_517 + t * (0.802_853 + t * 0.010_328))
            / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)));
    (0..3).fold(start, |z, _| {
        let density = libm::exp(-0.5 * z * z) / libm::sqrt(2.0 * PI);
        let step = (upper_tail(z) - probability) / density;
        z + step / (1.0 - 0.5 * z * step)
    })
}

#[cfg(test)]
mod tests {
    use super::{cumulative, upper_quantile, upper_tail};

    fn close(actual: f64, expected: f64) -> bool {
        (actual - expected).abs() <= 1e-14 * expected.abs()
    }

    /// Reference values to 17 digits, from arbitrary-precision arithmetic.
    #[test]
    fn quantiles_of_the_tables() {
        for (probability, z) in [
            (0.4, 0.253_347_103_135_799_8),
            (0.1, 1.281_551_565_544_600_4),
            (0.025, 1.959_963_984_540_054),
            (0.005, 2.575_829_303_548_901),
            (1e-4, 3.719_016_485_455_680_6),
            (1e-10, 6.361_340_902_404_056),
            (1e-300, 37.047_096_299_361_2),
        ] {
            assert!(close(upper_quantile(probability), z), "{probability}");
            assert!(close(upper_tail(z), probability) || probability < 1e-9, "{z}");
        }
        assert!(upper_quantile(0.5).abs() < 1e-16);
        assert!(upper_quantile(0.0).is_infinite());
    }

    #[test]
    fn lower_half_mirrors_the_upper() {
        for probability in [0.6, 0.975, 0.999] {
            assert!(close(cumulative(-upper_quantile(probability)), probability));
        }
    }
}
