//! Measures for which some differences weigh more than others: of categories on a scale, and of sets.

use std::{
    borrow::Borrow,
    collections::{BTreeMap, BTreeSet},
};

use agreement::{
    Coefficient, CoincidenceTally, Contingency, Distance, Graded, Interval, Intraclass, Item, Masi,
    MeanSquares, Number, Ordinal, Rated, Ratings, Ratio, Scheme, Score, Undefined, Weights,
    gwet_ac2,
    inference::{Level, intraclass_interval},
    intraclass_correlation, krippendorff_alpha, weighted_kappa,
};
use domain::{Confidence, LabelId, LabelSet, Measure, Measured, MemberId, NoInterval, Switches};

use super::{LabelChoices, to_measured_of};
use crate::{Labeler, Tallies, tallies::items};

/// Where categories stand on a scale, those that stand on one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    of: BTreeMap<LabelSet, Number>,
    /// The numbers of what raters may still choose.
    offered: BTreeSet<Number>,
}

impl Scores {
    pub(super) fn of(scores: &[(LabelId, f64)], is_offered: impl Fn(&LabelSet) -> bool) -> Self {
        let score =
            |(label, score): &(LabelId, f64)| Some((LabelSet::one(*label), Number::new(*score)?));
        let of: BTreeMap<_, _> = scores.iter().filter_map(score).collect();
        let offered = of.iter().filter(|(category, _)| is_offered(category));
        let offered = offered.map(|(_, score)| *score).collect();
        Self { of, offered }
    }

    fn score(&self, category: &LabelSet) -> Result<Number, Undefined> {
        self.of.get(category).copied().ok_or(Undefined::NoDistance)
    }
}

/// Ratings as graded measures read them, whoever gave them: by their numbers, or by their sets of choices.
pub(crate) enum GradedTally {
    Numbers(CoincidenceTally<Number>),
    Sets(CoincidenceTally<BTreeSet<LabelId>>),
}

impl GradedTally {
    /// Counts items, each so many times; an error if a category has no number where one is needed.
    pub(crate) fn of<'a>(
        items: impl IntoIterator<Item = (impl IntoIterator<Item = &'a LabelSet>, u64)>,
        measure: Measure,
        scores: &Scores,
    ) -> Result<Self, Undefined> {
        if measure == Measure::AlphaMasi {
            let set = |labels: &LabelSet| Ok(labels.iter().collect());
            return Ok(Self::Sets(counted(items, set)?));
        }
        Ok(Self::Numbers(counted(items, |labels| scores.score(labels))?))
    }

    /// Adds up tallies of one measure, each so many times.
    pub(crate) fn pooled<'a>(tallies: impl IntoIterator<Item = (&'a Self, u64)>) -> Self {
        let mut numbers = CoincidenceTally::new();
        let mut sets = CoincidenceTally::new();
        let mut are_sets = false;
        for (tally, times) in tallies {
            for _ in 0..times {
                // Far more ratings can be counted than a database has.
                let room = match tally {
                    Self::Numbers(tally) => numbers.merge(tally),
                    Self::Sets(tally) => {
                        are_sets = true;
                        sets.merge(tally)
                    }
                };
                debug_assert!(room.is_ok());
            }
        }
        if are_sets { Self::Sets(sets) } else { Self::Numbers(numbers) }
    }

    /// The measure. Observed and expected disagreement are told as agreements: what is left of the
    /// disagreement of the two that are furthest apart.
    pub(crate) fn coefficient(
        &self,
        measure: Measure,
        scores: &Scores,
    ) -> Result<Coefficient, Undefined> {
        let tally = match self {
            Self::Numbers(tally) => tally,
            Self::Sets(tally) => return Ok(beside(krippendorff_alpha(tally, &Masi)?, 1.0)),
        };
        let numbers = tally.nominal().pairable();
        let (lowest, highest) = numbers
            .keys()
            .next()
            .zip(numbers.keys().next_back())
            .ok_or(Undefined::NoSharedPositions)?;
        match measure {
            Measure::AlphaOrdinal => alpha(tally, &Ordinal::of(tally), lowest, highest),
            Measure::AlphaRatio => alpha(tally, &Ratio, lowest, highest),
            Measure::Ac2 => {
                let mut choices = scores.offered.clone();
                choices.extend(numbers.keys().copied());
                if choices.len() > usize::from(Measure::MOST_WEIGHED) + 1 {
                    return Err(Undefined::TooLarge);
                }
                gwet_ac2(tally, &Weights::by_value(Scheme::Quadratic, choices)?)
            }
            _ => alpha(tally, &Interval, lowest, highest),
        }
    }
}

