//! What decisions do to the list of positions: apply them, turn them round, fit them to positions
//! that have changed meanwhile.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{DecisionChange, Range, Standing, Verdict};

use super::position::{Decided, Position, Resolution, find_position, index_of};

/// Carries changes out. A position that nobody marked exists by its decision alone: it comes and
/// goes with it.
pub(crate) fn apply(positions: &mut Vec<Position>, changes: &[DecisionChange]) {
    for change in changes {
        let decision =
            change.decision.clone().map(|(verdict, labels)| Decided { verdict, labels, at: None });
        match index_of(positions, change.range) {
            Ok(index) => {
                if decision.is_none()
                    && positions.get(index).is_some_and(|there| there.marked.is_empty())
                {
                    positions.remove(index);
                } else if let Some(position) = positions.get_mut(index) {
                    position.decision = decision;
                }
            }
            Err(index) if decision.is_some() => {
                positions.insert(index, Position::added(change.range, decision));
            }
            Err(_) => {}
        }
    }
}

/// The changes that lead back from after `changes` to the positions as they are.
pub(crate) fn inverse(positions: &[Position], changes: &[DecisionChange]) -> Vec<DecisionChange> {
    changes
        .iter()
        .map(|change| DecisionChange {
            range: change.range,
            decision: find_position(positions, change.range).and_then(Position::resolved),
        })
        .collect()
}

/// Notes when the server stored decisions; those changed again since are still on their way.
pub(crate) fn mark_stored(
    positions: &mut [Position],
    changes: &[DecisionChange],
    waiting: impl Fn(Range) -> bool,
    at: DateTime<Utc>,
) {
    for change in changes.iter().filter(|change| !waiting(change.range)) {
        if let Ok(index) = index_of(positions, change.range)
            && let Some(decided) =
                positions.get_mut(index).and_then(|position| position.decision.as_mut())
        {
            decided.at = Some(at);
        }
    }
}

/// The same decisions on positions that have changed meanwhile: the labels stay, the verdict is
/// what it is called now. What changes nothing any more is left out, and so is a reject of what
/// no labeler marks any longer.
pub(crate) fn refit(positions: &[Position], changes: &[DecisionChange]) -> Vec<DecisionChange> {
    changes
        .iter()
        .filter_map(|change| {
            let range = change.range;
            let there = find_position(positions, range);
            let decision = change.decision.as_ref().map(|(verdict, labels)| match verdict {
                Verdict::Reject => (Verdict::Reject, labels.clone()),
                _ => there.map_or((Verdict::Add, labels.clone()), |position| {
                    position.resolution(labels.clone())
                }),
            });
            let is_marked = there.is_some_and(|position| !position.marked.is_empty());
            let is_possible = is_marked
                || decision.as_ref().is_none_or(|(verdict, _)| *verdict != Verdict::Reject);
            let is_news = there.and_then(Position::resolved) != decision;
            (is_possible && is_news).then_some(DecisionChange { range, decision })
        })
        .collect()
}

/// Accepts every position that all labelers marked alike and that is not decided yet.
pub(crate) fn accept_unanimous(positions: &[Position]) -> Vec<DecisionChange> {
    positions
        .iter()
        .filter(|position| position.standing == Standing::Unanimous && position.decision.is_none())
        .filter_map(|position| {
            let labels = position.majority()?;
            Some(DecisionChange {
                range: position.range,
                decision: Some((Verdict::Accept, labels)),
            })
        })
        .collect()
}

/// Several rounds of changes as one, each position as the last round left it.
pub(crate) fn merge(rounds: impl IntoIterator<Item = DecisionChange>) -> Vec<DecisionChange> {
    let last: BTreeMap<Range, Option<Resolution>> =
        rounds.into_iter().map(|change| (change.range, change.decision)).collect();
    last.into_iter().map(|(range, decision)| DecisionChange { range, decision }).collect()
}

#[cfg(test)]
mod tests {
    use domain::LabelSet;

    use super::{
        super::position::examples::{LOC, ORG, PER, decided, labels, position},
        *,
    };

