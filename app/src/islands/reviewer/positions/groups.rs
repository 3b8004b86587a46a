//! Positions that differ in their boundaries: one card, one row, one decision.

use domain::{Alternative, DecisionChange, GroupAnswer, LabelSet, Range, Verdict, alternatives};

use super::{Position, find_position, index_of};

/// The positions that are decided together with one, itself among them, in order.
pub(crate) fn decided_with(positions: &[Position], range: Range) -> Vec<&Position> {
    let Some(position) = find_position(positions, range) else { return Vec::new() };
    let Some(first) = position.group else { return vec![position] };
    let (Ok(start) | Err(start)) = index_of(positions, first);
    let mut reach = first.end;
    let mut members = Vec::new();
    for position in positions.iter().skip(start) {
        // Each overlaps another of the group.
        if position.range.start >= reach {
            break;
        }
        if position.group == Some(first) {
            reach = reach.max(position.range.end);
            members.push(position);
        }
    }
    members
}

/// Whether the position stands for its decision: by itself, or as the first of its group.
pub(crate) fn is_first(position: &Position) -> bool {
    position.group.is_none_or(|first| first == position.range)
}

/// What labelers have in the group of a position; nothing for one by itself.
pub(crate) fn alternatives_of(positions: &[Position], position: &Position) -> Vec<Alternative> {
    if position.group.is_none() {
        return Vec::new();
    }
    let members = decided_with(positions, position.range);
    alternatives(members.iter().flat_map(|position| {
        position.marked.iter().map(|(labeler, labels)| (position.range, *labeler, labels))
    }))
}

/// The answer that more labelers gave than any other.
pub(crate) fn most_given(alternatives: &[Alternative]) -> Option<&Alternative> {
    match alternatives {
        [first, second, ..] if first.by.len() == second.by.len() => None,
        [first, ..] => Some(first),
        [] => None,
    }
}

/// Puts an answer in the place of all that is decided with a position; what is not of the answer is
/// rejected, or stays as it is.
pub(crate) fn chosen(
    positions: &[Position],
    range: Range,
    answer: &GroupAnswer,
    reject_others: bool,
) -> Vec<DecisionChange> {
    let mut changes = Vec::new();
    for position in decided_with(positions, range) {
        let decision = match answer.0.get(&position.range) {
            Some(labels) => position.resolution(labels.clone()),
            None if reject_others => (Verdict::Reject, LabelSet::EMPTY),
            None => continue,
        };
        changes.push(DecisionChange::new(position.range, Some(decision)));
    }
    changes
}

/// Rejects what overlaps a range of all that is decided with a position, but for the range itself and
/// what is changed already: whoever sees the boundaries otherwise than everybody decides on the group, too.
pub(crate) fn with_others_rejected(
    positions: &[Position],
    (from, range): (Range, Range),
    mut changes: Vec<DecisionChange>,
) -> Vec<DecisionChange> {
    let members = decided_with(positions, from);
    if members.len() > 1 && members.iter().any(|member| member.range.overlaps(range)) {
        for member in members {
            if changes.iter().all(|change| change.range != member.range) {
                let reject = (Verdict::Reject, LabelSet::EMPTY);
                changes.push(DecisionChange::new(member.range, Some(reject)));
            }
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::islands::reviewer::positions::{
        changes::apply,
        examples::{ORG, PER, labels, position},
        navigation::{count_decided, count_decisions},
    };

    /// Two boundaries of a name, of which the longer overlaps another name, and that.
    fn three() -> Vec<Position> {
        let first = Range::new(0, 2);
        let long = Position {
            range: Range::new(0, 12),
            group: Some(first),
            ..position(0, &[&[], &[PER], &[PER]], 3)
        };
        let marked = long.marked.get(1..).unwrap().to_vec();
        vec![
            Position { group: Some(first), ..position(0, &[&[PER]], 3) },
            Position { marked, ..long },
            position(10, &[&[ORG]], 3),
        ]
    }

    fn answer(range: Range) -> GroupAnswer {
        GroupAnswer::one(range, labels(&[PER]))
    }

    #[test]
    fn what_overlaps_a_group_without_being_of_it_is_no_part_of_it() {
        let positions = three();
        let ranges = |range| -> Vec<Range> {
            decided_with(&positions, range).iter().map(|position| position.range).collect()
        };
        assert_eq!(ranges(Range::new(0, 12)), [Range::new(0, 2), Range::new(0, 12)]);
        assert_eq!(ranges(Range::new(10, 12)), [Range::new(10, 12)]);
        assert_eq!(count_decisions(&positions), 2);
        let alternatives = alternatives_of(&positions, &positions[0]);
        let most = most_given(&alternatives).unwrap();
        assert_eq!((&most.answer, most.by.len()), (&answer(Range::new(0, 12)), 2));
    }

    #[test]
    fn a_choice_decides_on_all_of_the_group_or_leaves_the_rest_open() {
        let mut positions = three();
        let long = Range::new(0, 12);
        let open = chosen(&positions, Range::new(0, 2), &answer(long), false);
        apply(&mut positions, &open);
        assert_eq!((open.len(), count_decided(&positions)), (1, 0));
        let all = chosen(&positions, Range::new(0, 2), &answer(long), true);
        apply(&mut positions, &all);
        assert_eq!((all.len(), count_decided(&positions)), (2, 1));
        let verdicts: Vec<_> = positions
            .iter()
            .map(|position| position.resolved().map(|(verdict, _)| verdict))
            .collect();
        assert_eq!(verdicts, [Some(Verdict::Reject), Some(Verdict::Accept), None]);
    }

    #[test]
    fn other_boundaries_than_everybodys_reject_those_and_nothing_elsewhere() {
        let positions = three();
        let added = |range| DecisionChange::new(range, Some((Verdict::Add, labels(&[PER]))));
        let rejected = |range: Range| {
            with_others_rejected(&positions, (Range::new(0, 2), range), vec![added(range)])
                .into_iter()
                .map(|change| change.range)
                .collect::<Vec<_>>()
        };
        let mine = Range::new(0, 7);
        assert_eq!(rejected(mine), [mine, Range::new(0, 2), Range::new(0, 12)]);
        assert_eq!(rejected(Range::new(20, 22)), [Range::new(20, 22)]);
    }
}
