//! Which label is unreliable: each label against everything else, over all labelers.

use std::collections::{BTreeMap, BTreeSet};

use agreement::{
    Coefficient, Graded, Item, NominalTally, Undefined, alpha_nominal,
    diagnostics::{Judgements, Share},
    f1, fleiss_kappa,
    inference::{Level, NominalUnits},
};
use domain::{
    Confidence, LabelBar, LabelId, LabelPart, LabelSet, Measured, MemberId, NoInterval, Role,
    UndefinedReason,
};
use live::{Tallies, items, labelers_counted};

use super::remembered::Question;
use crate::agreement::diagnostics::label_table;

/// As many pairs of labelers have a bar each; where there are more, each labeler has one.
const MOST_PAIRS: usize = 28;

/// A row for each label, in the order of the label set.
pub(super) fn of(tallies: &Tallies, question: &Question) -> Vec<LabelPart> {
    let switches = question.switches;
    let mut walks: Vec<Walk> = question.labels.iter().map(|label| Walk::new(label.id)).collect();
    for (_, work) in tallies.documents() {
        let counted = labelers_counted(work, switches);
        if counted.is_empty() {
            continue;
        }
        walks.iter_mut().for_each(Walk::open_document);
        for (_, judgements) in items(&counted, switches.policy) {
            let judgements: Vec<&LabelSet> =
                judgements.into_iter().map(|(_, labels)| labels).collect();
            for walk in &mut walks {
                walk.count(&judgements);
            }
        }
    }
    let bars = bars(tallies, question);
    walks.into_iter().map(|walk| walk.part(&bars)).collect()
}

/// What is gathered of one label on the way through the documents.
struct Walk {
    label: LabelId,
    /// Of each document: "is it this label?".
    documents: Vec<NominalTally<bool>>,
    answers: Vec<Vec<bool>>,
    positions: u64,
    unanimous: u64,
    confusions: BTreeMap<LabelSet, u64>,
}

impl Walk {
    const fn new(label: LabelId) -> Self {
        Self {
            label,
            documents: Vec::new(),
            answers: Vec::new(),
            positions: 0,
            unanimous: 0,
            confusions: BTreeMap::new(),
        }
    }

    fn open_document(&mut self) {
        self.documents.push(NominalTally::new());
    }

    /// Counts a position of the document that was opened last.
    fn count(&mut self, judgements: &[&LabelSet]) {
        let answers: Vec<bool> =
            judgements.iter().map(|labels| labels.contains(self.label)).collect();
        if let Some(tally) = self.documents.last_mut() {
            let room = tally.add(&answers.iter().copied().collect::<Item<_>>());
            debug_assert!(room.is_ok(), "there is room for far more ratings than a database has");
        }
        if answers.contains(&true) {
            self.positions += 1;
            self.unanimous += u64::from(!answers.contains(&false));
            let others: BTreeSet<_> =
                judgements.iter().filter(|labels| !labels.contains(self.label)).copied().collect();
            for other in others {
                *self.confusions.entry(other.clone()).or_default() += 1;
            }
        }
        self.answers.push(answers);
    }

    fn part(self, bars: &impl Fn(LabelId) -> Vec<LabelBar>) -> LabelPart {
        let mut all = NominalTally::new();
        for document in &self.documents {
            let room = all.merge(document);
            debug_assert!(room.is_ok(), "there is room for far more ratings than a database has");
        }
        let given = all.pairable().get(&true).copied().unwrap_or_default();
        let share = Share { agreeing: given, pairs: all.ratings() };
        let judgements = Judgements::new(self.answers.iter().map(|item| item.iter().map(Some)));
        let specific = judgements.by_category().into_iter().find(|of| *of.category);
        let mut confusions: Vec<_> = self.confusions.into_iter().collect();
        confusions.sort_by_key(|(_, positions)| std::cmp::Reverse(*positions));
        LabelPart {
            label: self.label,
            positions: self.positions,
            unanimous: self.unanimous,
            disputed: self.positions - self.unanimous,
            share: share.agreement().unwrap_or_default(),
            alpha: graded(alpha_nominal(&all)),
            confidence: confidence(&self.documents),
            fleiss: chance_corrected(fleiss_kappa(&all)),
            positive: specific.and_then(|of| of.share.agreement().ok()),
            confusions,
            small: bars(self.label),
        }
    }
}

/// The interval of α, by leaving out one document after the other.
fn confidence(documents: &[NominalTally<bool>]) -> Confidence {
    let alpha = |tally: &NominalTally<&bool>| alpha_nominal(tally).map(|alpha| alpha.value);
    match NominalUnits::documents(documents).and_then(|units| units.jackknife(alpha)) {
        Ok(jackknife) => {
            let interval = jackknife.estimate().interval(Level::P95);
            Confidence::Interval { lower: interval.lower, upper: interval.upper }
        }
        Err(Undefined::TooFewUnits) => Confidence::None(NoInterval::OneDocument),
        Err(Undefined::TooFewResamples) => Confidence::None(NoInterval::NoResamples),
        Err(_) => Confidence::None(NoInterval::NoValue),
    }
}

/// F1 of a label for each pair of labelers, or for each labeler against the others, pooled.
fn bars(tallies: &Tallies, question: &Question) -> impl Fn(LabelId) -> Vec<LabelBar> + use<> {
    let switches = question.switches;
    let of_role = question.raters.iter().filter(|(_, role)| *role == Role::Labeler);
    let labelers: Vec<MemberId> = of_role.map(|(id, _)| *id).collect();
    let pairs: Vec<(MemberId, MemberId)> = labelers
        .iter()
        .enumerate()
        .flat_map(|(place, &first)| {
            labelers.iter().skip(place + 1).map(move |&second| (first, second))
        })
        .collect();
    let tables: Vec<_> = if pairs.len() <= MOST_PAIRS {
        pairs
            .into_iter()
            .map(|(first, second)| (first, Some(second), tallies.pair(first, second, switches)))
            .collect()
    } else {
        let others = |rater| labelers.iter().copied().filter(move |other| *other != rater);
        labelers
            .iter()
            .map(|&rater| (rater, None, tallies.pooled(rater, others(rater), switches)))
            .collect()
    };
    move |label| {
        tables
            .iter()
            .filter(|(.., counted)| counted.documents > 0)
            .map(|(first, second, counted)| {
                let table = label_table(&counted.tally.table, label);
                LabelBar {
                    first: *first,
                    second: *second,
                    positive: f1(&table, &true).ok().map(|f1| f1.value),
                    positions: table.total() - table.count(&false, &false),
                }
            })
            .collect()
    }
}

pub(super) fn chance_corrected(result: Result<Coefficient, Undefined>) -> Measured {
    to_measured(result.map(|of| (of.value, of.observed, of.expected)))
}

/// Alpha speaks of disagreement; what is left of 1 is agreement.
pub(super) fn graded(result: Result<Graded, Undefined>) -> Measured {
    to_measured(result.map(|of| (of.value, 1.0 - of.observed, 1.0 - of.expected)))
}

fn to_measured(result: Result<(f64, f64, f64), Undefined>) -> Measured {
    match result {
        Ok((value, observed, expected)) => Measured::Value { value, observed, expected },
        Err(Undefined::OneCategory) => Measured::Undefined(UndefinedReason::OneCategory),
        // Of such a tally there is no other reason; the rest are of other measures.
        Err(_) => Measured::Undefined(UndefinedReason::NoSharedPositions),
    }
}
