//! The paired permutation test: is the difference of two more than which of them was called which?

use crate::Undefined;
use crate::arithmetic::number::float;
use crate::inference::Resampling;
use crate::inference::resampling::random::Random;

/// Differences that are smaller by this part of the observed one count as equal to it: sums in another
/// order round apart what is equal.
const TIE: f64 = 1e-10;

/// What came of a permutation test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PermutationTest {
    /// The difference as it is.
    pub difference: f64,
    /// How likely a difference at least as far from 0 is, on either side, if it does not matter who is who.
    pub p_value: f64,
    /// Whether all ways to exchange the two were gone through, and not only some drawn at random.
    pub exact: bool,
}

/// Exchanges two, such as models, in some of the units, such as documents, and measures their difference; again
/// and again.
///
/// `difference` gets in which units the two are exchanged. Where there are no more ways to exchange them
/// than `resampling` would draw, each is measured once and the p-value is exact. A way without a
/// value counts as one that is further from 0, which makes no difference look surer than it is.
///
/// # Formula
/// With `d` the difference as it is, and `d_i` that of way `i` of `r`:
/// ```text
/// exact: p = #{|d_i| ≥ |d|} / r          drawn: p = (1 + #{|d_i| ≥ |d|}) / (1 + r)
/// ```
///
/// # Undefined when
/// There are no units ([`Undefined::TooFewUnits`]), nothing is to be drawn
/// ([`Undefined::TooFewResamples`]), or the difference of the units as they are is undefined.
///
/// # References
/// Noreen, E. W. (1989). *Computer-Intensive Methods for Testing Hypotheses*, chapter 2. Wiley. Yeh, A.
/// (2000). More accurate tests for the statistical significance of result differences. *COLING 2000*,
/// 947–953. For the ones that are added: Phipson, B. and Smyth, G. K. (2010). Permutation p-values
/// should never be zero. *Statistical Applications in Genetics and Molecular Biology* 9(1), 39.
///
/// # Example
/// How many more spans of four documents one model has found than another: no exchange makes it more, but
/// exchanging all makes it as many less.
/// ```
/// # use agreement::inference::{Resampling, permutation_test};
/// let more = [3.0, 1.0, 2.0, 1.0];
/// let difference = |exchanged: &[bool]| {
///     Ok(more.iter().zip(exchanged).map(|(more, is)| if *is { -more } else { *more }).sum())
/// };
/// let test = permutation_test(4, Resampling::default(), difference)?;
/// assert_eq!((test.difference, test.p_value, test.exact), (7.0, 2.0 / 16.0, true));
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn permutation_test(
    units: usize,
    resampling: Resampling,
    difference: impl Fn(&[bool]) -> Result<f64, Undefined>,
) -> Result<PermutationTest, Undefined> {
    if units == 0 {
        return Err(Undefined::TooFewUnits);
    }
    let mut exchanged = vec![false; units];
    let observed = difference(&exchanged)?;
    let as_far = |exchanged: &[bool]| {
        let reached = observed.abs() * (1.0 - TIE);
        u64::from(difference(exchanged).map_or(true, |found| found.abs() >= reached))
    };
    let all = u32::try_from(units).ok().and_then(|units| 1_u64.checked_shl(units));
    let ways = all.filter(|ways| *ways <= resampling.resamples.into());
    let (mut further, drawn) = (0, u64::from(resampling.resamples));
    if let Some(ways) = ways {
        for way in 0..ways {
            for (place, is_exchanged) in (0_u32..).zip(&mut exchanged) {
                *is_exchanged = way >> place & 1 == 1;
            }
            further += as_far(&exchanged);
        }
        let p_value = float(further) / float(ways);
        return Ok(PermutationTest { difference: observed, p_value, exact: true });
    }
    if drawn == 0 {
        return Err(Undefined::TooFewResamples);
    }
    for number in 0..drawn {
        let mut random = Random::stream(resampling.seed, number);
        for is_exchanged in &mut exchanged {
            *is_exchanged = random.below(2) == 1;
        }
        further += as_far(&exchanged);
    }
    let p_value = (1.0 + float(further)) / (1.0 + float(drawn));
    Ok(PermutationTest { difference: observed, p_value, exact: false })
}
