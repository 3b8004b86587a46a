//! The coefficient of what was counted, of two raters or of all labelers, or the reason why there is
//! none.

mod graded;

use std::{borrow::Borrow, collections::BTreeSet, sync::Arc};

use agreement::{
    Coefficient, Contingency, ManyMeasure, NominalTally, PairMeasure, SpanCounts, Undefined,
};
use domain::{
    Choices, CoverageView, Filter, Label, LabelId, LabelSet, Measure, Measured, PolicyChoice,
    PositionKind, SeveralMeasure, Switches, UndefinedReason, saturating,
};

pub(crate) use graded::{GradedTally, pair_correlation_confidence, tally_of};
pub use graded::{LabelersGraded, Scores, labelers_graded, mean_squares};

use crate::{Counted, Tallies};

/// The categories that raters may choose: the labels of a project, or one of them and everything
/// else.
pub struct LabelChoices {
    all: BTreeSet<LabelSet>,
    scores: Arc<Scores>,
}

impl LabelChoices {
    pub fn of(labels: &[Label], filter: Filter) -> Self {
        let all = match filter.label {
            None => labels.iter().map(|label| LabelSet::one(label.id)).collect(),
            Some(label) => BTreeSet::from([LabelSet::one(label), LabelSet::EMPTY]),
        };
        Self { all, scores: Arc::default() }
    }

    /// The same on a scale, with whether each document has one position.
    #[must_use]
    pub fn scored(self, scores: &[(LabelId, f64)], is_one_in_document: bool) -> Self {
        Self { scores: Arc::new(Scores::of(scores, is_one_in_document)), ..self }
    }

    /// Where these stand on a scale.
    pub const fn scores(&self) -> &Arc<Scores> {
        &self.scores
    }

    /// What two raters with this table could choose from: a label, what they chose beside (several
    /// labels, a reject), and ∅ where the policy makes it a category.
    pub fn under(&self, table: &Contingency<LabelSet>, policy: PolicyChoice) -> Choices {
        let occurs = table.categories();
        let adds_empty = policy.has_empty() && !self.all.contains(&LabelSet::EMPTY);
        let beside = occurs
            .into_iter()
            .filter(|category| !self.all.contains(category))
            .filter(|category| !(adds_empty && category.is_empty()))
            .count();
        let [declared, occurring] = [self.all.len(), beside].map(saturating::<u64>);
        let empty = u64::from(adds_empty);
        Choices { all: declared + occurring + empty, declared, occurring, empty }
    }
}

/// The measure of a table. `choices` is q, which stays what it is when the table is resampled;
/// `none` is the category ∅. Graded measures take each category's score.
pub fn coefficient<C: Ord + Clone + Borrow<LabelSet>>(
    table: &Contingency<C>,
    measure: Measure,
    choices: u64,
    none: &C,
    scores: &Scores,
) -> Result<Coefficient, Undefined> {
    match pair_measure(measure) {
        Some(measure) => measure.coefficient(table, saturating::<usize>(choices), none),
        None => graded::of_pair(table, measure, scores),
    }
}

/// A measure of the switches as the crate of the formulas calls it; none for those that are graded.
pub const fn pair_measure(measure: Measure) -> Option<PairMeasure> {
    Some(match measure {
        Measure::Kappa => PairMeasure::Kappa,
        Measure::Alpha => PairMeasure::Alpha,
        Measure::Pi => PairMeasure::Pi,
        Measure::S => PairMeasure::S,
        Measure::Ac1 => PairMeasure::Ac1,
        Measure::Percent => PairMeasure::Percent,
        Measure::F1 => PairMeasure::F1,
        _ => return None,
    })
}

/// How many positions of a table enter a measure: all, but for F1 those with a span.
pub fn counted_positions(table: &Contingency<LabelSet>, measure: Measure) -> u64 {
    match measure {
        Measure::F1 => table.total() - table.count(&LabelSet::EMPTY, &LabelSet::EMPTY),
        _ => table.total(),
    }
}

/// On how many positions the two said the same; of F1, which counts spans, where both have one.
pub fn agreements(table: &Contingency<LabelSet>, measure: Measure) -> u64 {
    match measure {
        Measure::F1 => SpanCounts::of_table(table, &LabelSet::EMPTY).matched,
        _ => table.agreements(),
    }
}

/// The coefficient of a pair under the switches that it was counted under.
pub fn measured(counted: &Counted, labels: &LabelChoices, switches: Switches) -> Measured {
    let table = &counted.tally.table;
    let choices = labels.under(table, switches.policy).all;
    let none = LabelSet::EMPTY;
    let result = coefficient(table, switches.measure, choices, &none, labels.scores());
    to_measured(counted, switches.measure, result)
}