    fn change(start: u32, decision: Option<(Verdict, &[i64])>) -> DecisionChange {
        let decision = decision.map(|(verdict, ids)| (verdict, labels(ids)));
        DecisionChange { range: Range::new(start, start + 2), decision }
    }

    fn three() -> Vec<Position> {
        vec![
            position(0, &[&[PER], &[PER]], 2),
            decided(position(10, &[&[PER], &[ORG]], 2), Verdict::Accept, &[ORG]),
            position(20, &[&[LOC]], 2),
        ]
    }

    #[test]
    fn the_inverse_of_an_act_leads_back_to_where_it_began() {
        let acts = [
            vec![change(0, Some((Verdict::Accept, &[PER])))],
            vec![change(10, None)],
            vec![change(10, Some((Verdict::Reject, &[])))],
            vec![change(5, Some((Verdict::Add, &[LOC])))],
            vec![
                change(0, Some((Verdict::Relabel, &[LOC]))),
                change(30, Some((Verdict::Add, &[PER]))),
            ],
        ];
        for act in acts {
            let mut positions = three();
            let back = inverse(&positions, &act);
            apply(&mut positions, &act);
            assert_ne!(positions, three(), "{act:?} does something");
            let forth = inverse(&positions, &back);
            apply(&mut positions, &back);
            assert_eq!(positions, three(), "{act:?} is undone");
            assert_eq!(forth, act, "the inverse of the inverse is the act");
        }
    }

    #[test]
    fn an_added_position_stands_in_order_and_goes_with_its_decision() {
        let mut positions = three();
        apply(&mut positions, &[change(5, Some((Verdict::Add, &[LOC])))]);
        let starts: Vec<_> = positions.iter().map(|position| position.range.start).collect();
        assert_eq!(starts, [0, 5, 10, 20]);
        assert_eq!(positions[1].standing, Standing::Added);
        apply(&mut positions, &[change(5, None)]);
        assert_eq!(positions, three());
    }

    #[test]
    fn only_undecided_unanimous_positions_are_accepted_at_once() {
        let mut positions = three();
        assert_eq!(accept_unanimous(&positions), [change(0, Some((Verdict::Accept, &[PER])))]);
        apply(&mut positions, &[change(0, Some((Verdict::Reject, &[])))]);
        assert_eq!(accept_unanimous(&positions), []);
    }

    #[test]
    fn a_decision_changed_again_is_not_taken_for_stored() {
        let mut positions = three();
        let sent =
            [change(0, Some((Verdict::Accept, &[PER]))), change(20, Some((Verdict::Reject, &[])))];
        apply(&mut positions, &sent);
        let at = DateTime::UNIX_EPOCH;
        mark_stored(&mut positions, &sent, |range| range.start == 20, at);
        let times: Vec<_> =
            positions.iter().map(|p| p.decision.as_ref().and_then(|decided| decided.at)).collect();
        assert_eq!(times, [Some(at), None, None]);
    }

    #[test]
    fn applying_again_keeps_the_labels_and_names_the_verdict_anew() {
        let now = vec![
            position(0, &[&[ORG], &[ORG]], 2),
            decided(position(10, &[&[PER], &[ORG]], 2), Verdict::Accept, &[ORG]),
        ];
        let mine = [
            change(0, Some((Verdict::Accept, &[PER]))),
            change(10, Some((Verdict::Accept, &[ORG]))),
            change(20, Some((Verdict::Accept, &[LOC]))),
            change(30, Some((Verdict::Reject, &[]))),
        ];
        assert_eq!(
            refit(&now, &mine),
            [change(0, Some((Verdict::Relabel, &[PER]))), change(20, Some((Verdict::Add, &[LOC]))),],
        );
    }

    #[test]
    fn the_last_of_several_changes_of_a_position_counts() {
        let rounds = [
            change(20, Some((Verdict::Reject, &[]))),
            change(0, Some((Verdict::Accept, &[PER]))),
            change(0, None),
        ];
        let merged = merge(rounds);
        assert_eq!(merged, [change(0, None), change(20, Some((Verdict::Reject, &[])))]);
        assert_eq!(merged[1].decision, Some((Verdict::Reject, LabelSet::EMPTY)));
    }
}
