//! Pk and `WindowDiff`: a window slides along two segmentations and counts where they differ.

use crate::Undefined;
use crate::arithmetic::ratio::ratio;
use crate::unitizing::segmentation::Segmentation;

/// Beeferman's `P_k`: how often two things `k` apart are in one segment for one and not for the
/// other; a penalty, 0 is agreement.
///
/// # Formula
/// ```text
/// P_k = #{ i : (x_i = x_{i+k}) ≠ (y_i = y_{i+k}) } / (n − k)
/// k   = half the mean length of the reference's segments, rounded half to even, at least 2
/// ```
/// where `x_i` is the segment of the `i`-th of `n` things. It is not symmetric: `k` depends on
/// the reference. Its cost grows with the boundaries, not with `n`.
///
/// # Undefined when
/// The two differ in length, or no window fits in.
///
/// # Reference
/// Beeferman, D., Berger, A., & Lafferty, J. (1999). Statistical models for text segmentation.
/// *Machine Learning*, 34, 177–210. As in segeval 2.0.11.
///
/// # Example
/// Hearst's (1997) Stargazer text, coders 1 and 2.
/// ```
/// use agreement::{Segmentation, pk, window_diff};
///
/// let first = Segmentation::from_masses([2, 3, 3, 1, 3, 6, 3])?;
/// let second = Segmentation::from_masses([2, 8, 2, 4, 2, 3])?;
/// assert_eq!(pk(&first, &second)?, 7.0 / 19.0);
/// assert_eq!(window_diff(&first, &second)?, 7.0 / 19.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pk(hypothesis: &Segmentation, reference: &Segmentation) -> Result<f64, Undefined> {
    sliding(hypothesis, reference, |in_hypothesis, in_reference| {
        (in_hypothesis == 0) != (in_reference == 0)
    })
}

/// Pevzner & Hearst's `WindowDiff`: how often a window of `k` holds another number of boundaries;
/// a penalty, 0 is agreement.
///
/// # Formula
/// ```text
/// WD = #{ i : b_x(i, i + k) ≠ b_y(i, i + k) } / (n − k)
/// ```
/// with `b` the number of boundaries between the `i`-th and the `(i + k)`-th thing, `k` as in
/// [`pk`].
///
/// # Undefined when
/// As [`pk`].
///
/// # Reference
/// Pevzner, L., & Hearst, M. A. (2002). A critique and improvement of an evaluation metric for
/// text segmentation. *Computational Linguistics*, 28(1), 19–36. As in segeval 2.0.11, without
/// the correction of Lamprier et al. (2007).
///
/// # Example
/// A boundary that is missed.
/// ```
/// use agreement::{Segmentation, window_diff};
///
/// let reference = Segmentation::from_masses([4, 2])?;
/// assert_eq!(window_diff(&reference, &reference)?, 0.0);
/// let hypothesis = Segmentation::from_masses([6])?;
/// assert!(window_diff(&hypothesis, &reference)? > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn window_diff(hypothesis: &Segmentation, reference: &Segmentation) -> Result<f64, Undefined> {
    sliding(hypothesis, reference, |in_hypothesis, in_reference| in_hypothesis != in_reference)
}

/// Half the mean length of the segments, rounded half to even, at least 2.
fn window(reference: &Segmentation) -> u64 {
    let twice = 2 * u64::try_from(reference.segments()).unwrap_or(u64::MAX / 2).max(1);
    let (whole, rest) = (reference.length / twice, reference.length % twice);
    let up = match (2 * u128::from(rest)).cmp(&u128::from(twice)) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => !whole.is_multiple_of(2),
        std::cmp::Ordering::Greater => true,
    };
    (whole + u64::from(up)).max(2)
}

/// The share of windows that differ; counts change only where a boundary comes in or goes out.
fn sliding(
    hypothesis: &Segmentation,
    reference: &Segmentation,
    differ: impl Fn(i64, i64) -> bool,
) -> Result<f64, Undefined> {
    hypothesis.check_length(reference)?;
    let window = window(reference);
    let windows = reference.length.saturating_sub(window);
    if windows == 0 {
        return Err(Undefined::NoSharedPositions);
    }
    // The window at i holds the boundaries above i, up to i + k.
    let mut changes: Vec<(u64, i64, i64)> = Vec::new();
    for (segmentation, first) in [(hypothesis, 1), (reference, 0)] {
        for &boundary in segmentation.boundaries() {
            changes.push((boundary.saturating_sub(window), first, 1 - first));
            changes.push((boundary, -first, first - 1));
        }
    }
    changes.sort_unstable_by_key(|change| change.0);
    let (mut differing, mut since) = (0, 0);
    let (mut in_hypothesis, mut in_reference) = (0, 0);
    for (at, to_hypothesis, to_reference) in changes {
        if differ(in_hypothesis, in_reference) {
            differing += at.min(windows) - since;
        }
        since = at.min(windows);
        in_hypothesis += to_hypothesis;
        in_reference += to_reference;
    }
    // After its last boundary has gone out, no window holds any.
    Ok(ratio(differing.into(), windows.into()))
}
