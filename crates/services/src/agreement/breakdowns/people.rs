//! Who drifts: each labeler against the others, the labels they differ on, and how it went on.

use std::collections::BTreeMap;

use agreement::{diagnostics::Prevalence, f1, inference::Binary};
use chrono::{DateTime, Utc};
use domain::{
    CourseBlock, Label, LabelUsage, Measure, MemberId, PersonPart, PooledPart, Rater, Role,
    Switches, WeakLabel, saturating,
};
use live::{
    Counted, Counting, DocumentWork, Tallies, agreements, comparisons, counted_positions, coverage,
    labelers_in, pooled_measured,
};

use super::{Kept, remembered::Question};
use crate::agreement::diagnostics::label_table;

/// Weak spots shown of a labeler.
const WEAK: usize = 3;

/// Comparisons that it takes to call a label a weak spot.
const ENOUGH: u64 = 5;

/// Blocks that a labeler's documents are cut into.
const BLOCKS: usize = 10;

/// A row for each labeler, in the order of the raters and without a name: names are not for all.
pub(super) fn of(kept: &Kept, tallies: &Tallies, question: &Question) -> Vec<PersonPart> {
    let Question { switches, labels, raters } = question;
    let switches = *switches;
    let choices = labels.choices(switches.filter);
    let of_role =
        |wanted| raters.iter().filter(move |(_, role)| *role == wanted).map(|(id, _)| *id);
    let mut courses = courses(kept, tallies, question);
    of_role(Role::Labeler)
        .map(|rater| {
            let others: Vec<_> = of_role(Role::Labeler).filter(|other| *other != rater).collect();
            let pooled = |others: &[MemberId], role| {
                let counted = tallies.pooled(rater, others.iter().copied(), switches);
                let shared = others
                    .iter()
                    .filter(|other| tallies.pair(rater, **other, switches).documents > 0);
                let part = PooledPart {
                    role,
                    others: saturating::<u64>(shared.count()),
                    measured: pooled_measured(&counted, &choices, switches),
                    comparisons: counted_positions(&counted.tally.table, switches.measure),
                    agreements: agreements(&counted.tally.table, switches.measure),
                    coverage: coverage(&counted),
                };
                (part, counted)
            };
            let (labelers, counted) = pooled(&others, Role::Labeler);
            let reviewers: Vec<_> = of_role(Role::Reviewer).collect();
            PersonPart {
                rater: Rater { id: rater, name: String::new(), role: Role::Labeler },
                labelers,
                reviewers: pooled(&reviewers, Role::Reviewer).0,
                own: None,
                weak: weak(&counted, labels),
                usage: usage(&counted, labels),
                course: blocks(&courses.remove(&rater).unwrap_or_default()),
            }
        })
        .collect()
}

/// The labels with the lowest F1, worst first; of a label that all agree on there is nothing to say.
fn weak(counted: &Counted, labels: &[Label]) -> Vec<WeakLabel> {
    let mut weak: Vec<_> = labels
        .iter()
        .filter_map(|label| {
            let table = label_table(&counted.tally.table, label.id);
            let differ = table.total() - table.agreements();
            let enough = table.total() - table.count(&false, &false) >= ENOUGH;
            let positive = f1(&table, &true).ok()?.value;
            (enough && differ > 0).then_some(WeakLabel { label: label.id, positive, differ })
        })
        .collect();
    weak.sort_by(|one, other| one.positive.total_cmp(&other.positive));
    weak.truncate(WEAK);
    weak
}

/// How often the labeler gives each label, and how often the others do on the same positions.
fn usage(counted: &Counted, labels: &[Label]) -> Vec<LabelUsage> {
    labels
        .iter()
        .filter_map(|label| {
            let table = label_table(&counted.tally.table, label.id);
            let counts = Binary::one_vs_rest(&table, &true);
            Some(LabelUsage {
                label: label.id,
                both: counts.both,
                only_own: counts.only_row,
                only_others: counts.only_column,
                bias: Prevalence::of(&counts).ok()?.bias_index,
            })
        })
        .collect()
}

