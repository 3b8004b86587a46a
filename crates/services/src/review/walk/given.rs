//! What labelers gave a position.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Absence, LabelSet, Range, Role};
use live::DocumentWork;

/// What labelers gave a position, and how those stand who gave it nothing.
pub(super) fn stand(work: &DocumentWork, range: Range) -> (BTreeSet<LabelSet>, Absence) {
    let mut answers = BTreeSet::new();
    let mut absence = Absence::Nobody;
    let labelers = work.values();
    for labeler in labelers.filter(|work| work.role == Role::Labeler && work.state.has_work()) {
        if let Some(labels) = labeler.judgements.get(&range) {
            answers.insert(labels.clone());
        } else if labeler.judgements.keys().any(|other| other.overlaps(range)) {
            absence = Absence::Overlapping;
        } else if absence == Absence::Nobody {
            absence = Absence::Bare;
        }
    }
    (answers, absence)
}

/// The label sets that labelers gave a position, with how many gave each: most first.
pub(super) fn given(work: &DocumentWork, range: Range) -> Vec<(LabelSet, u64)> {
    let mut given: BTreeMap<&LabelSet, u64> = BTreeMap::new();
    for labeler in work.values().filter(|work| work.role == Role::Labeler) {
        if let Some(labels) = labeler.judgements.get(&range) {
            *given.entry(labels).or_default() += 1;
        }
    }
    let mut given: Vec<_> = given.into_iter().map(|(labels, n)| (labels.clone(), n)).collect();
    given.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    given
}
