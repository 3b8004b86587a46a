//! Exact intervals of a share.

use crate::Undefined;
use crate::arithmetic::number::float;
use crate::inference::distributions::variance_ratio::upper_quantile;
use crate::inference::{Interval, Level};

/// The most trials for which quantiles are known to eight digits.
const CAPACITY: u64 = 1_000_000;

/// The exact interval of a share, such as of errors in a random sample: it covers the true one at least as
/// often as the level says, whatever that is.
///
/// Trials are taken for independent of each other. Positions of one document are not: where errors come
/// together, the interval is too narrow.
///
/// # Formula
/// ```text
/// lower = x / (x + (n − x + 1) · F(α/2; 2(n − x + 1), 2x)),  0 where x = 0
/// upper = (x + 1) · F / (n − x + (x + 1) · F)  with  F(α/2; 2(x + 1), 2(n − x)),  1 where x = n
/// ```
/// x of n trials; F(p; a, b) is exceeded with probability p; 1 − α is the level.
///
/// # Undefined when
/// There was no trial ([`Undefined::NoSharedPositions`]), fewer than `count`
/// ([`Undefined::OptionOutOfRange`]), or more than a million ([`Undefined::TooManyPositions`]).
///
/// # Reference
/// Clopper, C. J. and Pearson, E. S. (1934). The use of confidence or fiducial limits illustrated in the case
/// of the binomial. *Biometrika* 26(4), 404–413.
///
/// # Example
/// ```
/// # use agreement::inference::{Level, exact_share_interval};
/// let interval = exact_share_interval(0, 20, Level::P95)?;
/// assert_eq!(interval.lower, 0.0);
/// assert!((interval.upper - (1.0 - 0.025_f64.powf(1.0 / 20.0))).abs() < 1e-12);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn exact_share_interval(count: u64, trials: u64, level: Level) -> Result<Interval, Undefined> {
    let rest = trials.checked_sub(count).ok_or(Undefined::OptionOutOfRange)?;
    if trials == 0 {
        return Err(Undefined::NoSharedPositions);
    }
    if trials > CAPACITY {
        return Err(Undefined::TooManyPositions);
    }
    let tail = 0.5 * (1.0 - level.share());
    let (count, rest) = (float(count), float(rest));
    let quantile = |above: f64, below: f64| upper_quantile(tail, 2.0 * above, 2.0 * below);
    let lower = if count == 0.0 {
        0.0
    } else {
        count / (count + (rest + 1.0) * quantile(rest + 1.0, count))
    };
    let upper = if rest == 0.0 {
        1.0
    } else {
        let ratio = (count + 1.0) * quantile(count + 1.0, rest);
        ratio / (rest + ratio)
    };
    Ok(Interval { lower, upper })
}