/// The coefficient of a rater with several others, whose counts are pooled. Of correlations there is none: a position that
/// three others judged would count three times, and nobody is the other rater.
pub fn pooled_measured(counted: &Counted, labels: &LabelChoices, switches: Switches) -> Measured {
    if switches.measure.is_correlation() {
        return Measured::Undefined(UndefinedReason::NotPooled);
    }
    measured(counted, labels, switches)
}

/// A result in the words of the product.
pub fn to_measured(
    counted: &Counted,
    measure: Measure,
    result: Result<Coefficient, Undefined>,
) -> Measured {
    if counted.documents == 0 {
        return Measured::Undefined(UndefinedReason::NoSharedDocuments);
    }
    if counted.unpaired > 0 {
        return Measured::Undefined(UndefinedReason::TooManyOverlaps);
    }
    to_measured_of(counted.documents, measure, result)
}

/// A result over so many documents in the words of the product.
pub(crate) fn to_measured_of(
    documents: u64,
    measure: Measure,
    result: Result<Coefficient, Undefined>,
) -> Measured {
    if documents == 0 {
        return Measured::Undefined(UndefinedReason::NoSharedDocuments);
    }
    match result {
        Ok(coefficient) => Measured::Value {
            value: coefficient.value,
            observed: coefficient.observed,
            expected: coefficient.expected,
        },
        Err(reason) => Measured::Undefined(match (reason, measure) {
            (Undefined::OneCategory, Measure::S | Measure::Ac1) => UndefinedReason::OneChoice,
            (Undefined::OneCategory | Undefined::NoExpectedDisagreement, _) => {
                UndefinedReason::OneCategory
            }
            (Undefined::NoDistance, _) => UndefinedReason::NoOrder,
            (Undefined::TooFewComplete, _) => UndefinedReason::TooFewPositions,
            (Undefined::NoVarianceBetween, _) => UndefinedReason::NoVariance,
            (Undefined::NegativeVariance, _) => UndefinedReason::NegativeVariance,
            (Undefined::TooLarge, _) => UndefinedReason::TooLongScale,
            (_, Measure::F1) => UndefinedReason::NothingMarked,
            // Of a table of two raters there is no other reason; the rest are of other measures.
            _ => UndefinedReason::NoSharedPositions,
        }),
    }
}

/// How many positions the two judged, and who.
pub const fn coverage(counted: &Counted) -> CoverageView {
    let coverage = counted.tally.coverage;
    CoverageView {
        both: coverage.both,
        only_first: coverage.only_first,
        only_second: coverage.only_second,
    }
}

/// Value, observed and expected agreement of a tally.
type Agreements = (f64, f64, f64);

/// The measure of a tally.
pub fn several_coefficient<C: Ord + Clone>(
    tally: &NominalTally<C>,
    measure: SeveralMeasure,
) -> Result<Agreements, Undefined> {
    many_measure(measure).coefficient(tally).map(|c| (c.value, c.observed, c.expected))
}

/// A measure of several raters as the crate of the formulas calls it.
const fn many_measure(measure: SeveralMeasure) -> ManyMeasure {
    match measure {
        SeveralMeasure::FleissKappa => ManyMeasure::FleissKappa,
        SeveralMeasure::Alpha => ManyMeasure::Alpha,
        SeveralMeasure::Percent => ManyMeasure::Percent,
    }
}

/// The measure of all labelers at once. Overlapping spans are paired by two raters at a time: where A's has
/// text in common with B's, and B's with C's, A's need have none with C's.
pub fn labelers_measured(
    tallies: &Tallies,
    switches: Switches,
    measure: SeveralMeasure,
) -> Measured {
    if switches.policy.positions() == PositionKind::Overlapping {
        return Measured::Undefined(UndefinedReason::NoCommonPositions);
    }
    let counted = tallies.several(switches);
    several_measured(&counted.tally, counted.documents, measure)
}

/// The measure of what several raters said in so many documents, or the reason why there is none.
pub fn several_measured(
    tally: &NominalTally<LabelSet>,
    documents: u64,
    measure: SeveralMeasure,
) -> Measured {
    if documents == 0 {
        return Measured::Undefined(UndefinedReason::NoSharedDocuments);
    }
    match several_coefficient(tally, measure) {
        Ok((value, observed, expected)) => Measured::Value { value, observed, expected },
        Err(Undefined::OneCategory) => Measured::Undefined(UndefinedReason::OneCategory),
        // Of such a tally there is no other reason; the rest are of other measures.
        Err(_) => Measured::Undefined(UndefinedReason::NoSharedPositions),
    }
}
