//! Measures for which some differences weigh more than others: of categories on a scale, and of sets.

use std::{
    borrow::Borrow,
    collections::{BTreeMap, BTreeSet},
};

use agreement::{
    Coefficient, CoincidenceTally, Contingency, Distance, Graded, Interval, Intraclass, Item, Masi,
    MeanSquares, Number, Ordinal, Rated, Ratings, Ratio, Scheme, Score, Undefined, Weights,
    gwet_ac2,
    inference::{GradedUnits, Level, intraclass_interval},
    intraclass_correlation, krippendorff_alpha, weighted_kappa,
};
use domain::{
    Confidence, LabelId, LabelSet, Measure, Measured, MemberId, NoInterval, PositionKind, Switches,
    UndefinedReason,
};

use super::{LabelChoices, to_measured_of};
use crate::{Counting, Labeler, NOTHING, Tallies, items, unjudged};

/// Where categories stand on a scale, those that stand on one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    of: BTreeMap<LabelSet, Number>,
    /// Whether there is one position in a document, so that positions may be taken for independent.
    pub(super) is_one_in_document: bool,
}

impl Scores {
    pub(super) fn of(scores: &[(LabelId, f64)], is_one_in_document: bool) -> Self {
        let score =
            |(label, score): &(LabelId, f64)| Some((LabelSet::one(*label), Number::new(*score)?));
        Self { of: scores.iter().filter_map(score).collect(), is_one_in_document }
    }

    fn score(&self, category: &LabelSet) -> Result<Number, Undefined> {
        self.of.get(category).copied().ok_or(Undefined::NoDistance)
    }

