//! Which document is hard: how far all labelers agree on each.

use agreement::{alpha_nominal, percent_by_item};
use domain::{DocumentPart, saturating};
use live::{Tallies, items, labelers_counted};

use super::{
    labels::{chance_corrected, graded},
    remembered::Question,
};
use crate::agreement::latest_decision;

/// A row for each document that at least two labelers have worked on, without its name.
pub(super) fn of(tallies: &Tallies, question: &Question) -> Vec<DocumentPart> {
    let switches = question.switches;
    tallies
        .several_by_document(switches)
        .filter_map(|(document, several)| {
            let work = tallies.document(document)?;
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
        })
        .collect()
}
