//! What labelers differ on, over all documents: which judgements stand against each other, and how much
//! of it waits for a decision.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use domain::{Confusion, Documents, LabelSet, Position, Range, Switches};
use live::{DocumentWork, Tallies, Work, items, labelers_counted};

use super::{Kept, remembered::Question};
use crate::agreement::latest_decision;

/// What labelers differ on.
pub(crate) struct Disputes {
    /// Documents that one labeler has submitted at least, and two.
    pub(crate) annotated: u64,
    pub(crate) compared: u64,
    /// Positions that at least two labelers judged; those on which they differ; and of these those
    /// that no reviewer has decided.
    pub(crate) positions: u64,
    pub(crate) disputed: u64,
    pub(crate) undecided: Vec<Position>,
    /// Most positions first.
    pub(crate) confusions: Vec<Confusion>,
}

/// What labelers differ on in one document.
pub(super) struct Differing {
    /// How many have submitted it.
    submitted: usize,
    positions: u64,
    disputed: u64,
    undecided: Vec<Range>,
    confusions: Vec<((LabelSet, LabelSet), u64)>,
}

impl Differing {
    fn of(work: &DocumentWork, switches: Switches) -> Self {
        let is_submitted = |work: &&Work| work.is_of_labeler() && work.counts(Documents::Submitted);
        let submitted = work.values().filter(is_submitted).count();
        let (mut positions, mut disputed, mut undecided) = (0, 0, Vec::new());
        let mut pairs: BTreeMap<(&LabelSet, &LabelSet), u64> = BTreeMap::new();
        for (range, said) in items(&labelers_counted(work, switches), switches.policy) {
            positions += 1;
            let different: BTreeSet<&LabelSet> = said.iter().map(|(_, labels)| *labels).collect();
            if different.len() < 2 {
                continue;
            }
            disputed += 1;
            if latest_decision(work, range).is_none() {
                undecided.push(range);
            }
            for (place, one) in different.iter().enumerate() {
                for other in different.iter().skip(place + 1) {
                    *pairs.entry((one, other)).or_default() += 1;
                }
            }
        }
        let confusions =
            pairs.into_iter().map(|((one, other), n)| ((one.clone(), other.clone()), n));
        let confusions = confusions.collect();
        Self { submitted, positions, disputed, undecided, confusions }
    }
}

pub(super) fn of(kept: &Kept, tallies: &Tallies, question: &Question) -> Disputes {
    let switches = question.switches;
    let count = |_, work: &DocumentWork| Differing::of(work, switches);
    let (mut annotated, mut compared) = (0, 0);
    let (mut positions, mut disputed, mut undecided) = (0, 0, Vec::new());
    let mut pairs: BTreeMap<(LabelSet, LabelSet), u64> = BTreeMap::new();
    for (document, part) in kept.disputes.each(tallies, question, |_, _| true, count) {
        annotated += u64::from(part.submitted > 0);
        compared += u64::from(part.submitted > 1);
        positions += part.positions;
        disputed += part.disputed;
        undecided.extend(part.undecided.iter().map(|range| Position { document, range: *range }));
        for (pair, count) in &part.confusions {
            match pairs.get_mut(pair) {
                Some(sum) => *sum += count,
                None => {
                    pairs.insert(pair.clone(), *count);
                }
            }
        }
    }
    let mut confusions: Vec<_> = pairs
        .into_iter()
        .map(|((one, other), positions)| Confusion { one, other, positions })
        .collect();
    confusions.sort_by_key(|confusion| Reverse(confusion.positions));
    Disputes { annotated, compared, positions, disputed, undecided, confusions }
}
