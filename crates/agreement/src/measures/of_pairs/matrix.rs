//! A measure of two raters for every two raters of a study.

use crate::arithmetic::parallel;
use crate::{Coefficient, Contingency, Ratings, Undefined};

/// A coefficient, or why there is none, for every two raters of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct PairMatrix {
    raters: usize,
    /// Row by row above the diagonal: (0, 1), (0, 2), …, (1, 2), …
    values: Vec<Result<Coefficient, Undefined>>,
}

/// How many tables are counted before they are measured.
const BATCH: usize = 256;

/// A measure of two raters, for every two raters over the items that both rated.
///
/// With the feature `parallel` the tables are counted on all cores. The nominal measures of all
/// pairs come many times faster from [`NominalPairs`](crate::NominalPairs).
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
    let pairs: Vec<(usize, usize)> = all_pairs(study.raters()).collect();
    let mut values = Vec::with_capacity(pairs.len());
    let coded = study.coded();
    for batch in pairs.chunks(BATCH) {
        let pair = |index: usize| batch.get(index).copied().unwrap_or_default();
        let cells = parallel::map(batch.len(), |index| {
            let (first, second) = pair(index);
            coded.cells(first, second)
        });
        values.extend(cells.into_iter().map(|cells| measure(&study.table(cells))));
    }
    PairMatrix::new(study.raters(), values)
}

/// Every two raters, in the order (0, 1), (0, 2), …, (1, 2), …
pub(super) fn all_pairs(raters: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..raters).flat_map(move |first| (first + 1..raters).map(move |second| (first, second)))
}

impl PairMatrix {
    /// Values come row by row above the diagonal.
    pub(super) fn new(raters: usize, values: Vec<Result<Coefficient, Undefined>>) -> Self {
        Self { raters, values }
    }

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
