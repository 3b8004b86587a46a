//! Marks of two raters that overlap without being the same, in groups, each of one type. Pure.
//!
//! A mark that both raters have is not in question: what else overlaps it is an extra mark, since
//! marks may be nested. Of the other spans, those that overlap a span of the other rater belong
//! together, directly or through a chain of such overlaps. Each such group is counted exactly once:
//! by how its two marks lie if both raters have one in it, else as split, merged or several. Marks
//! of the same rater that overlap each other do not make a group. A reject is no span.

use std::{cmp::Ordering, collections::BTreeMap};

use domain::{Boundary, LabelSet, Range};
use live::Work;

/// Marks that overlap, some of each rater.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) boundary: Boundary,
    /// In order of position, at least one each.
    pub(crate) first: Vec<Range>,
    pub(crate) second: Vec<Range>,
    /// Whether all spans have the same labels.
    pub(crate) same_labels: bool,
}

impl Group {
    /// All that the spans cover.
    pub(crate) fn range(&self) -> Range {
        let positions = || self.first.iter().chain(&self.second);
        let start = positions().map(|position| position.start).min().unwrap_or_default();
        Range::new(start, positions().map(|position| position.end).max().unwrap_or_default())
    }
}

/// The groups of one document, in order of position.
pub(crate) fn groups(first: &Work, second: &Work) -> Vec<Group> {
    let (ours, theirs) = (only(first, second), only(second, first));
    // The group of each span of the second, by the number of its first mark; merged as they meet.
    let mut group_of: Vec<Option<usize>> = vec![None; theirs.len()];
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let reach = furthest_ends(&theirs);
    for (place, (range, _)) in ours.iter().enumerate() {
        let before = theirs.partition_point(|(other, _)| other.start < range.end);
        let met: Vec<usize> = (0..before)
            .rev()
            .take_while(|&other| reach.get(other).is_some_and(|end| *end > range.start))
            .filter(|&other| {
                theirs.get(other).is_some_and(|(position, _)| position.overlaps(*range))
            })
            .collect();
        if met.is_empty() {
            continue;
        }
        let mut group = vec![place];
        for other in met {
            let Some(known) = group_of.get(other).copied().flatten() else {
                set(&mut group_of, other, place);
                continue;
            };
            if known != place
                && let Some(joined) = members.remove(&known)
            {
                group.extend(joined);
                for entry in group_of.iter_mut().filter(|entry| **entry == Some(known)) {
                    *entry = Some(place);
                }
            }
        }
        members.insert(place, group);
    }
    let mut groups: Vec<Group> = members
        .into_iter()
        .map(|(id, mut group)| {
            group.sort_unstable();
            let firsts: Vec<_> = group.iter().filter_map(|&place| ours.get(place)).collect();
            let seconds: Vec<_> = theirs
                .iter()
                .zip(&group_of)
                .filter_map(|(position, of)| (*of == Some(id)).then_some(position))
                .collect();
            group_from(&firsts, &seconds)
        })
        .collect();
    groups.sort_by_key(|group| (group.range(), group.first.first().copied()));
    groups
}

type LabelledRange<'a> = (Range, &'a LabelSet);

/// The spans that one has and the other has not, in order of position.
fn only<'a>(work: &'a Work, other: &Work) -> Vec<LabelledRange<'a>> {
    let marked =
        |work: &Work, range| work.judgements.get(range).is_some_and(|labels| !labels.is_empty());
    work.judgements
        .iter()
        .filter(|(range, labels)| !labels.is_empty() && !marked(other, range))
        .map(|(range, labels)| (*range, labels))
        .collect()
}

/// How far the spans up to each reach.
fn furthest_ends(positions: &[LabelledRange<'_>]) -> Vec<u32> {
    let furthest = |furthest: &mut u32, (range, _): &LabelledRange<'_>| {
        *furthest = (*furthest).max(range.end);
        Some(*furthest)
    };
    positions.iter().scan(0, furthest).collect()
}

fn set(group_of: &mut [Option<usize>], position: usize, group: usize) {
    if let Some(entry) = group_of.get_mut(position) {
        *entry = Some(group);
    }
}