    /// The weights of AC2: of all numbers of the scale, which chance is taken to choose from, the same for every
    /// pair and every resample.
    fn weights(&self) -> Result<Weights<Number>, Undefined> {
        let numbers: BTreeSet<Number> = self.of.values().copied().collect();
        if numbers.len() > usize::from(Measure::MOST_WEIGHED) + 1 {
            return Err(Undefined::TooLarge);
        }
        Weights::by_value(Scheme::Quadratic, numbers)
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

    /// Counts the positions of a table of two raters.
    pub(crate) fn of_table<C: Ord + Clone + Borrow<LabelSet>>(
        table: &Contingency<C>,
        measure: Measure,
        scores: &Scores,
    ) -> Result<Self, Undefined> {
        let cells = table.cells().filter(|(.., count)| *count > 0);
        let items = cells.map(|(row, column, count)| ([row.borrow(), column.borrow()], count));
        Self::of(items, measure, scores)
    }

    /// Adds up tallies of one measure.
    pub(crate) fn pooled<'a>(tallies: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut numbers = CoincidenceTally::new();
        let mut sets = CoincidenceTally::new();
        let mut are_sets = false;
        for tally in tallies {
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
        if are_sets { Self::Sets(sets) } else { Self::Numbers(numbers) }
    }

    /// Tallies of one measure as units to resample.
    pub(crate) fn units(
        tallies: Vec<Self>,
        measure: Measure,
        scores: &Scores,
    ) -> Result<GradedUnits, Undefined> {
        let (mut numbers, mut sets) = (Vec::new(), Vec::new());
        for tally in tallies {
            match tally {
                Self::Numbers(tally) => numbers.push(tally),
                Self::Sets(tally) => sets.push(tally),
            }
        }
        match measure {
            Measure::AlphaMasi => GradedUnits::of_distance(&sets, &Masi),
            Measure::AlphaOrdinal => Ok(GradedUnits::of_order(&numbers)),
            Measure::AlphaRatio => GradedUnits::of_distance(&numbers, &Ratio),
            Measure::Ac2 => GradedUnits::of_weights(&numbers, &scores.weights()?),
            _ => GradedUnits::of_distance(&numbers, &Interval),
        }
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
            Measure::Ac2 => gwet_ac2(tally, &scores.weights()?),
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
    if measure == Measure::WeightedKappa {
        let mut by_score = Contingency::new();
        for (row, column, count) in table.cells().filter(|(.., count)| *count > 0) {
            by_score.add_count(scores.score(row.borrow())?, scores.score(column.borrow())?, count);
        }
        let numbers = by_score.categories();
        let ends = numbers.iter().copied().min().zip(numbers.iter().copied().max());
        let (lowest, highest) = ends.ok_or(Undefined::NoSharedPositions)?;
        let widest = Interval.between(lowest, highest);
        return Ok(beside(weighted_kappa(&by_score, &Interval)?, widest));
    }
    GradedTally::of_table(table, measure, scores)?.coefficient(measure, scores)
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
    let study = Ratings::from_patterns(patterns).map_err(|_| Undefined::TooManyPositions)?;
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

/// The 95 % interval of an intraclass correlation of two, by `McGraw` and Wong (1996); none if the measure is none, or
/// positions of one document are alike, which the formula takes for independent.
pub(crate) fn pair_correlation_confidence(
    table: &Contingency<LabelSet>,
    measure: Measure,
    scores: &Scores,
) -> Option<Confidence> {
    let (model, rated) = intraclass(measure).filter(|_| scores.is_one_in_document)?;
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
    /// The positions that it is of, in so many documents.
    pub n: u64,
    pub documents: u64,
}

/// The measure of the switches of all labelers at once; none if it is of pairs alone. An intraclass correlation is of
/// everybody who has judged anything, over the positions that all of them have judged.
pub fn labelers_graded(
    tallies: &Tallies,
    switches: Switches,
    labels: &LabelChoices,
) -> Option<LabelersGraded> {
    let (measure, scores) = (switches.measure, labels.scores());
    if !measure.is_graded_of_all() {
        return None;
    }
    let counted = tallies.several(switches);
    let (n, documents) = (counted.tally.items(), counted.documents);
    let undefined = |reason| {
        let (measured, confidence) = (Measured::Undefined(reason), None);
        Some(LabelersGraded { measured, confidence, n, documents })
    };
    if switches.policy.positions() == PositionKind::Overlapping {
        return undefined(UndefinedReason::NoCommonPositions);
    }
    // Who said nothing has no number; then there is no need to go through everybody's work.
    if measure.needs_numbers() && counted.tally.pairable().contains_key(&LabelSet::EMPTY) {
        return undefined(UndefinedReason::NoOrder);
    }
    let measured = |result| to_measured_of(documents, measure, result);
    let by_document = tallies.labelers_by_document(switches);
    if let Some((model, rated)) = intraclass(measure) {
        let by_document: Vec<_> = by_document.map(|(labelers, _)| labelers).collect();
        let squares = squares_of_all(&by_document, switches, scores);
        let result = squares.as_ref().map_err(|undefined| *undefined);
        let n = result.as_ref().map_or(0, |squares| squares.complete);
        let result = result.and_then(|squares| correlation(squares, model, rated));
        let confidence = if scores.is_one_in_document {
            correlation_confidence(&squares, model, rated)
        } else {
            Confidence::None(NoInterval::NoFormula)
        };
        let (measured, confidence) = (measured(result), Some(confidence));
        return Some(LabelersGraded { measured, confidence, n, documents });
    }
    let tallies: Result<Vec<_>, _> =
        by_document.map(|(labelers, of)| tally_of(&labelers, of, switches, scores)).collect();
    let result =
        tallies.and_then(|tallies| GradedTally::pooled(&tallies).coefficient(measure, scores));
    Some(LabelersGraded { measured: measured(result), confidence: None, n, documents })
}

/// What the labelers of one document said, as a graded measure reads it.
pub(crate) fn tally_of(
    labelers: &[Labeler<'_>],
    counting: Counting,
    switches: Switches,
    scores: &Scores,
) -> Result<GradedTally, Undefined> {
    let said = items(labelers, switches.policy);
    let said = said.map(|(_, said)| (said.into_iter().map(|(_, labels)| labels).collect(), 1));
    let nothing: Vec<&LabelSet> = labelers.iter().map(|_| &NOTHING).collect();
    let unjudged = unjudged(labelers, counting);
    let nothing = (unjudged > 0).then_some((nothing, unjudged));
    GradedTally::of(said.chain(nothing), switches.measure, scores)
}

fn squares_of_all(
    by_document: &[Vec<Labeler<'_>>],
    switches: Switches,
    scores: &Scores,
) -> Result<MeanSquares, Undefined> {
    let has_judged = |(_, work): &&Labeler<'_>| !work.judgements.is_empty();
    let all = by_document.iter().flatten().filter(has_judged).map(|(id, _)| *id);
    let all: BTreeSet<MemberId> = all.collect();
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
    let study = Ratings::from_rows(rows).map_err(|_| Undefined::TooManyPositions)?;
    MeanSquares::of(&study, |number: &Number| number.score())
}
