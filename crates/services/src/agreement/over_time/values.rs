//! What documents of known days and rounds came to: by day, up to each day, by round. Pure.

use std::{collections::BTreeSet, rc::Rc};

use agreement::{NominalTally, Undefined, inference::Bootstrap};
use chrono::NaiveDate;
use domain::{
    Confidence, DocumentId, LabelSet, Measured, NoInterval, RoundId, SeveralMeasure, TimeValue,
    UndefinedReason, saturating,
};
use live::{Recent, interval, resample_many, several_measured};

use super::dated::{Dated, Stamp};

/// Everything that the page shows of a measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values {
    /// In order; days on which nothing was completed are left out.
    pub(super) days: Vec<DayValues>,
    /// In order, without rounds that have nothing to compare.
    pub(super) rounds: Vec<RoundValue>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct DayValues {
    pub(super) day: NaiveDate,
    pub(super) of_day: TimeValue,
    pub(super) up_to: TimeValue,
    pub(super) documents: Vec<DocumentId>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct RoundValue {
    pub(super) round: RoundId,
    pub(super) value: TimeValue,
    pub(super) change: Option<Change>,
}

/// A round's value less that of the last one before it that has a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    pub(super) since: RoundId,
    pub(super) by: f64,
    pub(super) confidence: Confidence,
}

/// What is measured, and from which seed it is resampled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measuring {
    pub(super) measure: SeveralMeasure,
    pub(super) seed: u64,
}

/// What was computed from the documents as they were before. What none of the changed documents
/// has a part in is taken over: resampling takes long, and most days lie in the past.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub(super) dated: &'a [Stamp],
    pub(super) values: &'a Values,
}

/// The value of documents that there are none of.
pub(super) const NOTHING: TimeValue = TimeValue {
    measured: Measured::Undefined(UndefinedReason::NoSharedDocuments),
    confidence: Confidence::None(NoInterval::NoValue),
    n: 0,
    documents: 0,
};

impl Values {
    /// Computes all values; `rounds` are in the order of their start.
    pub(super) fn compute(
        dated: &[Dated],
        rounds: &[RoundId],
        measuring: Measuring,
        before: Option<Before<'_>>,
    ) -> Self {
        let known = before.map(|before| Known::new(before, dated));
        let measured = Resampled { measuring, latest: Recent::of(KEPT) };
        Self {
            days: days(dated, &measured, known.as_ref()),
            rounds: round_values(dated, rounds, &measured, known.as_ref()),
        }
    }
}

fn days(dated: &[Dated], measured: &Resampled, known: Option<&Known<'_>>) -> Vec<DayValues> {
    let days: BTreeSet<NaiveDate> = dated.iter().map(|dated| dated.day).collect();
    days.into_iter()
        .map(|day| {
            let of_day = |dated: &&Dated| dated.day == day;
            let up_to = |dated: &&Dated| dated.day <= day;
            let known = known.and_then(|known| known.day(day));
            DayValues {
                day,
                of_day: known
                    .and_then(|known| known.of_day)
                    .unwrap_or_else(|| measured.value(dated.iter().filter(of_day)).0),
                up_to: known
                    .and_then(|known| known.up_to)
                    .unwrap_or_else(|| measured.value(dated.iter().filter(up_to)).0),
                documents: dated.iter().filter(of_day).map(|dated| dated.document).collect(),
            }
        })
        .collect()
}

fn round_values(
    dated: &[Dated],
    rounds: &[RoundId],
    measured: &Resampled,
    known: Option<&Known<'_>>,
) -> Vec<RoundValue> {
    if let Some(known) = known.filter(|known| known.changed.is_empty()) {
        return known.before.values.rounds.clone();
    }
    let mut values = Vec::new();
    // The last round that has a value, with its resamples.
    let mut last: Option<(RoundId, f64, Rc<Drawn>)> = None;
    for &round in rounds {
        let documents: Vec<_> = dated.iter().filter(|dated| dated.round == round).collect();
        if documents.is_empty() {
            continue;
        }
        let (value, resampled) = measured.value(documents);
        let change =
            last.as_ref().zip(value.measured.value()).map(|((since, then, of_then), now)| {
                let confidence = match (&*resampled, &**of_then) {
                    (Ok(of_now), Ok(of_then)) => interval(&Ok(of_now.minus(of_then))),
                    (Err(reason), _) | (_, Err(reason)) => interval(&Err(*reason)),
                };
                Change { since: *since, by: now - then, confidence }
            });
        if let Some(value) = value.measured.value() {
            last = Some((round, value, resampled));
        }
        values.push(RoundValue { round, value, change });
    }
    values
}

/// How many values are kept with their resamples while others are made.
const KEPT: usize = 4;

/// What resampling came to.
type Drawn = Result<Bootstrap, Undefined>;

/// Values with their resamples. The first day is everything up to it, and of one round are all documents: the
/// same are not resampled twice.
struct Resampled {
    measuring: Measuring,
    /// By their documents.
    latest: Recent<Vec<DocumentId>, (TimeValue, Rc<Drawn>)>,
}

