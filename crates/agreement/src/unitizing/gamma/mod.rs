//! Mathet's gamma: units of different raters are aligned, and the rest of disorder is measured.

mod aligner;
mod alignment;
mod best;
mod candidates;
mod categorial;
mod dissimilarity;
mod estimate;
mod prices;
mod random;
mod search;
mod shuffle;

use crate::{Continuum, Undefined};
use aligner::Aligner;
use best::Sample;
use categorial::{CategorialSum, CategorialSums};
use dissimilarity::Categories;
use estimate::corrected;

pub use best::{Alignment, Unaligned};
pub use estimate::{Gamma, GammaOptions};

/// Gamma and its relatives of one continuum: aligned and sampled once, read often.
///
/// # Formula
/// `R` raters; units `u`, `v` with starts, ends and lengths `l`:
/// ```text
/// d(u, v)  = α ((|s_u − s_v| + |e_u − e_v|) / (l_u + l_v))² Δ_∅ + β cat(u, v) Δ_∅
/// d(u, ∅)  = d(∅, ∅) = Δ_∅
/// disorder of a unitary alignment = mean of d over its R(R−1)/2 pairs
/// disorder of an alignment        = sum over its unitary alignments / (units / R)
/// observed = the least disorder of all alignments, each unit being in one unitary alignment
/// expected = the mean of the same for random annotations
/// γ        = 1 − observed / expected
/// γ_cat    = the same of Σ w cat / Σ w over aligned pairs, w = max(0, 1 − α d_pos) / (n − 1)
/// γ_k      = γ_cat over the pairs with at least one unit of category k
/// ```
/// The best alignment is exact. Random annotations are real raters' units shifted along the
/// continuum; 30 of them (by default) tell how many are needed for the precision asked for:
/// `(1.96 s / (mean · precision))²`. The same seed gives the same value on every machine, and the
/// order of raters and units does not matter. Units of one rater may overlap. On a longer continuum
/// chance spreads units wider, so its length is part of the data.
///
/// # Undefined when
/// There are fewer than two raters, nobody marked a unit, options are out of range, random
/// annotations show no disorder either, or an exact alignment is out of reach (many raters with
/// very many near units).
///
/// # Reference
/// Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method gamma (γ)
/// for inter-annotator agreement measure and alignment. *Computational Linguistics*, 41(3),
/// 437–479. Mathet, Y. (2017). The agreement measure γcat, a complement to γ focused on
/// categorization of a continuum. *Computational Linguistics*, 43(3), 661–681.
///
/// # Example
/// ```
/// use agreement::{Continuum, GammaOptions, GammaStudy, Unit};
///
/// let unit = |(rater, start, end, category)| Unit { rater, start, length: end - start, category };
/// let units = [
///     (0, 1, 5, "a"), (0, 6, 10, "b"), (0, 11, 15, "a"),
///     (1, 2, 6, "a"), (1, 7, 11, "b"), (1, 12, 16, "a"),
/// ];
/// let continuum = Continuum::with_overlaps(0, 20, 2, units.map(unit))?;
/// let study = GammaStudy::new(&continuum, &GammaOptions::default())?;
/// let gamma = study.gamma()?;
/// assert_eq!(gamma.observed, 0.0625);
/// assert!(gamma.precision <= 0.02 && gamma.value > 0.8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GammaStudy<'a, C> {
    observed: Alignment<'a, C>,
    samples: Vec<Sample>,
}

impl<'a, C: Ord> GammaStudy<'a, C> {
    /// Aligns the continuum and as many random annotations as the precision needs.
    pub fn new(continuum: &'a Continuum<C>, options: &GammaOptions) -> Result<Self, Undefined> {
        Self::with(Aligner::new(continuum, options, Categories::Nominal)?)
    }

