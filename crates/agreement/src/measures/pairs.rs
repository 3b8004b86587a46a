//! A measure of two raters for every two raters of a study.

use crate::{Coefficient, Contingency, Ratings, Undefined};

/// A coefficient, or why there is none, for every two raters of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct PairMatrix {
    raters: usize,
    /// Row by row above the diagonal: (0, 1), (0, 2), …, (1, 2), …
    values: Vec<Result<Coefficient, Undefined>>,
}

/// A measure of two raters, for every two raters over the items that both rated.
///
/// # Example
/// ```
/// # use agreement::{Ratings, cohen_kappa, pairwise};
/// let study = Ratings::from_rows([
///     [Some("a"), Some("a"), None],
///     [Some("b"), Some("b"), None],
/// ])?;
/// let kappas = pairwise(&study, cohen_kappa);
/// assert_eq!(kappas.get(1, 0).unwrap().unwrap().value, 1.0);
/// assert_eq!(kappas.get(0, 2), Some(Err(agreement::Undefined::NoSharedPositions)));
/// assert_eq!(kappas.get(1, 1), None);
/// # Ok::<(), agreement::StudyError>(())
/// ```
pub fn pairwise<C: Ord + Clone>(
    study: &Ratings<C>,
    measure: impl Fn(&Contingency<C>) -> Result<Coefficient, Undefined>,
) -> PairMatrix {
    let raters = study.raters();
    let pairs =
        (0..raters).flat_map(|first| (first + 1..raters).map(move |second| (first, second)));
    let values = pairs.map(|(first, second)| measure(&study.contingency(first, second))).collect();
    PairMatrix { raters, values }
}

impl PairMatrix {
    /// How many raters there are.
    pub fn raters(&self) -> usize {
        self.raters
    }

    /// What was measured of two raters, the same for either order; nothing for one and the same.
    pub fn get(&self, first: usize, second: usize) -> Option<Result<Coefficient, Undefined>> {
        let (first, second) = (first.min(second), first.max(second));
        if first == second || second >= self.raters {
            return None;
        }
        let rows_above = first * (2 * self.raters - first - 1) / 2;
        self.values.get(rows_above + second - first - 1).copied()
    }

    /// What was measured of each pair, in the order (0, 1), (0, 2), …, (1, 2), …
    pub fn values(&self) -> impl Iterator<Item = Result<Coefficient, Undefined>> {
        self.values.iter().copied()
    }
}