impl Resampled {
    fn value<'a>(&self, documents: impl IntoIterator<Item = &'a Dated>) -> (TimeValue, Rc<Drawn>) {
        let documents: Vec<_> = documents.into_iter().collect();
        let ids: Vec<_> = documents.iter().map(|dated| dated.document).collect();
        self.latest.find(|of| *of == ids).unwrap_or_else(|| {
            let (value, outcome) = self.measuring.value(documents);
            let known = (value, Rc::new(outcome));
            self.latest.keep(ids, known.clone(), |_| false);
            known
        })
    }
}

impl Measuring {
    /// The value of some documents with its interval, and the resamples behind it.
    fn value<'a>(self, documents: impl IntoIterator<Item = &'a Dated>) -> (TimeValue, Drawn) {
        let tallies: Vec<&NominalTally<LabelSet>> =
            documents.into_iter().map(|dated| &dated.tally).collect();
        let mut pooled = NominalTally::new();
        for tally in &tallies {
            // There is room for far more ratings than a database has.
            let room = pooled.merge(tally);
            debug_assert!(room.is_ok());
        }
        let documents = saturating::<u64>(tallies.len());
        let measured = several_measured(&pooled, documents, self.measure);
        let resampled = match measured {
            Measured::Value { .. } => resample_many(tallies, self.measure, self.seed),
            Measured::Undefined(_) => Err(Undefined::NoSharedPositions),
        };
        let confidence = interval(&resampled);
        (TimeValue { measured, confidence, n: pooled.items(), documents }, resampled)
    }
}

/// What still holds of what was computed before.
struct Known<'a> {
    before: Before<'a>,
    /// The days of documents that are not what they were: those of before, and those of now.
    changed: BTreeSet<NaiveDate>,
}

/// The values of a day that still hold.
#[derive(Clone, Copy)]
struct KnownDay {
    of_day: Option<TimeValue>,
    up_to: Option<TimeValue>,
}

impl<'a> Known<'a> {
    fn new(before: Before<'a>, dated: &[Dated]) -> Self {
        let now: Vec<_> = dated.iter().map(Dated::stamp).collect();
        let not_in = |one: &[Stamp], other: &[Stamp]| -> Vec<NaiveDate> {
            let is_other = |stamp: &&Stamp| {
                let found = other.binary_search_by_key(&stamp.document, |o| o.document);
                found.ok().and_then(|place| other.get(place)) != Some(*stamp)
            };
            one.iter().filter(is_other).map(|stamp| stamp.day).collect()
        };
        let mut changed: BTreeSet<_> = not_in(&now, before.dated).into_iter().collect();
        changed.extend(not_in(before.dated, &now));
        Self { before, changed }
    }

    fn day(&self, day: NaiveDate) -> Option<KnownDay> {
        let of_before = self.before.values.days.iter().find(|values| values.day == day)?;
        let first = self.changed.first();
        Some(KnownDay {
            of_day: (!self.changed.contains(&day)).then_some(of_before.of_day),
            up_to: first.is_none_or(|first| day < *first).then_some(of_before.up_to),
        })
    }
}

#[cfg(test)]
mod tests {
    use agreement::Item;
    use domain::LabelId;

    use super::*;

