//! The derivative of the logarithm of the gamma function, which `libm` has not.

/// From here on the asymptotic series is exact to 15 digits.
const LARGE: f64 = 10.0;

/// ψ(x) of a number above 0: Abramowitz and Stegun (1964), *Handbook of Mathematical Functions*,
/// 6.3.18, and the recurrence 6.3.5 below 10.
pub(crate) fn digamma(x: f64) -> f64 {
    let (mut x, mut below) = (x, 0.0);
    while x < LARGE {
        below += 1.0 / x;
        x += 1.0;
    }
    // Bernoulli's numbers by their indices, each with its sign.
    let square = 1.0 / (x * x);
    let terms = [
        1.0 / 12.0,
        -1.0 / 120.0,
        1.0 / 252.0,
        -1.0 / 240.0,
        1.0 / 132.0,
        -691.0 / 32_760.0,
        1.0 / 12.0,
    ];
    let series = terms.iter().rev().fold(0.0, |series, term| (series + term) * square);
    libm::log(x) - 0.5 / x - series - below
}

#[cfg(test)]
mod tests {
    use super::digamma;

    const EULER: f64 = 0.577_215_664_901_532_9;

    #[test]
    fn abramowitz_stegun_1964_special_values() {
        let ln_2 = 2_f64.ln();
        for (x, value) in [
            (1.0, -EULER),
            (2.0, 1.0 - EULER),
            (0.5, -EULER - 2.0 * ln_2),
            (1.5, 2.0 - EULER - 2.0 * ln_2),
            (0.25, -EULER - std::f64::consts::FRAC_PI_2 - 3.0 * ln_2),
            (10.0, 2.251_752_589_066_721),
            (1e6, 13.815_510_057_964_191),
        ] {
            assert!(
                (digamma(x) - value).abs() < 1e-13 * value.abs().max(1.0),
                "{x}: {}",
                digamma(x)
            );
        }
    }
}
