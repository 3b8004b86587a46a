//! Predictions beside what people said: after the shared tasks on learning with disagreements.

use agreement::consensus::{SoftLabels, Votes, majority_vote};
use agreement::inference::{Level as Confidence, Resampling};
use agreement::{
    ByItem, MISSING, Number, Ratings, Score, Undefined, cross_entropy, error_rate,
    manhattan_distance, normalised_absolute_distance, wasserstein_distance,
};
use serde::{Deserialize, Serialize};

use super::budget;
use super::measures::Scale;
use crate::count64;
use crate::predictions::Predictions;
use crate::read::{Level, Study};
use crate::report::measurement::too_few_units;
use crate::report::{IntervalOf, Measurement, Options, Reason};
use crate::words::words;

/// About so many steps it takes to draw an item and to add it up.
const STEPS_OF_ITEM: u64 = 4;

words! {
    /// What is predicted.
    PredictionKind is "a kind of predictions":
    /// How people's answers are distributed.
    Soft = "soft",
    /// What each of them says.
    Perspectives = "perspectives",
}

/// A file of predictions beside what people said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictionsBeside {
    /// What the file is called.
    pub file: String,
    /// What is predicted.
    pub kind: PredictionKind,
    /// How many items were judged and predicted.
    pub items: u64,
    /// How many items were judged, and are not predicted.
    pub not_predicted: u64,
    /// How many answers of people are predicted; of distributions, none.
    pub answers: Option<u64>,
    /// How many points the scale has, if distances on it are measured as a part of it.
    pub points: Option<f64>,
    /// The measures: means of items, with bootstrap intervals over items.
    pub measures: Vec<Measurement>,
}

/// How far a predicted distribution is from that of the people.
type Distance<'a> = dyn Fn(&[f64], &[f64]) -> Result<f64, Undefined> + 'a;

/// A study with the predictions of a file.
struct Beside<'a> {
    ratings: &'a Ratings<u32>,
    scale: Scale<'a>,
    options: &'a Options,
    confidence: Confidence,
}

/// Measures the predictions of a file.
pub(in crate::report) fn of(
    (study, ratings): (&Study, &Ratings<u32>),
    file: &str,
    predictions: &Predictions,
    options: &Options,
    confidence: Confidence,
) -> PredictionsBeside {
    let categories = study.understood.categories.len();
    let scale = Scale::new(study.understood.level, categories, study.scores.as_deref());
    let beside = Beside { ratings, scale, options, confidence };
    match predictions {
        Predictions::Soft(predicted) => beside.soft(file, predicted),
        Predictions::Perspectives(predicted) => beside.perspectives(file, predicted),
    }
}

impl Beside<'_> {
    fn soft(&self, file: &str, predicted: &[Option<Vec<f64>>]) -> PredictionsBeside {
        let votes = Votes::from(self.ratings);
        let people = majority_vote(&votes);
        let each = |distance: &Distance<'_>| {
            let people: &SoftLabels<u32> = people.as_ref().map_err(|undefined| *undefined)?;
            let both = predicted.iter().enumerate().filter_map(|(item, predicted)| {
                Some(distance(predicted.as_ref()?, people.item(item)?))
            });
            ByItem::of(both)
        };
        let places: Vec<f64> =
            self.scale.codes().map(|code| self.scale.score(code).score()).collect();
        let mut measures = vec![
            self.measured("manhattan_distance", "Manhattan distance", each(&manhattan_distance)),
            self.measured("cross_entropy", "Cross entropy", each(&cross_entropy)),
        ];
        if self.scale.level > Level::Nominal {
            let moved = each(&|p, t| wasserstein_distance(p, t, &places));
            measures.push(self.measured("wasserstein_distance", "Wasserstein distance", moved));
        }
        let is_predicted = |item: usize| predicted.get(item).is_some_and(Option::is_some);
        let (items, not_predicted) = self.counts(is_predicted);
        PredictionsBeside {
            file: file.to_owned(),
            kind: PredictionKind::Soft,
            items,
            not_predicted,
            answers: None,
            points: None,
            measures,
        }
    }

    fn perspectives(&self, file: &str, predicted: &[Vec<u32>]) -> PredictionsBeside {
        let pairs = |item: usize| {
            predicted.iter().enumerate().filter_map(move |(rater, of_rater)| {
                let predicted = of_rater.get(item).copied().filter(|code| *code != MISSING)?;
                Some((predicted, *self.ratings.rating(item, rater)?))
            })
        };
        let items = 0..self.ratings.items();
        let errors = ByItem::of(items.clone().map(|item| error_rate(pairs(item))));
        let mut measures = vec![self.measured("error_rate", "Error rate", errors)];
        let mut points = None;
        if self.scale.level > Level::Nominal {
            points = self.points();
            let apart = points.ok_or(Undefined::NoSharedPositions).and_then(|points| {
                let score = |(p, t): (u32, u32)| -> (Number, Number) {
                    (self.scale.score(p), self.scale.score(t))
                };
                let of_item = |item| normalised_absolute_distance(pairs(item).map(score), points);
                ByItem::of(items.clone().map(of_item))
            });
            let name = "Normalised absolute distance";
            measures.push(self.measured("normalised_absolute_distance", name, apart));
        }
        let answers = items.map(|item| count64(pairs(item).count())).sum();
        let (items, not_predicted) = self.counts(|item| pairs(item).next().is_some());
        PredictionsBeside {
            file: file.to_owned(),
            kind: PredictionKind::Perspectives,
            items,
            not_predicted,
            answers: Some(answers),
            points,
            measures,
        }
    }

    /// How many points the scale has: those from the lowest to the highest category.
    fn points(&self) -> Option<f64> {
        let places = || self.scale.codes().map(|code| self.scale.score(code).score());
        let (low, high) = (places().reduce(f64::min)?, places().reduce(f64::max)?);
        Some(high - low + 1.0)
    }

    /// How many of the items that somebody has judged are predicted, and how many are not.
    fn counts(&self, is_predicted: impl Fn(usize) -> bool) -> (u64, u64) {
        let judged = |item: &usize| self.ratings.item(*item).flatten().next().is_some();
        let judged = (0..self.ratings.items()).filter(judged);
        let (predicted, not): (Vec<usize>, Vec<usize>) =
            judged.partition(|item| is_predicted(*item));
        (count64(predicted.len()), count64(not.len()))
    }

    /// The mean of the items with its interval.
    fn measured(&self, id: &str, name: &str, of: Result<ByItem, Undefined>) -> Measurement {
        let mean = of.as_ref().map(ByItem::mean).map_err(|undefined| *undefined);
        let mut measured = Measurement::new(id, name, None, mean.map(Into::into));
        if let Ok(of) = of {
            match self.interval(&of) {
                Ok(interval) => measured.interval = Some(interval),
                Err(reason) => measured.no_interval = Some(reason),
            }
        }
        measured
    }

    fn interval(&self, of: &ByItem) -> Result<IntervalOf, Reason> {
        let units = count64(of.items());
        if let Some(reason) = too_few_units(units, self.options.confidence) {
            return Err(reason);
        }
        let cost = count64(of.items()).saturating_mul(STEPS_OF_ITEM);
        let resamples = budget::draws(self.options.resamples, cost, "resampling so many items")?;
        let drawn = of.bootstrap(Resampling { resamples, seed: self.options.seed })?;
        let replicates = drawn.replicates().to_vec();
        Ok(IntervalOf::of_resamples(drawn.value(), replicates, resamples, self.confidence)?)
    }
}
