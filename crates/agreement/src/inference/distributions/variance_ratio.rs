//! The F distribution, that of the ratio of two variances; degrees of freedom may be fractions.
//!
//! Accuracy: 1e-11 relative for up to a thousand degrees of freedom, 1e-8 for up to a million, tested
//! against arbitrary precision. No crate of probabilities is used: theirs call the platform's logarithm,
//! and a browser has to come to the same digits.

/// The probability of a ratio above `ratio`.
fn upper_tail(ratio: f64, above: f64, below: f64) -> f64 {
    // Both shares are computed, so that neither is a difference of nearly equal numbers.
    let whole = above * ratio + below;
    incomplete_beta(below / whole, above * ratio / whole, 0.5 * below, 0.5 * above)
}

/// The ratio that is exceeded with the given probability, between 0 and 1, by that of a variance of
/// `above` degrees of freedom to one of `below`.
pub(crate) fn upper_quantile(probability: f64, above: f64, below: f64) -> f64 {
    // Of the logarithm: beyond these bounds a ratio is no number.
    let (mut low, mut high) = (-700.0, 700.0);
    // Halved as often, it is known to more bits than a number has.
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        if upper_tail(libm::exp(middle), above, below) > probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    if high >= 700.0 { f64::INFINITY } else { libm::exp(0.5 * (low + high)) }
}

/// The regularised incomplete beta function of `x`, with `rest = 1 − x`.
fn incomplete_beta(x: f64, rest: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if rest <= 0.0 {
        return 1.0;
    }
    // On this side of the mean the fraction converges fast.
    if x * (a + b + 2.0) > a + 1.0 {
        return 1.0 - incomplete_beta_below(rest, x, b, a);
    }
    incomplete_beta_below(x, rest, a, b)
}

fn incomplete_beta_below(x: f64, rest: f64, a: f64, b: f64) -> f64 {
    let log_beta = libm::lgamma(a) + libm::lgamma(b) - libm::lgamma(a + b);
    let power = a * libm::log(x) + b * libm::log(rest) - log_beta;
    libm::exp(power) / (a * fraction(x, a, b))
}

/// The continued fraction of NIST's Digital Library of Mathematical Functions, 8.17.22, from its head
/// on by the method of Lentz, as Thompson and Barnett (1986) have it.
fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let apart_from_0 = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut value, mut numerator, mut denominator) = (1.0, 1.0, 0.0);
    let mut m = 0.0;
    // It takes about as many steps as the root of the larger parameter; no study has that many.
    for _ in 0..100_000 {
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        m += 1.0;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let mut change = 1.0;
        for term in [odd, even] {
            denominator = apart_from_0(1.0 + term * denominator).recip();
            numerator = apart_from_0(1.0 + term / numerator);
            change = numerator * denominator;
            value *= change;
        }
        if (change - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::{upper_quantile, upper_tail};
    use crate::inference::distributions::student;

    /// Reference values to 15 digits, from arbitrary-precision arithmetic (mpmath).
    #[test]
    fn quantiles_of_the_tables() {
        for (probability, above, below, ratio, accuracy) in [
            (0.025, 5.0, 15.0, 3.576_415_349_279_062, 1e-11),
            (0.025, 15.0, 5.0, 6.427_728_167_078_782, 1e-11),
            (0.05, 1.0, 1.0, 161.447_638_797_588_5, 1e-11),
            (0.005, 2.0, 3.0, 49.799_278_400_300_91, 1e-11),
            (0.025, 5.0, 4.786, 7.497_122_857_400_584, 1e-11),
            (0.025, 0.3, 7.0, 11.832_180_103_437_33, 1e-11),
            (0.025, 7.0, 0.3, 10_063_948_783.165_49, 1e-11),
            (0.05, 99.0, 297.0, 1.297_416_746_829_437, 1e-11),
            (0.4, 999.0, 999.0, 1.016_164_447_063_398, 1e-11),
            (0.025, 9999.0, 99990.0, 1.029_320_113_268_793, 1e-9),
        ] {
            let found: f64 = upper_quantile(probability, above, below);
            assert!((found / ratio - 1.0_f64).abs() < accuracy, "{above} {below} {found}");
            let tail = upper_tail(ratio, above, below);
            assert!((tail / probability - 1.0).abs() < 1e3 * accuracy, "{above} {below} {tail}");
        }
    }

    /// A squared t is a ratio with one degree of freedom above.
    #[test]
    fn squares_of_students_t_are_such_ratios() {
        for degrees in [1_u32, 2, 7, 30, 400] {
            let t = student::upper_quantile(0.025, degrees.into());
            let ratio = upper_quantile(0.05, 1.0, degrees.into());
            assert!((ratio / (t * t) - 1.0).abs() < 1e-11, "{degrees}");
        }
    }

    #[test]
    fn turned_over_it_is_the_ratio_of_the_other_tail() {
        for (above, below) in [(3.0, 8.5), (0.4, 12.0), (250.0, 30.0)] {
            let product = upper_quantile(0.1, above, below) * upper_quantile(0.9, below, above);
            assert!((product - 1.0).abs() < 1e-11, "{above} {below}");
        }
    }
}
