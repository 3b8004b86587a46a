//! Boundary similarity and segmentation similarity: edits that turn one segmentation into another.

use std::collections::BTreeSet;

use crate::Undefined;
use crate::arithmetic::ratio::ratio;
use crate::unitizing::segmentation::Segmentation;

/// The edits between two segmentations, and what needs none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundaryEdits {
    /// Boundaries that both have.
    pub matches: u64,
    /// Boundaries that one has and the other has not, not even near.
    pub additions: u64,
    /// How far apart the two boundaries of each near miss are.
    pub transpositions: Vec<u64>,
}

/// Fournier's boundary edit distance, with near misses below `near` positions apart.
///
/// As in segeval, near misses are taken from the nearest on, and from the start on.
///
/// # Undefined when
/// The two differ in length.
pub fn boundary_edits(
    first: &Segmentation,
    second: &Segmentation,
    near: u64,
) -> Result<BoundaryEdits, Undefined> {
    first.check_length(second)?;
    let set = |segmentation: &Segmentation| -> BTreeSet<u64> {
        segmentation.boundaries().iter().copied().collect()
    };
    let (of_first, of_second) = (set(first), set(second));
    let matches = of_first.intersection(&of_second).count();
    let mut only_first: BTreeSet<u64> = of_first.difference(&of_second).copied().collect();
    let mut only_second: BTreeSet<u64> = of_second.difference(&of_first).copied().collect();

    let mut transpositions = Vec::new();
    for distance in 1..near.min(first.length()) {
        if only_first.is_empty() || only_second.is_empty() {
            break;
        }
        let open: Vec<u64> = only_first.union(&only_second).copied().collect();
        for position in open {
            let Some(other) = position.checked_add(distance) else { break };
            let crossed = (only_first.contains(&position) && only_second.contains(&other))
                || (only_second.contains(&position) && only_first.contains(&other));
            if crossed {
                for set in [&mut only_first, &mut only_second] {
                    set.remove(&position);
                    set.remove(&other);
                }
                transpositions.push(distance);
            }
        }
    }
    let count = |number: usize| u64::try_from(number).map_err(|_| Undefined::TooLarge);
    Ok(BoundaryEdits {
        matches: count(matches)?,
        additions: count(only_first.len() + only_second.len())?,
        transpositions,
    })
}

impl BoundaryEdits {
    /// The weight of all edits, in parts of `near`: an addition weighs 1, a near miss its
    /// distance.
    fn weight(&self, near: u64) -> i128 {
        let moved: i128 = self.transpositions.iter().map(|&distance| i128::from(distance)).sum();
        i128::from(self.additions) * i128::from(near) + moved
    }

    /// Boundaries with a partner or without one: matches, near misses and additions.
    fn pairs(&self) -> i128 {
        let near_misses = self.transpositions.iter().map(|_| 1_i128).sum::<i128>();
        i128::from(self.matches) + i128::from(self.additions) + near_misses
    }
}

/// Fournier's boundary similarity `B`.
///
/// # Formula
/// With `A` additions, `T` near misses at most `n_t − 1` apart (weighing their distance by `n_t`)
/// and `M` matches:
/// ```text
/// B = 1 − (|A| + Σ_T distance / n_t) / (|A| + |T| + |M|)
/// ```
///
/// # Undefined when
/// The two differ in length, `n_t` is 0, or neither has a boundary.
///
/// # Reference
/// Fournier, C. (2013). Evaluating text segmentation using boundary edit distance. *ACL*,
/// 1702–1712; as in segeval 2.0.11, whose `n_t` is 2 unless said otherwise.
///
/// # Example
/// Hearst's (1997) Stargazer text, coders 1 and 2.
/// ```
/// use agreement::{Segmentation, boundary_similarity, segmentation_similarity};
///
/// let first = Segmentation::from_masses([2, 3, 3, 1, 3, 6, 3])?;
/// let second = Segmentation::from_masses([2, 8, 2, 4, 2, 3])?;
/// assert_eq!(boundary_similarity(&first, &second, 2)?, 0.5);
/// assert_eq!(segmentation_similarity(&first, &second, 2)?, 0.825);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn boundary_similarity(
    first: &Segmentation,
    second: &Segmentation,
    near: u64,
) -> Result<f64, Undefined> {
    let edits = boundary_edits(first, second, near)?;
    similarity(&edits, edits.pairs(), near)
}

/// Fournier & Inkpen's segmentation similarity `S`.
///
/// # Formula
/// As [`boundary_similarity`], but relative to all `n − 1` places where a boundary could be, so
/// that sparse boundaries flatter it:
/// ```text
/// S = 1 − (|A| + Σ_T distance / n_t) / (n − 1)
/// ```
///
/// # Undefined when
/// The two differ in length, `n_t` is 0, or there is no place for a boundary.
///
/// # Reference
/// Fournier, C., & Inkpen, D. (2012). Segmentation similarity and agreement. *NAACL-HLT*,
/// 152–161; as in segeval 2.0.11.
pub fn segmentation_similarity(
    first: &Segmentation,
    second: &Segmentation,
    near: u64,
) -> Result<f64, Undefined> {
    let edits = boundary_edits(first, second, near)?;
    similarity(&edits, i128::from(first.length()) - 1, near)
}

fn similarity(edits: &BoundaryEdits, places: i128, near: u64) -> Result<f64, Undefined> {
    if near == 0 {
        return Err(Undefined::OptionOutOfRange);
    }
    if places <= 0 {
        return Err(Undefined::NoSharedPositions);
    }
    let whole = places.checked_mul(near.into()).ok_or(Undefined::TooLarge)?;
    Ok(ratio(whole - edits.weight(near), whole))
}
