//! Which document is hard: how far all labelers agree on each.

use std::sync::Arc;

use agreement::{alpha_nominal, percent_by_item};
use domain::{DocumentId, DocumentPart, Switches, saturating};
use live::{Counting, DocumentWork, Tallies, items, labelers_counted, several_of};

use super::{
    Kept,
    labels::{chance_corrected, graded},
    remembered::Question,
};
use crate::agreement::latest_decision;

/// A row for each document that at least two labelers have worked on, without its name; in the order of
/// documents.
pub(crate) struct Counted(Vec<(DocumentId, Arc<Option<DocumentPart>>)>);

impl Counted {
    pub(crate) fn parts(&self) -> impl Iterator<Item = &DocumentPart> {
        self.0.iter().filter_map(|(_, part)| part.as_ref().as_ref())
    }
}

pub(super) fn of(kept: &Kept, tallies: &Tallies, question: &Question) -> Counted {
    let switches = question.switches;
    let part =
        |document, work: &DocumentWork| part(document, work, tallies.counting(document), switches);
    Counted(kept.documents.each(tallies, question, |_, _| true, part))
}

/// A document by itself.
fn part(
    document: DocumentId,
    work: &DocumentWork,
    counting: Counting,
    switches: Switches,
) -> Option<DocumentPart> {
    let several = several_of(work, counting, switches);
    if several.documents == 0 {
        return None;
    }
    let labelers = labelers_counted(work, switches);
    let judged = || {
        let judged = labelers.iter().map(|(_, work)| work.judgements.len());
        judged.map(saturating::<u64>)
    };
    let (mut disputed, mut decided) = (0, 0);
    for (range, said) in items(&labelers, switches.policy) {
        if said.iter().any(|(_, labels)| said.first().is_some_and(|(_, of)| of != labels)) {
            disputed += 1;
            decided += u64::from(latest_decision(work, range).is_some());
        }
    }
    Some(DocumentPart {
        document,
        name: String::new(),
        labelers: saturating::<u64>(labelers.len()),
        fewest: judged().min().unwrap_or_default(),
        most: judged().max().unwrap_or_default(),
        positions: several.tally.items(),
        disputed,
        decided,
        percent: chance_corrected(percent_by_item(&several.tally)),
        alpha: graded(alpha_nominal(&several.tally)),
    })
}