    const MEASURING: Measuring = Measuring { measure: SeveralMeasure::Alpha, seed: 7 };

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 3, day).unwrap()
    }

    /// A document on which two labelers agree so often and differ so often.
    fn document(id: i64, round: i64, on: u32, agree: u64, differ: u64) -> Dated {
        let label = |id| LabelSet::one(LabelId(id));
        let mut tally = NominalTally::new();
        for (first, second, times) in [(1, 1, agree), (2, 2, agree.div_ceil(2)), (1, 2, differ)] {
            tally.add_times(&Item::from_iter([label(first), label(second)]), times).unwrap();
        }
        Dated { document: DocumentId(id), round: RoundId(round), day: day(on), tally }
    }

    /// Three days in two rounds; nothing was completed on the fourth.
    fn study() -> Vec<Dated> {
        vec![
            document(1, 1, 2, 4, 3),
            document(2, 1, 2, 3, 4),
            document(3, 1, 3, 5, 2),
            document(4, 2, 3, 6, 1),
            document(5, 2, 5, 9, 1),
            document(6, 2, 5, 7, 0),
        ]
    }

    fn compute(dated: &[Dated]) -> Values {
        Values::compute(dated, &[RoundId(1), RoundId(2), RoundId(3)], MEASURING, None)
    }

    #[test]
    fn days_without_work_are_left_out_and_the_others_are_in_order() {
        let values = compute(&study());
        let days: Vec<_> = values.days.iter().map(|of| (of.day, of.documents.len())).collect();
        assert_eq!(days, [(day(2), 2), (day(3), 2), (day(5), 2)]);
        let documents: Vec<_> = values.days.iter().map(|of| of.up_to.documents).collect();
        assert_eq!(documents, [2, 4, 6]);
        assert_eq!(compute(&[]), Values::default());
    }

    #[test]
    fn up_to_the_last_day_is_everything() {
        let study = study();
        let values = compute(&study);
        let (everything, _) = MEASURING.value(&study);
        assert_eq!(values.days.last().unwrap().up_to, everything);
        assert_eq!(everything.documents, 6);
        assert!(matches!(everything.confidence, Confidence::Interval { .. }));
    }

    #[test]
    fn a_day_and_a_round_are_what_their_documents_alone_come_to() {
        let study = study();
        let values = compute(&study);
        let alone = |keep: fn(&Dated) -> bool| {
            let kept: Vec<_> = study.iter().filter(|dated| keep(dated)).cloned().collect();
            MEASURING.value(&kept).0
        };
        assert_eq!(values.days[1].of_day, alone(|dated| dated.day == day(3)));
        assert_eq!(values.days[1].up_to, alone(|dated| dated.day <= day(3)));
        let rounds: Vec<_> = values.rounds.iter().map(|of| (of.round, of.value)).collect();
        let second = alone(|dated| dated.round == RoundId(2));
        assert_eq!(
            rounds,
            [(RoundId(1), alone(|dated| dated.round == RoundId(1))), (RoundId(2), second),]
        );
    }

    #[test]
    fn one_document_has_a_value_and_no_interval() {
        let values = compute(&[document(1, 1, 2, 4, 3)]);
        let only = values.days[0].up_to;
        assert!(only.measured.value().is_some());
        assert_eq!(only.confidence, Confidence::None(NoInterval::OneDocument));
        assert_eq!(values.rounds[0].change, None);
    }

    #[test]
    fn a_round_is_compared_with_the_last_before_it_that_has_a_value() {
        let values = compute(&study());
        assert_eq!(values.rounds[0].change, None);
        let change = values.rounds[1].change.unwrap();
        let value = |place: usize| values.rounds[place].value.measured.value().unwrap();
        assert_eq!((change.since, change.by), (RoundId(1), value(1) - value(0)));
        let Confidence::Interval { lower, upper } = change.confidence else { panic!("{change:?}") };
        assert!(lower < change.by && change.by < upper);

        // Two documents on which nobody used more than one label are no round to compare with.
        let one_label = |id| {
            let mut tally = NominalTally::new();
            tally.add(&Item::from_iter([LabelSet::EMPTY, LabelSet::EMPTY])).unwrap();
            Dated { document: DocumentId(id), round: RoundId(2), day: day(6), tally }
        };
        let mut study = study();
        study.retain(|dated| dated.round == RoundId(1));
        study.extend([one_label(7), one_label(8), document(9, 3, 7, 8, 1)]);
        let values = compute(&study);
        assert_eq!(values.rounds[1].change, None);
        let change = values.rounds[2].change.unwrap();
        assert_eq!(change.since, RoundId(1));
        assert_eq!(change.confidence, Confidence::None(NoInterval::OneDocument));
    }

    #[test]
    fn what_is_taken_over_from_before_is_what_would_be_computed() {
        let old = study();
        let values = compute(&old);
        // A later save moves a document's day, another one changes, one goes, one comes.
        let mut moved = old.clone();
        moved[2].day = day(5);
        let mut changed = old.clone();
        changed[3] = document(4, 2, 3, 2, 5);
        let mut gone = old.clone();
        gone.remove(4);
        let mut come = old.clone();
        come.push(document(7, 2, 9, 3, 3));
        for new in [old.clone(), moved, changed, gone, come, Vec::new()] {
            let stamps: Vec<_> = old.iter().map(Dated::stamp).collect();
            let before = Some(Before { dated: &stamps, values: &values });
            let rounds = [RoundId(1), RoundId(2)];
            let again = Values::compute(&new, &rounds, MEASURING, before);
            assert_eq!(again, Values::compute(&new, &rounds, MEASURING, None));
        }
    }

    #[test]
    fn what_has_not_changed_is_taken_over_without_resampling() {
        let old = study();
        let mut marked = compute(&old);
        let sentinel = Confidence::Interval { lower: -7.0, upper: 7.0 };
        for day in &mut marked.days {
            day.of_day.confidence = sentinel;
            day.up_to.confidence = sentinel;
        }
        let mut new = old.clone();
        new[3] = document(4, 2, 3, 2, 5);
        let stamps: Vec<_> = old.iter().map(Dated::stamp).collect();
        let before = Some(Before { dated: &stamps, values: &marked });
        let again = Values::compute(&new, &[RoundId(1), RoundId(2)], MEASURING, before);
        let taken: Vec<_> = again
            .days
            .iter()
            .map(|day| (day.of_day.confidence == sentinel, day.up_to.confidence == sentinel))
            .collect();
        assert_eq!(taken, [(true, true), (false, false), (true, false)]);
    }
}
