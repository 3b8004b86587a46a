//! Predictions as they are read, until the file is through.

use agreement::{MISSING, is_distribution};

use super::names::Names;
use crate::{Place, Problem, Refusal};

/// The most probabilities of items.
const MOST_PROBABILITIES: usize = 1 << 26;

/// What is predicted.
#[derive(Clone, Debug, PartialEq)]
pub enum Predictions {
    /// For each item how probable each category is; nothing for an item that is not predicted.
    Soft(Vec<Option<Vec<f64>>>),
    /// For each rater what they say of each item: the code of a category, or
    /// [`MISSING`](agreement::MISSING).
    Perspectives(Vec<Vec<u32>>),
}

/// What was read so far.
pub(super) struct Collected<'a> {
    names: Names<'a>,
    /// Of the kind that the first prediction is of.
    found: Option<Found>,
}

enum Found {
    Soft(Vec<Option<Distribution>>),
    Perspectives(Vec<Vec<u32>>),
}

/// The distribution of an item.
struct Distribution {
    /// Where it begins.
    place: Place,
    /// Of each category, if it was named.
    probabilities: Vec<Option<f64>>,
}

impl<'a> Collected<'a> {
    pub(super) fn of(names: Names<'a>) -> Self {
        Self { names, found: None }
    }

    pub(super) fn names(&self) -> &Names<'a> {
        &self.names
    }

    /// Adds the probability of a category for an item, which stands at a place.
    pub(super) fn add_probability(
        &mut self,
        (item, category): (usize, usize),
        probability: f64,
        place: Place,
    ) -> Result<(), Problem> {
        let (items, categories) = (self.names.item_count(), self.names.category_count());
        if items.saturating_mul(categories) > MOST_PROBABILITIES {
            return Err(Problem::TooMany);
        }
        let begin = || Found::Soft(std::iter::repeat_with(|| None).take(items).collect());
        let Found::Soft(distributions) = self.found.get_or_insert_with(begin) else {
            return Err(Problem::OtherPredictions);
        };
        let Some(distribution) = distributions.get_mut(item) else { return Ok(()) };
        let nothing = || Distribution { place, probabilities: vec![None; categories] };
        let distribution = distribution.get_or_insert_with(nothing);
        match distribution.probabilities.get_mut(category) {
            Some(Some(_)) => Err(self.twice(item, self.names.category_name(category))),
            Some(empty) => {
                *empty = Some(probability);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Adds what a rater says of an item.
    pub(super) fn add_answer(
        &mut self,
        (item, rater): (usize, usize),
        category: usize,
    ) -> Result<(), Problem> {
        let (items, raters) = (self.names.item_count(), self.names.rater_count());
        let begin = || Found::Perspectives(vec![vec![MISSING; items]; raters]);
        let Found::Perspectives(answers) = self.found.get_or_insert_with(begin) else {
            return Err(Problem::OtherPredictions);
        };
        match answers.get_mut(rater).and_then(|answers| answers.get_mut(item)) {
            Some(answer) if *answer == MISSING => {
                *answer = u32::try_from(category).map_err(|_| Problem::TooMany)?;
                Ok(())
            }
            Some(_) => Err(self.twice(item, self.names.rater_name(rater))),
            None => Ok(()),
        }
    }

    fn twice(&self, item: usize, what: String) -> Problem {
        Problem::PredictedTwice { item: self.names.item_name(item), what }
    }

    /// All of it, if every distribution is one.
    pub(super) fn finish(self) -> Result<Predictions, Refusal> {
        let distributions = match self.found {
            Some(Found::Soft(distributions)) => distributions,
            Some(Found::Perspectives(answers)) => return Ok(Predictions::Perspectives(answers)),
            None => return Err(Refusal { place: None, problem: Problem::NoPredictions }),
        };
        let checked = distributions.into_iter().enumerate().map(|(item, distribution)| {
            let Some(Distribution { place, probabilities }) = distribution else { return Ok(None) };
            let probabilities: Vec<f64> =
                probabilities.into_iter().map(Option::unwrap_or_default).collect();
            if is_distribution(&probabilities) {
                return Ok(Some(probabilities));
            }
            let sum = format!("{:.4}", probabilities.iter().sum::<f64>());
            let problem = Problem::NoDistribution { item: self.names.item_name(item), sum };
            Err(Refusal { place: Some(place), problem })
        });
        checked.collect::<Result<_, _>>().map(Predictions::Soft)
    }
}

/// The probability in a text.
pub(super) fn probability(text: &str) -> Result<f64, Problem> {
    let parsed = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    parsed.ok_or_else(|| Problem::NotAProbability(text.to_owned()))
}