fn counted<'a, C: Ord + Clone>(
    items: impl IntoIterator<Item = (impl IntoIterator<Item = &'a LabelSet>, u64)>,
    category: impl Fn(&LabelSet) -> Result<C, Undefined>,
) -> Result<CoincidenceTally<C>, Undefined> {
    let mut tally = CoincidenceTally::new();
    for (said, times) in items {
        let item: Result<Item<C>, Undefined> = said.into_iter().map(&category).collect();
        // Far more ratings can be counted than a database has.
        let room = tally.add_times(&item?, times);
        debug_assert!(room.is_ok());
    }
    Ok(tally)
}

fn alpha<C: Ord + Clone, D: Distance<C>>(
    tally: &CoincidenceTally<C>,
    distance: &D,
    lowest: &C,
    highest: &C,
) -> Result<Coefficient, Undefined> {
    Ok(beside(krippendorff_alpha(tally, distance)?, distance.between(lowest, highest)))
}

fn beside(graded: Graded, widest: f64) -> Coefficient {
    Coefficient {
        value: graded.value,
        observed: 1.0 - graded.observed / widest,
        expected: 1.0 - graded.expected / widest,
    }
}

/// The form of an intraclass correlation that a measure is.
const fn intraclass(measure: Measure) -> Option<(Intraclass, Rated)> {
    Some(match measure {
        Measure::Icc1 => (Intraclass::OneWay, Rated::Once),
        Measure::IccA1 => (Intraclass::Agreement, Rated::Once),
        Measure::IccC1 => (Intraclass::Consistency, Rated::Once),
        Measure::IccK => (Intraclass::OneWay, Rated::ByAll),
        Measure::IccAk => (Intraclass::Agreement, Rated::ByAll),
        Measure::IccCk => (Intraclass::Consistency, Rated::ByAll),
        _ => return None,
    })
}

/// A graded measure of a table of two raters; an error if a category has no number where one is needed.
pub(super) fn of_pair<C: Ord + Clone + Borrow<LabelSet>>(
    table: &Contingency<C>,
    measure: Measure,
    scores: &Scores,
) -> Result<Coefficient, Undefined> {
    if let Some((model, rated)) = intraclass(measure) {
        return correlation(&mean_squares(table, scores)?, model, rated);
    }
    let cells = || table.cells().filter(|(.., count)| *count > 0);
    if measure == Measure::WeightedKappa {
        let mut by_score = Contingency::new();
        for (row, column, count) in cells() {
            by_score.add_count(scores.score(row.borrow())?, scores.score(column.borrow())?, count);
        }
        let numbers = by_score.categories();
        let ends = numbers.iter().copied().min().zip(numbers.iter().copied().max());
        let (lowest, highest) = ends.ok_or(Undefined::NoSharedPositions)?;
        let widest = Interval.between(lowest, highest);
        return Ok(beside(weighted_kappa(&by_score, &Interval)?, widest));
    }
    let items = cells().map(|(row, column, count)| ([row.borrow(), column.borrow()], count));
    GradedTally::of(items, measure, scores)?.coefficient(measure, scores)
}

/// The analysis of variance of two raters' numbers; an error if a category has none.
pub fn mean_squares<C: Ord + Clone + Borrow<LabelSet>>(
    table: &Contingency<C>,
    scores: &Scores,
) -> Result<MeanSquares, Undefined> {
    let mut patterns = Vec::new();
    for (row, column, count) in table.cells().filter(|(.., count)| *count > 0) {
        let (row, column) = (scores.score(row.borrow())?, scores.score(column.borrow())?);
        patterns.push(([Some(row), Some(column)], count));
    }
    if patterns.is_empty() {
        return Err(Undefined::NoSharedPositions);
    }
    let study = Ratings::from_patterns(patterns).map_err(|_| Undefined::TooLarge)?;
    MeanSquares::of(&study, |number: &Number| number.score())
}

