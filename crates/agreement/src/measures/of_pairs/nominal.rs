//! The nominal measures of two raters, for every two raters of a study at once.

use super::{apart, together};
use crate::measures::of_pairs::matrix::PairMatrix;
use crate::measures::of_two::pair_sums::PairSums;
use crate::study::columns::Columns;
use crate::{Coefficient, Ratings, Undefined};

/// What the nominal measures of two raters read, for every two raters of a study.
///
/// The study is gone through once for all pairs, a block of items at a time; per pair only its
/// sums are kept. Values are those of the measures on [`Ratings::contingency`], to the last bit;
/// with the feature `parallel` they are counted on all cores, and still the same.
///
/// # Example
/// ```
/// # use agreement::{NominalPairs, Ratings, cohen_kappa, pairwise};
/// let study = Ratings::from_rows([
///     [Some("a"), Some("a"), Some("b")],
///     [Some("b"), Some("b"), None],
///     [Some("b"), Some("a"), Some("b")],
/// ])?;
/// let pairs = NominalPairs::of(&study);
/// assert_eq!(pairs.cohen_kappa(), pairwise(&study, cohen_kappa));
/// assert_eq!(pairs.krippendorff_alpha().get(0, 1).unwrap()?.value, 4.0 / 9.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NominalPairs {
    raters: usize,
    /// In the order of [`PairMatrix`].
    sums: Vec<PairSums>,
}

impl NominalPairs {
    /// Counts every two raters of a study, over the items that both rated.
    pub fn of<C: Ord + Clone>(study: &Ratings<C>) -> Self {
        let study = study.coded();
        let sums = match study.columns {
            Columns::Narrow(codes) if together::fits(study) => together::sums(study, codes),
            _ => apart::sums(study),
        };
        Self { raters: study.raters, sums }
    }

    /// [`percent`](crate::percent) of every two raters.
    pub fn percent(&self) -> PairMatrix {
        self.matrix(PairSums::percent)
    }

    /// [`cohen_kappa`](crate::cohen_kappa) of every two raters.
    pub fn cohen_kappa(&self) -> PairMatrix {
        self.matrix(PairSums::cohen_kappa)
    }

    /// [`scott_pi`](crate::scott_pi) of every two raters.
    pub fn scott_pi(&self) -> PairMatrix {
        self.matrix(PairSums::scott_pi)
    }

    /// [`krippendorff_alpha_nominal`](crate::krippendorff_alpha_nominal) of every two raters.
    pub fn krippendorff_alpha(&self) -> PairMatrix {
        self.matrix(PairSums::krippendorff_alpha)
    }

    /// The sums of each pair, in the order (0, 1), (0, 2), …, (1, 2), …
    pub(crate) fn sums(&self) -> &[PairSums] {
        &self.sums
    }

    fn matrix(&self, measure: impl Fn(&PairSums) -> Result<Coefficient, Undefined>) -> PairMatrix {
        PairMatrix::new(self.raters, self.sums.iter().map(measure).collect())
    }
}