/// Comparisons and agreements in one document.
type Counts = (u64, u64);

/// The labelers who are compared with others in one document: when each saved it last, and the counts.
pub(super) type Together = Vec<(MemberId, DateTime<Utc>, Counts)>;

fn together(work: &DocumentWork, counting: Counting, switches: Switches) -> Together {
    let labelers = labelers_in(work, switches.counted_documents());
    let mut document: BTreeMap<MemberId, Counts> = BTreeMap::new();
    for (place, (first, ours)) in labelers.iter().enumerate() {
        for (second, theirs) in labelers.iter().skip(place + 1) {
            let judged = comparisons(ours, theirs, counting);
            let unjudged = match switches.measure {
                // It counts spans.
                Measure::F1 => 0,
                _ => counting.unjudged(saturating(judged.len())),
            };
            let (mut compared, mut agreed) = (unjudged, unjudged);
            for comparison in judged {
                let Some((one, other)) = comparison.cell(switches) else { continue };
                compared += 1;
                agreed += u64::from(one == other);
            }
            for rater in [first, second] {
                let counts = document.entry(*rater).or_default();
                *counts = (counts.0 + compared, counts.1 + agreed);
            }
        }
    }
    let saved_at = |rater| work.get(&rater).map(|own| own.saved_at);
    let rows = document.into_iter();
    rows.filter_map(|(rater, counts)| Some((rater, saved_at(rater)?, counts))).collect()
}

/// Each labeler's documents in which they are compared with others, in the order in which the
/// labeler saved them last.
fn courses(kept: &Kept, tallies: &Tallies, question: &Question) -> BTreeMap<MemberId, Vec<Counts>> {
    let mut courses: BTreeMap<MemberId, Vec<(DateTime<Utc>, Counts)>> = BTreeMap::new();
    let count = |document, work: &DocumentWork| {
        together(work, tallies.counting(document), question.switches)
    };
    for (_, document) in kept.people.each(tallies, question, |_, _| true, count) {
        for (rater, saved_at, counts) in document.iter() {
            courses.entry(*rater).or_default().push((*saved_at, *counts));
        }
    }
    let in_order = |mut course: Vec<(DateTime<Utc>, Counts)>| {
        // Of what was saved at the same moment the documents' order stays.
        course.sort_by_key(|(saved_at, _)| *saved_at);
        course.into_iter().map(|(_, counts)| counts).collect()
    };
    courses.into_iter().map(|(rater, course)| (rater, in_order(course))).collect()
}

/// The documents in at most ten blocks of equal size, but for the last; none is empty.
fn blocks(documents: &[Counts]) -> Vec<CourseBlock> {
    let size = documents.len().div_ceil(BLOCKS).max(1);
    let mut from = 1;
    documents
        .chunks(size)
        .map(|block| {
            let next = from + saturating::<u64>(block.len());
            let block = CourseBlock {
                from,
                to: next - 1,
                comparisons: block.iter().map(|counts| counts.0).sum(),
                agreements: block.iter().map(|counts| counts.1).sum(),
            };
            from = next;
            block
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_of_equal_size_and_cover_every_document_once() {
        let documents: Vec<Counts> = (0..23).map(|place| (10, place % 3)).collect();
        let blocks = blocks(&documents);
        let places: Vec<_> = blocks.iter().map(|block| (block.from, block.to)).collect();
        assert_eq!(places.first(), Some(&(1, 3)));
        assert_eq!(places.last(), Some(&(22, 23)));
        assert_eq!(blocks.iter().map(|block| block.comparisons).sum::<u64>(), 230);
        assert_eq!(blocks[1].agreements, 3);
        assert_eq!(super::blocks(&[]), []);
        assert_eq!(super::blocks(&[(4, 2)]).len(), 1);
    }
}