/// Of a correlation there is no agreement by chance to be told beside it.
fn correlation(
    squares: &MeanSquares,
    model: Intraclass,
    rated: Rated,
) -> Result<Coefficient, Undefined> {
    let value = intraclass_correlation(squares, model, rated)?;
    Ok(Coefficient { value, observed: value, expected: 0.0 })
}

/// The 95 % interval of an intraclass correlation of two, by `McGraw` and Wong (1996); none if the measure is none.
pub(crate) fn pair_correlation_confidence(
    table: &Contingency<LabelSet>,
    measure: Measure,
    scores: &Scores,
) -> Option<Confidence> {
    let (model, rated) = intraclass(measure)?;
    let squares = mean_squares(table, scores);
    Some(correlation_confidence(&squares, model, rated))
}

fn correlation_confidence(
    squares: &Result<MeanSquares, Undefined>,
    model: Intraclass,
    rated: Rated,
) -> Confidence {
    let interval = squares.as_ref().map_err(|undefined| *undefined);
    let interval =
        interval.and_then(|squares| intraclass_interval(squares, model, rated, Level::P95));
    match interval {
        Ok(interval) => Confidence::Interval { lower: interval.lower, upper: interval.upper },
        Err(Undefined::Unbounded) => Confidence::None(NoInterval::Unbounded),
        Err(_) => Confidence::None(NoInterval::NoValue),
    }
}

/// A graded measure of all labelers at once.
pub struct LabelersGraded {
    pub measured: Measured,
    /// Of an intraclass correlation; of others it is for resamples to say.
    pub confidence: Option<Confidence>,
    pub documents: u64,
}

/// The measure of the switches of all labelers at once; none if it is of pairs alone. An intraclass correlation is
/// over the positions that every labeler with work that counts has judged.
pub fn labelers_graded(
    tallies: &Tallies,
    switches: Switches,
    labels: &LabelChoices,
) -> Option<LabelersGraded> {
    let (measure, scores) = (switches.measure, labels.scores());
    if !measure.is_graded_of_all() {
        return None;
    }
    let by_document: Vec<Vec<Labeler<'_>>> = tallies.labelers_by_document(switches).collect();
    let documents = domain::saturating(by_document.len());
    let measured = |result| to_measured_of(documents, measure, result);
    if let Some((model, rated)) = intraclass(measure) {
        let squares = squares_of_all(&by_document, switches, scores);
        let result = squares.as_ref().map_err(|undefined| *undefined);
        let result = result.and_then(|squares| correlation(squares, model, rated));
        let confidence = correlation_confidence(&squares, model, rated);
        return Some(LabelersGraded {
            measured: measured(result),
            confidence: Some(confidence),
            documents,
        });
    }
    let tallies: Result<Vec<_>, _> =
        by_document.iter().map(|labelers| tally_of(labelers, switches, scores)).collect();
    let result = tallies.and_then(|tallies| {
        GradedTally::pooled(tallies.iter().map(|it| (it, 1))).coefficient(measure, scores)
    });
    Some(LabelersGraded { measured: measured(result), confidence: None, documents })
}

/// What the labelers of one document said, as a graded measure reads it.
pub(crate) fn tally_of(
    labelers: &[Labeler<'_>],
    switches: Switches,
    scores: &Scores,
) -> Result<GradedTally, Undefined> {
    let items = items(labelers, switches.policy);
    let items = items.map(|(_, said)| (said.into_iter().map(|(_, labels)| labels), 1));
    GradedTally::of(items, switches.measure, scores)
}

fn squares_of_all(
    by_document: &[Vec<Labeler<'_>>],
    switches: Switches,
    scores: &Scores,
) -> Result<MeanSquares, Undefined> {
    let all: BTreeSet<MemberId> = by_document.iter().flatten().map(|(id, _)| *id).collect();
    let mut rows = Vec::new();
    for labelers in by_document {
        for (_, said) in items(labelers, switches.policy) {
            let said: BTreeMap<MemberId, &LabelSet> = said.into_iter().collect();
            let score = |rater| said.get(rater).map(|labels| scores.score(labels)).transpose();
            rows.push(all.iter().map(score).collect::<Result<Vec<_>, _>>()?);
        }
    }
    if rows.is_empty() {
        return Err(Undefined::NoSharedPositions);
    }
    let study = Ratings::from_rows(rows).map_err(|_| Undefined::TooLarge)?;
    MeanSquares::of(&study, |number: &Number| number.score())
}
