//! Which label is unreliable: each label against everything else, over all labelers.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use agreement::{
    Coefficient, Graded, Item, NominalTally, Undefined, alpha_nominal,
    diagnostics::Share,
    f1, fleiss_kappa,
    inference::{Level, NominalUnits},
};
use domain::{
    Confidence, LabelBar, LabelId, LabelPart, LabelSet, Measured, MemberId, NoInterval, Role,
    UndefinedReason, saturating,
};
use live::{Tallies, items, labelers_counted, unjudged};

use super::remembered::Question;
use crate::agreement::diagnostics::label_table;

/// As many pairs of labelers have a bar each; where there are more, each labeler has one.
const MOST_PAIRS: usize = 28;

/// A row for each label, in the order of the label set; of numbers, for those that occur.
pub(super) fn of(tallies: &Tallies, question: &Question) -> Vec<LabelPart> {
    let switches = question.switches;
    let lists_all = question.labels.are_all_listed();
    let counted = tallies.several(switches);
    let occurring = counted.tally.pairable();
    let occurs = |label: LabelId| occurring.keys().any(|category| category.contains(label));
    let listed = question.labels.iter().filter(|label| lists_all || occurs(label.id));
    let mut walks: Vec<Walk> = listed.map(|label| Walk::new(label.id)).collect();
    for (document, work) in tallies.documents() {
        let counted = labelers_counted(work, switches);
        if counted.is_empty() {
            continue;
        }
        let unjudged = unjudged(&counted, tallies.counting(document));
        for walk in &mut walks {
            walk.count_unjudged(saturating(counted.len()), unjudged);
        }
        for (_, judgements) in items(&counted, switches.policy) {
            for walk in &mut walks {
                walk.count(&judgements);
            }
        }
        walks.iter_mut().for_each(Walk::close_document);
    }
    let bars = bars(tallies, question);
    walks.into_iter().map(|walk| walk.part(&bars)).collect()
}

/// How many judged a position, and how many of them gave the label.
type Answers = (u64, u64);

/// The positions of a document by their answers, with how many there are of each.
type Document = Vec<(Answers, u64)>;

/// What is gathered of one label on the way through the documents.
struct Walk {
    label: LabelId,
    /// Of the document that is open: "is it this label?".
    open: BTreeMap<Answers, u64>,
    /// Of each document; most are like many others, and counted with them.
    documents: BTreeMap<Document, usize>,
    /// When one gave the label, how often did another, too?
    positive: Share,
    positions: u64,
    unanimous: u64,
    confusions: BTreeMap<LabelSet, u64>,
}

impl Walk {
    fn new(label: LabelId) -> Self {
        Self {
            label,
            open: BTreeMap::new(),
            documents: BTreeMap::new(),
            positive: Share::default(),
            positions: 0,
            unanimous: 0,
            confusions: BTreeMap::new(),
        }
    }

    /// Counts positions of the document that is open for which all these labelers have ∅.
    fn count_unjudged(&mut self, labelers: u64, positions: u64) {
        if positions > 0 {
            *self.open.entry((labelers, 0)).or_default() += positions;
        }
    }

    /// Counts a position of the document that is open.
    fn count(&mut self, judgements: &[(MemberId, &LabelSet)]) {
        let others = || judgements.iter().filter(|(_, labels)| !labels.contains(self.label));
        let all = saturating::<u64>(judgements.len());
        let gave = all - saturating::<u64>(others().count());
        *self.open.entry((all, gave)).or_default() += 1;
        if gave == 0 {
            return;
        }
        self.positions += 1;
        self.unanimous += u64::from(gave == all);
        self.positive.agreeing += gave * (gave - 1);
        self.positive.pairs += gave * (all - 1);
        let others: BTreeSet<_> = others().map(|(_, labels)| *labels).collect();
        for other in others {
            match self.confusions.get_mut(other) {
                Some(count) => *count += 1,
                None => {
                    self.confusions.insert(other.clone(), 1);
                }
            }
        }
    }

    fn close_document(&mut self) {
        let document = std::mem::take(&mut self.open).into_iter().collect();
        *self.documents.entry(document).or_default() += 1;
    }

    fn part(self, bars: &impl Fn(LabelId) -> Vec<LabelBar>) -> LabelPart {
        let tally = |document: &Document, times: u64| {
            let mut tally = NominalTally::new();
            for ((all, gave), count) in document {
                let item = Item::from_counts([(true, *gave), (false, all - gave)]);
                let room = item.map(|item| tally.add_times(&item, count * times));
                debug_assert!(
                    matches!(room, Ok(Ok(()))),
                    "there is room for far more ratings than a database has"
                );
            }
            tally
        };
        let mut all = NominalTally::new();
        let mut documents = Vec::with_capacity(self.documents.len());
        for (document, times) in &self.documents {
            let room = all.merge(&tally(document, saturating(*times)));
            debug_assert!(room.is_ok(), "there is room for far more ratings than a database has");
            documents.push((tally(document, 1), *times));
        }
        let given = all.pairable().get(&true).copied().unwrap_or_default();
        let share = Share { agreeing: given, pairs: all.ratings() };
        let mut confusions: Vec<_> = self.confusions.into_iter().collect();
        confusions.sort_by_key(|(_, positions)| std::cmp::Reverse(*positions));
        LabelPart {
            label: self.label,
            positions: self.positions,
            unanimous: self.unanimous,
            disputed: self.positions - self.unanimous,
            share: share.agreement().unwrap_or_default(),
            alpha: graded(alpha_nominal(&all)),
            confidence: confidence(&documents),
            fleiss: chance_corrected(fleiss_kappa(&all)),
            positive: self.positive.agreement().ok(),
            confusions,
            small: bars(self.label),
        }
    }
}

/// The interval of α, by leaving out one document after the other.
fn confidence(documents: &[(NominalTally<bool>, usize)]) -> Confidence {
    let alpha = |tally: &NominalTally<&bool>| alpha_nominal(tally).map(|alpha| alpha.value);
    let each = documents.iter().flat_map(|(tally, times)| std::iter::repeat_n(tally, *times));
    match NominalUnits::documents(each).and_then(|units| units.jackknife(alpha)) {
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
fn bars(tallies: &Tallies, question: &Question) -> impl Fn(LabelId) -> Vec<LabelBar> {
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
            .map(|&rater| (rater, None, Cow::Owned(tallies.pooled(rater, others(rater), switches))))
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
