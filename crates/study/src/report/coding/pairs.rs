//! Every two raters of a study of more.

use agreement::{Ratings, krippendorff_alpha_nominal};
use serde::{Deserialize, Serialize};

use crate::read::Level;
use crate::report::coding::measures::{Measure, Sample, Scale};
use crate::report::{Measurement, Reason};

/// What two of the raters come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The place of the first rater, from 0.
    pub first: usize,
    /// The place of the second.
    pub second: usize,
    /// How many items both rated.
    pub items: u64,
    /// The measures.
    pub values: Vec<PairValue>,
}

/// A measure of two of the raters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairValue {
    /// The measure.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The value.
    pub value: Option<f64>,
    /// Why there is none.
    pub undefined: Option<Reason>,
}

/// Measures every two raters, on the items that both rated.
pub(super) fn of(ratings: &Ratings<u32>, scale: &Scale<'_>, asked: &[Measure]) -> Vec<Pair> {
    let raters = ratings.raters();
    let pairs =
        (0..raters).flat_map(|first| (first + 1..raters).map(move |second| (first, second)));
    pairs.map(|(first, second)| pair(ratings, scale, asked, first, second)).collect()
}

fn pair(
    ratings: &Ratings<u32>,
    scale: &Scale<'_>,
    asked: &[Measure],
    first: usize,
    second: usize,
) -> Pair {
    let table = ratings.contingency(first, second);
    let (alpha, items) = (krippendorff_alpha_nominal(&table), table.total());
    let counts = agreement::Counts::from(&table);
    let sample = Sample::new(table, counts.nominal_tally(), None, None);
    let mut measures = vec![Measure::Percent, Measure::CohenKappa];
    if scale.level > Level::Nominal {
        measures.push(Measure::WeightedKappaQuadratic);
    }
    // Pairs of a study of many have Cohen's kappa even if the study has none.
    if !asked.contains(&Measure::Percent) {
        measures.retain(|measure| *measure != Measure::Percent);
    }
    let value = |id: &str, name: String, value: Result<f64, agreement::Undefined>| {
        let Measurement { id, name, value, undefined, .. } =
            Measurement::new(id, &name, None, value.map(Into::into));
        PairValue { id, name, value, undefined }
    };
    let mut values: Vec<PairValue> = measures
        .into_iter()
        .map(|measure| {
            let result = measure.value(&sample, scale).map(|value| value.value);
            value(measure.word(), measure.name(scale.level), result)
        })
        .collect();
    if asked.contains(&Measure::AlphaNominal) {
        let (id, name) = (Measure::AlphaNominal.word(), Measure::AlphaNominal.name(scale.level));
        values.push(value(id, name, alpha.map(|alpha| alpha.value)));
    }
    Pair { first, second, items, values }
}
