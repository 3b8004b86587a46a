//! The bootstrap by document: whole documents are drawn, since positions of one are alike.

use std::{cell::Cell, sync::Arc};

use agreement::{
    Contingency, NominalTally, Undefined,
    inference::{
        Bootstrap, GradedUnits, NominalUnits, PairUnits, Resampling, bootstrap as resample_units,
    },
};
use domain::{Confidence, LabelSet, Measure, NoInterval, ProjectId, SeveralMeasure, Switches};

use super::{
    confidence::interval,
    subject::{Estimate, Job, Subject},
    units::{self, UnitsSample},
};
use crate::{
    Counted, LabelChoices, Scores, Tallies, coefficient,
    measuring::{GradedTally, tally_of},
    several_coefficient,
};

/// How many resamples are drawn.
pub const RESAMPLES: u32 = 1_000;

/// What is resampled: one subject's counts, document by document.
pub(super) enum Sample {
    Pair(PairSample),
    Labelers { tallies: Vec<NominalTally<LabelSet>>, measure: SeveralMeasure },
    Graded(GradedSample),
    Units(UnitsSample),
}

pub(super) struct GradedSample(Result<GradedUnits, Undefined>);

pub(super) struct PairSample {
    tables: Vec<Contingency<LabelSet>>,
    measure: Measure,
    /// q of the whole table: resamples in which a category does not occur choose among as many.
    choices: u64,
    scores: Arc<Scores>,
}

impl Sample {
    pub(super) fn of(tallies: &Tallies, job: Job, labels: &LabelChoices) -> Self {
        let switches = job.switches;
        match job.subject {
            Subject::Pair(first, second) => {
                let pooled = tallies.pair(first, second, switches);
                let documents = tallies.pair_by_document(first, second, switches);
                let documents = documents.map(|(_, counted)| counted);
                Self::of_two(documents, &pooled, labels, switches)
            }
            Subject::Labelers(measure) => {
                let documents = tallies.several_by_document(switches);
                Self::Labelers { tallies: documents.map(|(_, of)| of.tally).collect(), measure }
            }
            Subject::LabelersGraded => {
                let documents = tallies.labelers_by_document(switches);
                let scores = labels.scores();
                let of_document =
                    |(labelers, of): (Vec<_>, _)| tally_of(&labelers, of, switches, scores);
                let tallies = documents.map(of_document);
                Self::Graded(GradedSample::of(tallies, switches.measure, scores))
            }
            Subject::Units => Self::Units(UnitsSample::of(tallies, switches)),
        }
    }

    /// Of what was counted of two in documents, which is this all together.
    fn of_two(
        documents: impl Iterator<Item = Counted>,
        pooled: &Counted,
        labels: &LabelChoices,
        switches: Switches,
    ) -> Self {
        let (measure, scores) = (switches.measure, labels.scores());
        if measure.is_graded_of_all() && !measure.is_correlation() {
            let tally = |it: Counted| GradedTally::of_table(&it.tally.table, measure, scores);
            return Self::Graded(GradedSample::of(documents.map(tally), measure, scores));
        }
        Self::Pair(PairSample {
            tables: documents.map(|it| it.tally.table).collect(),
            measure,
            choices: labels.under(&pooled.tally.table, switches.policy).all,
            scores: Arc::clone(scores),
        })
    }
}

impl GradedSample {
    fn of(
        tallies: impl Iterator<Item = Result<GradedTally, Undefined>>,
        measure: Measure,
        scores: &Scores,
    ) -> Self {
        let tallies: Result<Vec<_>, _> = tallies.collect();
        Self(tallies.and_then(|tallies| GradedTally::units(tallies, measure, scores)))
    }

    fn bootstrap(
        &self,
        resampling: Resampling,
        is_wanted: impl Fn() -> bool,
    ) -> Option<Result<Bootstrap, Undefined>> {
        let units = match &self.0 {
            Ok(units) => units,
            Err(undefined) => return Some(Err(*undefined)),
        };
        while_wanted(is_wanted, |check| {
            resample_units(units.len(), resampling, |times| {
                check().and_then(|()| units.value(times))
            })
        })
    }
}

impl PairSample {
    fn bootstrap(
        &self,
        resampling: Resampling,
        is_wanted: impl Fn() -> bool,
    ) -> Option<Result<Bootstrap, Undefined>> {
        let choices = (self.choices, &*self.scores);
        while_wanted(is_wanted, |check| {
            bootstrap(&self.tables, self.measure, choices, resampling, check)
        })
    }
}

/// Resamples until it is not wanted any more, which each resample checks: then there is no outcome.
fn while_wanted(
    is_wanted: impl Fn() -> bool,
    draw: impl FnOnce(&dyn Fn() -> Result<(), Undefined>) -> Result<Bootstrap, Undefined>,
) -> Option<Result<Bootstrap, Undefined>> {
    let given_up = Cell::new(false);
    let drawn = draw(&|| {
        given_up.set(given_up.get() || !is_wanted());
        if given_up.get() { Err(Undefined::TooFewResamples) } else { Ok(()) }
    });
    (!given_up.get()).then_some(drawn)
}

