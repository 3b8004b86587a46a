//! What labelers differ on, over all documents: which judgements stand against each other, and how much
//! of it waits for a decision.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use domain::{Confusion, Documents, LabelSet, Position};
use live::{Tallies, Work, items, labelers_counted};

use super::remembered::Question;
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

pub(super) fn of(tallies: &Tallies, question: &Question) -> Disputes {
    let switches = question.switches;
    let (mut annotated, mut compared) = (0, 0);
    let (mut positions, mut disputed, mut undecided) = (0, 0, Vec::new());
    let mut pairs: BTreeMap<(&LabelSet, &LabelSet), u64> = BTreeMap::new();
    for (document, work) in tallies.documents() {
        let is_submitted = |work: &&Work| work.is_of_labeler() && work.counts(Documents::Submitted);
        let submitted = work.values().filter(is_submitted).count();
        annotated += u64::from(submitted > 0);
        compared += u64::from(submitted > 1);
        for (range, said) in items(&labelers_counted(work, switches), switches.policy) {
            positions += 1;
            let different: BTreeSet<&LabelSet> = said.iter().map(|(_, labels)| *labels).collect();
            if different.len() < 2 {
                continue;
            }
            disputed += 1;
            if latest_decision(work, range).is_none() {
                undecided.push(Position { document, range });
            }
            for (place, one) in different.iter().enumerate() {
                for other in different.iter().skip(place + 1) {
                    *pairs.entry((one, other)).or_default() += 1;
                }
            }
        }
    }
    let mut confusions: Vec<_> = pairs
        .into_iter()
        .map(|((one, other), positions)| Confusion {
            one: one.clone(),
            other: other.clone(),
            positions,
        })
        .collect();
    confusions.sort_by_key(|confusion| Reverse(confusion.positions));
    Disputes { annotated, compared, positions, disputed, undecided, confusions }
}