fn group_from(first: &[&LabelledRange<'_>], second: &[&LabelledRange<'_>]) -> Group {
    let ranges =
        |positions: &[&LabelledRange<'_>]| positions.iter().map(|(range, _)| *range).collect();
    let mut labels = first.iter().chain(second).map(|(_, labels)| *labels);
    let one = labels.next();
    Group {
        boundary: boundary(first, second),
        same_labels: labels.all(|labels| Some(labels) == one),
        first: ranges(first),
        second: ranges(second),
    }
}

fn boundary(first: &[&LabelledRange<'_>], second: &[&LabelledRange<'_>]) -> Boundary {
    match (first, second) {
        ([(first, _)], [(second, _)]) => of_two(*first, *second),
        (_, [_]) => Boundary::Split,
        ([_], _) => Boundary::Merged,
        _ => Boundary::Several,
    }
}

fn of_two(first: Range, second: Range) -> Boundary {
    match (first.start.cmp(&second.start), first.end.cmp(&second.end)) {
        // Two marks on the same place are not both without a counterpart.
        (Ordering::Equal, Ordering::Less | Ordering::Equal) => Boundary::EndsEarlier,
        (Ordering::Equal, Ordering::Greater) => Boundary::EndsLater,
        (Ordering::Less, Ordering::Equal) => Boundary::StartsEarlier,
        (Ordering::Less, Ordering::Less) => Boundary::Before,
        (Ordering::Less, Ordering::Greater) => Boundary::Around,
        (Ordering::Greater, Ordering::Equal) => Boundary::StartsLater,
        (Ordering::Greater, Ordering::Less) => Boundary::Inside,
        (Ordering::Greater, Ordering::Greater) => Boundary::After,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::{LabelId, Span, WorkState};
    use proptest::prelude::*;

    use super::*;

    fn work(positions: &[(u32, u32, i64)]) -> Work {
        let spans =
            positions.iter().map(|&(start, end, label)| Span::new(start, end, LabelId(label)));
        Work::of_labeler(WorkState::Submitted, chrono::DateTime::UNIX_EPOCH, spans)
    }

    fn types(first: &[(u32, u32, i64)], second: &[(u32, u32, i64)]) -> Vec<Boundary> {
        groups(&work(first), &work(second)).iter().map(|group| group.boundary).collect()
    }

    #[test]
    fn two_marks_are_typed_by_where_the_first_starts_and_ends() {
        for ((start, end), expected) in [
            ((5, 20), Boundary::StartsEarlier),
            ((12, 20), Boundary::StartsLater),
            ((10, 15), Boundary::EndsEarlier),
            ((10, 25), Boundary::EndsLater),
            ((5, 15), Boundary::Before),
            ((15, 25), Boundary::After),
            ((5, 25), Boundary::Around),
            ((12, 15), Boundary::Inside),
        ] {
            assert_eq!(types(&[(start, end, 1)], &[(10, 20, 1)]), [expected], "{start}–{end}");
        }
    }

    #[test]
    fn one_against_several_is_split_or_merged_and_a_chain_is_several() {
        let (halves, whole) = ([(0, 4, 1), (5, 9, 1)], [(0, 9, 1)]);
        assert_eq!(types(&halves, &whole), [Boundary::Split]);
        assert_eq!(types(&whole, &halves), [Boundary::Merged]);
        assert_eq!(
            types(&[(0, 5, 1), (8, 14, 1)], &[(3, 10, 1), (12, 20, 1)]),
            [Boundary::Several]
        );
    }

    #[test]
    fn marks_that_touch_or_stand_alone_are_in_no_group() {
        assert_eq!(types(&[(0, 5, 1)], &[(5, 9, 1)]), []);
        assert_eq!(types(&[(0, 5, 1)], &[(0, 5, 2)]), []);
        assert_eq!(types(&[], &[(0, 5, 2)]), []);
    }

    #[test]
    fn what_overlaps_a_mark_of_both_is_extra_and_no_boundary() {
        assert_eq!(types(&[(0, 9, 1)], &[(0, 9, 1), (2, 4, 2)]), []);
    }

    #[test]
    fn nested_marks_of_one_rater_do_not_hold_a_group_together() {
        let first = [(0, 30, 1), (2, 5, 1)];
        assert_eq!(types(&first, &[(2, 6, 1), (0, 30, 1)]), [Boundary::EndsEarlier]);
    }

    #[test]
    fn a_late_mark_joins_groups_that_were_apart() {
        // The long mark sorts first but one; each of the others meets a span of its own.
        let first = [(0, 3, 1), (5, 8, 1), (7, 20, 1)];
        let second = [(1, 6, 1), (10, 12, 1), (14, 15, 1)];
        let groups = groups(&work(&first), &work(&second));
        assert_eq!(groups.len(), 2);
        assert_eq!((groups[0].first.len(), groups[0].second.len()), (2, 1));
        assert_eq!((groups[1].boundary, groups[1].second.len()), (Boundary::Merged, 2));
    }

    #[test]
    fn a_reject_is_no_mark_and_a_moved_mark_is_a_boundary() {
        let first = work(&[(0, 9, 1)]);
        let mut second = work(&[(0, 7, 1)]);
        second.judgements.insert(Range::new(0, 9), LabelSet::EMPTY);
        let groups = groups(&first, &second);
        assert_eq!(groups[0].boundary, Boundary::EndsLater);
        assert!(groups[0].same_labels);
    }

    #[test]
    fn labels_of_a_group_are_the_same_only_if_all_are() {
        let same =
            |label| groups(&work(&[(0, 4, 1), (5, 9, label)]), &work(&[(0, 9, 1)]))[0].same_labels;
        assert!(same(1));
        assert!(!same(2));
    }

    fn positions() -> impl Strategy<Value = Vec<(u32, u32, i64)>> {
        let position = (0_u32..60, 1_u32..15, 1_i64..3);
        prop::collection::vec(
            position.prop_map(|(start, length, label)| (start, start + length, label)),
            0..12,
        )
    }

    const fn mirrored(boundary: Boundary) -> Boundary {
        match boundary {
            Boundary::StartsEarlier => Boundary::StartsLater,
            Boundary::StartsLater => Boundary::StartsEarlier,
            Boundary::EndsEarlier => Boundary::EndsLater,
            Boundary::EndsLater => Boundary::EndsEarlier,
            Boundary::Before => Boundary::After,
            Boundary::After => Boundary::Before,
            Boundary::Around => Boundary::Inside,
            Boundary::Inside => Boundary::Around,
            Boundary::Split => Boundary::Merged,
            Boundary::Merged => Boundary::Split,
            Boundary::Several => Boundary::Several,
        }
    }

    proptest! {
        #[test]
        fn every_overlap_is_in_exactly_one_group(first in positions(), second in positions()) {
            let (first, second) = (work(&first), work(&second));
            let found = groups(&first, &second);
            let ours: Vec<_> = found.iter().flat_map(|group| group.first.clone()).collect();
            let theirs: Vec<_> = found.iter().flat_map(|group| group.second.clone()).collect();
            prop_assert_eq!(ours.len(), ours.iter().collect::<BTreeSet<_>>().len());
            prop_assert_eq!(theirs.len(), theirs.iter().collect::<BTreeSet<_>>().len());
            for (range, _) in only(&first, &second) {
                for (other, _) in only(&second, &first) {
                    let together = found
                        .iter()
                        .any(|group| group.first.contains(&range) && group.second.contains(&other));
                    prop_assert!(!range.overlaps(other) || together);
                }
            }
        }

        #[test]
        fn the_other_way_round_every_type_is_its_mirror(first in positions(), second in positions()) {
            let (first, second) = (work(&first), work(&second));
            let there: Vec<_> =
                groups(&first, &second).into_iter().map(|group| mirrored(group.boundary)).collect();
            let back: Vec<_> =
                groups(&second, &first).into_iter().map(|group| group.boundary).collect();
            let sorted = |mut types: Vec<Boundary>| { types.sort_unstable(); types };
            prop_assert_eq!(sorted(there), sorted(back));
        }
    }
}