fn bootstrap(
    tables: &[Contingency<LabelSet>],
    measure: Measure,
    (choices, scores): (u64, &Scores),
    resampling: Resampling,
    check: &dyn Fn() -> Result<(), Undefined>,
) -> Result<Bootstrap, Undefined> {
    let none = LabelSet::EMPTY;
    PairUnits::documents(tables).bootstrap(resampling, |table| {
        check()?;
        Ok(coefficient(table, measure, choices, &&none, scores)?.value)
    })
}

/// The 95 % percentile interval of a measure of two, by document. `choices` is q, beside the scores of categories.
pub(crate) fn resample_tables(
    tables: &[Contingency<LabelSet>],
    measure: Measure,
    choices: (u64, &Scores),
    resampling: Resampling,
) -> Confidence {
    interval(&bootstrap(tables, measure, choices, resampling, &|| Ok(())))
}

/// The 95 % percentile interval of what was counted of two in documents, which is this all together, under switches.
pub fn resample_counted(
    (documents, pooled): (Vec<Counted>, &Counted),
    labels: &LabelChoices,
    switches: Switches,
    seed: u64,
) -> Confidence {
    let sample = Sample::of_two(documents.into_iter(), pooled, labels, switches);
    let estimate = resample(&sample, seed, || true);
    estimate.map_or(Confidence::None(NoInterval::NoValue), Estimate::confidence)
}

/// Resamples documents, each given by what many raters said in it.
pub fn resample_many<'a>(
    documents: impl IntoIterator<Item = &'a NominalTally<LabelSet>>,
    measure: SeveralMeasure,
    seed: u64,
) -> Result<Bootstrap, Undefined> {
    let resampling = Resampling { resamples: RESAMPLES, seed };
    NominalUnits::documents(documents)?
        .bootstrap(resampling, |tally| several_coefficient(tally, measure).map(|(value, ..)| value))
}

/// The 95 % percentile interval. What takes long is given up as soon as it is not wanted any more:
/// then there is no outcome.
pub(super) fn resample(
    sample: &Sample,
    seed: u64,
    is_wanted: impl Fn() -> bool,
) -> Option<Estimate> {
    let resampling = Resampling { resamples: RESAMPLES, seed };
    Some(match sample {
        Sample::Pair(pair) => Estimate::Interval(interval(&pair.bootstrap(resampling, is_wanted)?)),
        Sample::Labelers { tallies, measure } => {
            Estimate::Interval(interval(&resample_many(tallies.iter(), *measure, seed)))
        }
        Sample::Graded(graded) => {
            Estimate::Interval(interval(&graded.bootstrap(resampling, is_wanted)?))
        }
        Sample::Units(units) => Estimate::Units(units::measured(units, resampling, is_wanted)?),
    })
}

/// The seed of a subject's resamples: FNV-1a of the project's and the raters' ids, the lower first,
/// so that anybody can draw the same. All labelers at once have the seed of the project alone.
pub fn seed(project: ProjectId, subject: Subject) -> u64 {
    let raters = match subject {
        Subject::Pair(first, second) => vec![first.0, second.0],
        Subject::Labelers(_) | Subject::LabelersGraded | Subject::Units => Vec::new(),
    };
    let ids = std::iter::once(project.0).chain(raters);
    ids.flat_map(i64::to_le_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use domain::{Filter, LabelId, MemberId, NoInterval};

    use super::*;

    fn sample(measure: Measure, documents: u64) -> Sample {
        let (per, org) = (LabelSet::one(LabelId(1)), LabelSet::one(LabelId(2)));
        let table = |both, differ, other| {
            let mut table = Contingency::new();
            table.add_count(per.clone(), per.clone(), both);
            table.add_count(per.clone(), org.clone(), differ);
            table.add_count(org.clone(), org.clone(), other);
            table
        };
        let tables = (0..documents).map(|d| table(1 + d * 7 % 10, d * 3 % 5, 2 + d % 7)).collect();
        let scores = [(LabelId(1), 1.0), (LabelId(2), 2.0)];
        let scores = LabelChoices::of(&[], Filter::NONE).scored(&scores, false).scores().clone();
        Sample::Pair(PairSample { tables, measure, choices: 2, scores })
    }

    #[test]
    fn the_same_seed_gives_the_same_interval_and_another_seed_another() {
        for &measure in Measure::ALL {
            let interval = |seed| resample(&sample(measure, 20), seed, || true);
            assert_eq!(interval(7), interval(7), "{measure}");
            assert_ne!(interval(7), interval(8), "{measure}");
        }
    }

    #[test]
    fn a_pair_has_one_seed_in_both_orders_and_another_in_another_project() {
        let seed_of =
            |project, a, b| seed(ProjectId(project), Subject::pair(MemberId(a), MemberId(b)));
        assert_eq!(seed_of(1, 2, 3), seed_of(1, 3, 2));
        assert_ne!(seed_of(1, 2, 3), seed_of(2, 2, 3));
        assert_ne!(seed_of(1, 2, 3), seed_of(1, 2, 4));
    }

    #[test]
    fn one_document_has_no_interval() {
        let one = sample(Measure::Alpha, 1);
        let outcome = resample(&one, 1, || true).unwrap();
        assert_eq!(outcome.confidence(), Confidence::None(NoInterval::OneDocument));
    }
}
