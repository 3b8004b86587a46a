//! Student's t distribution with a whole number of degrees of freedom.
//!
//! Its probability is a finite sum of positive terms (Abramowitz and Stegun 1964, 26.7.3 and
//! 26.7.4), so it needs no gamma function. Accuracy: 1e-11 absolute for the probability, 1e-12
//! relative for quantiles of probabilities from 1e-4 up.

use std::f64::consts::{FRAC_PI_2, PI};

use crate::arithmetic::number::float;
use crate::inference::distributions::normal;

/// From here on the expansion for many degrees of freedom is more exact than the search.
const MANY: u64 = 5_000;

/// The probability of a value further from 0 than `t`, on either side.
pub(crate) fn two_sided_tail(t: f64, degrees: u64) -> f64 {
    let freedom = float(degrees);
    if degrees > 100_000 {
        // Abramowitz and Stegun 26.7.8.
        let z = t.abs() * (1.0 - 0.25 / freedom) / libm::sqrt(1.0 + 0.5 * t * t / freedom);
        return 2.0 * normal::upper_tail(z);
    }
    (1.0 - within(libm::atan(t.abs() / libm::sqrt(freedom)), degrees)).clamp(0.0, 1.0)
}

/// The probability of a value between `−√ν tan θ` and `√ν tan θ`.
fn within(theta: f64, degrees: u64) -> f64 {
    let (sine, cosine) = (libm::sin(theta), libm::cos(theta));
    let odd = degrees % 2 == 1;
    if degrees == 1 {
        return theta / FRAC_PI_2;
    }
    let (mut term, mut step) = if odd { (cosine, 2_u32) } else { (1.0, 1_u32) };
    let mut sum = term;
    for _ in 1..(degrees / 2) {
        term *= cosine * cosine * f64::from(step) / f64::from(step + 1);
        sum += term;
        step += 2;
        // Terms only fall: those from here on are far below the accuracy that is promised.
        if term < 1e-18 * sum {
            break;
        }
    }
    if odd { (theta + sine * sum) * 2.0 / PI } else { sine * sum }
}

/// The value that is exceeded with the given probability, at most one half.
pub(crate) fn upper_quantile(probability: f64, degrees: u64) -> f64 {
    let freedom = float(degrees);
    if degrees > MANY {
        return expansion(normal::upper_quantile(probability), freedom);
    }
    if degrees == 2 {
        let central = 1.0 - 2.0 * probability;
        return central * libm::sqrt(2.0 / ((1.0 - central) * (1.0 + central)));
    }
    if degrees == 1 {
        return 1.0 / libm::tan(PI * probability);
    }
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    // Halved as often, the angle is known to more bits than a number has.
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if within(middle, degrees) < 1.0 - 2.0 * probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    libm::sqrt(freedom) * libm::tan(0.5 * (low + high))
}

/// Abramowitz and Stegun 26.7.5.
fn expansion(z: f64, freedom: f64) -> f64 {
    let square = z * z;
    let g1 = (square + 1.0) * z / 4.0;
    let g2 = ((5.0 * square + 16.0) * square + 3.0) * z / 96.0;
    let g3 = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) * z / 384.0;
    z + (g1 + (g2 + g3 / freedom) / freedom) / freedom
}

#[cfg(test)]
mod tests {
    use super::{two_sided_tail, upper_quantile};

    /// Reference values to 16 digits, from arbitrary-precision arithmetic.
    #[test]
    fn quantiles_of_the_tables() {
        for (degrees, t975, t9995) in [
            (1, 12.706_204_736_174_7, 636.619_248_768_8),
            (2, 4.302_652_729_749_464, 31.599_054_576_443_62),
            (3, 3.182_446_305_283_71, 12.923_978_636_687_483),
            (5, 2.570_581_835_636_316, 6.868_826_625_881_11),
            (10, 2.228_138_851_986_275, 4.586_893_858_702_636),
            (29, 2.045_229_642_132_704, 3.659_405_019_466_333),
            (100, 1.983_971_518_523_552, 3.390_491_311_164_23),
            (1_000, 1.962_339_080_826_408, 3.300_282_648_423_913),
            (5_000, 1.960_438_551_706_508, 3.292_473_723_370_851),
            (5_001, 1.960_438_456_789_474, 3.292_473_333_841_189),
            (10_000, 1.960_201_239_890_626, 3.291_499_965_941_605),
        ] {
            assert!((upper_quantile(0.025, degrees) / t975 - 1.0).abs() < 1e-13, "{degrees}");
            assert!((upper_quantile(0.0005, degrees) / t9995 - 1.0).abs() < 1e-12, "{degrees}");
        }
    }

    #[test]
    fn tails_of_the_tables() {
        for (degrees, tail) in [
            (1, 0.295_167_235_300_866_5),
            (2, 0.183_503_419_072_273_97),
            (3, 0.139_325_968_558_843_2),
            (10, 0.073_388_034_770_740_37),
            (29, 0.054_943_637_182_967_19),
            (1_000, 0.045_770_346_493_251_64),
            (100_000, 0.045_502_963_457_506_46),
            (150_000, 0.045_502_063_600_941_1),
            (1_000_000, 0.045_500_533_851_319_21),
            (1_000_000_000, 0.045_500_264_166_313_25),
        ] {
            assert!((two_sided_tail(-2.0, degrees) - tail).abs() < 1e-11, "{degrees}");
        }
        assert!((two_sided_tail(0.0, 7) - 1.0).abs() < 1e-15);
    }
}