    /// As [`Self::new`], with a distance from 0 to 1 between categories in place of
    /// "the same or not".
    pub fn with_distance(
        continuum: &'a Continuum<C>,
        options: &GammaOptions,
        distance: impl Fn(&C, &C) -> f64,
    ) -> Result<Self, Undefined> {
        let matrix = matrix(&continuum.categories(), distance)?;
        Self::with(Aligner::new(continuum, options, Categories::Matrix(matrix))?)
    }

    fn with(aligner: Aligner<'a, C>) -> Result<Self, Undefined> {
        let observed = aligner.observed()?;
        let samples = aligner.samples()?;
        Ok(Self { observed, samples })
    }

    /// The best alignment of what the raters marked.
    pub fn alignment(&self) -> &Alignment<'a, C> {
        &self.observed
    }

    /// `γ`: boundaries and categories.
    pub fn gamma(&self) -> Result<Gamma, Undefined> {
        corrected(self.observed.disorder, self.samples.iter().map(|sample| sample.disorder))
    }

    /// `γ_cat`: the categories of units that the best alignment puts together.
    pub fn gamma_cat(&self, unaligned: Unaligned) -> Result<Gamma, Undefined> {
        let observed = self.observed.categorial_disorder(unaligned)?;
        self.corrected_for(observed, unaligned, |sums| Some(&sums.all))
    }

    /// `γ_k`: `γ_cat` of one category.
    pub fn gamma_k(&self, category: &C, unaligned: Unaligned) -> Result<Gamma, Undefined> {
        let observed = self.observed.category_disorder(category, unaligned)?;
        let index = self.observed.categories.binary_search(&category);
        let index = index.map_err(|_| Undefined::CategoryNotUsed)?;
        self.corrected_for(observed, unaligned, |sums| sums.per_category.get(index))
    }

    fn corrected_for(
        &self,
        observed: f64,
        unaligned: Unaligned,
        part: impl Fn(&CategorialSums) -> Option<&CategorialSum>,
    ) -> Result<Gamma, Undefined> {
        let count = unaligned == Unaligned::DeltaEmpty;
        let disorder = |sample: &Sample| {
            part(&sample.sums).and_then(|sum| sum.disorder(self.observed.delta_empty, count))
        };
        corrected(observed, self.samples.iter().filter_map(disorder))
    }
}

/// The best alignment alone, without chance: what gamma's observed disorder comes from.
///
/// # Undefined when
/// As [`GammaStudy`], apart from chance.
///
/// # Example
/// ```
/// use agreement::{Continuum, GammaOptions, Unit, gamma_alignment};
///
/// let unit = |(rater, start, end, category)| Unit { rater, start, length: end - start, category };
/// let units = [(0, 1, 5, "a"), (0, 20, 24, "a"), (1, 2, 6, "a")];
/// let continuum = Continuum::with_overlaps(0, 30, 2, units.map(unit))?;
/// let alignment = gamma_alignment(&continuum, &GammaOptions::default())?;
/// let together: Vec<usize> = alignment.unitary.iter().map(Vec::len).collect();
/// assert_eq!(together, [2, 1]);
/// assert_eq!(alignment.disorder, (0.0625 + 1.0) / 1.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn gamma_alignment<'a, C: Ord>(
    continuum: &'a Continuum<C>,
    options: &GammaOptions,
) -> Result<Alignment<'a, C>, Undefined> {
    Aligner::new(continuum, options, Categories::Nominal)?.observed()
}

fn matrix<C>(
    categories: &[&C],
    distance: impl Fn(&C, &C) -> f64,
) -> Result<Vec<Vec<f64>>, Undefined> {
    let row = |a: &&C| categories.iter().map(|b| distance(a, b)).collect::<Vec<f64>>();
    let rows: Vec<Vec<f64>> = categories.iter().map(row).collect();
    let in_range = rows.iter().flatten().all(|d| (0.0..=1.0).contains(d));
    in_range.then_some(rows).ok_or(Undefined::OptionOutOfRange)
}
