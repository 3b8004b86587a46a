//! What decisions do to the list of positions: apply them, turn them round, fit them to positions
//! that have changed meanwhile.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use domain::{
    DecisionChange, Fact, LabelSet, Range, Span, Standing, Verdict, base::collect_unsorted,
};

use super::{Decided, Position, find_position, index_of};

/// The change with what is answered there, which follows from the labels where it does not say.
pub(crate) fn answered(there: Option<&Position>, change: DecisionChange) -> DecisionChange {
    let answers = change.decision.as_ref().map(|(_, labels)| match &change.answers {
        Some(answers) => answers.clone(),
        None => there.map(|there| there.answers(labels)).unwrap_or_default(),
    });
    DecisionChange { answers, ..change }
}

/// Carries changes of positions out. A position that nobody marked exists by its decision alone: it comes and
/// goes with it.
pub(crate) fn apply(positions: &mut Vec<Position>, changes: &[DecisionChange]) {
    for change in changes {
        let change = answered(find_position(positions, change.range), change.clone());
        let answers = change.answers.unwrap_or_default();
        let decision = change.decision.map(|(verdict, labels)| Decided {
            verdict,
            labels,
            note: change.note,
            answers,
            at: None,
        });
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
        .map(|change| {
            find_position(positions, change.range)
                .map_or_else(|| DecisionChange::new(change.range, None), Position::present)
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
            let (answers, note) = (change.answers.clone(), change.note.clone());
            let fitted = DecisionChange { range, decision, answers, note };
            (is_possible && is_news(there, &fitted)).then_some(fitted)
        })
        .collect()
}

/// Whether a change would make a difference to what stands there.
pub(crate) fn is_news(there: Option<&Position>, change: &DecisionChange) -> bool {
    match there {
        Some(position) => position.present() != answered(there, change.clone()),
        None => change.decision.is_some(),
    }
}

/// Accepts every position that all labelers marked alike and that is not decided yet.
pub(crate) fn accept_unanimous(positions: &[Position]) -> Vec<DecisionChange> {
    positions
        .iter()
        .filter(|position| position.standing == Standing::Unanimous && position.decision.is_none())
        .filter_map(|position| {
            let labels = position.majority()?;
            Some(DecisionChange::new(position.range, Some((Verdict::Accept, labels))))
        })
        .collect()
}

/// Gives `labels` to the range `to` in place of the position at `from`: what labelers marked there
/// is rejected, what only the reviewer added goes. What the reviewer answered goes along.
pub(crate) fn moved(
    positions: &[Position],
    (from, to): (Range, Range),
    labels: LabelSet,
) -> Vec<DecisionChange> {
    let is_marked =
        find_position(positions, from).is_some_and(|position| !position.marked.is_empty());
    let old = is_marked.then_some((Verdict::Reject, LabelSet::EMPTY));
    let there = find_position(positions, to);
    let decided = find_position(positions, from).and_then(|position| position.decision.as_ref());
    let answers: BTreeSet<Fact> = decided
        .into_iter()
        .flat_map(|decision| &decision.answers)
        .filter(|answer| labels.contains(answer.span.label))
        .map(|answer| Fact { span: Span { range: to, ..answer.span }, ..*answer })
        .collect();
    let new = there.map_or((Verdict::Add, labels.clone()), |there| there.resolution(labels));
    let change = DecisionChange::new(to, Some(new));
    let answers = (!answers.is_empty()).then_some(answers);
    vec![DecisionChange::new(from, old), DecisionChange { answers, ..change }]
}

/// Several rounds of changes as one, each position as the last round left it.
pub(crate) fn merge(rounds: impl IntoIterator<Item = DecisionChange>) -> Vec<DecisionChange> {
    let last: BTreeMap<Range, DecisionChange> =
        collect_unsorted(rounds.into_iter().map(|change| (change.range, change)));
    last.into_values().collect()
}

#[cfg(test)]
mod tests {
    use domain::{AttributeId, LabelId, MemberId};

    use super::*;
    use crate::islands::reviewer::positions::examples::{LOC, ORG, PER, decided, labels, position};

    fn change(start: u32, decision: Option<(Verdict, &[i64])>) -> DecisionChange {
        let decision = decision.map(|(verdict, ids)| (verdict, labels(ids)));
        DecisionChange::new(Range::new(start, start + 2), decision)
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
            let positions = three();
            let whole = act
                .into_iter()
                .map(|change| answered(find_position(&positions, change.range), change));
            assert!(forth.into_iter().eq(whole), "the inverse of the inverse is the act");
        }
    }

    #[test]
    fn what_labelers_answered_alike_comes_with_a_decision_and_goes_with_it() {
        let answer =
            |number: u16| Fact::chosen(Span::new(0, 2, LabelId(PER)), AttributeId(1), number);
        let both = |numbers: [u16; 2]| {
            let chosen = (1..).map(MemberId).zip(numbers.map(answer)).collect();
            vec![Position { chosen, ..position(0, &[&[PER], &[PER]], 2) }]
        };
        let accept = change(0, Some((Verdict::Accept, &[PER])));
        for (numbers, taken) in [([1, 1], BTreeSet::from([answer(1)])), ([0, 1], BTreeSet::new())] {
            let mut positions = both(numbers);
            let back = inverse(&positions, std::slice::from_ref(&accept));
            apply(&mut positions, std::slice::from_ref(&accept));
            assert_eq!(positions[0].decision.as_ref().unwrap().answers, taken);
            assert!(!is_news(positions.first(), &accept));
            let own = DecisionChange {
                answers: Some(BTreeSet::from([answer(2)])),
                ..positions[0].present()
            };
            apply(&mut positions, std::slice::from_ref(&own));
            assert_eq!(positions[0].present(), own);
            apply(&mut positions, &back);
            assert_eq!(positions, both(numbers));
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
    fn a_reason_comes_and_goes_with_its_decision() {
        let mut positions = three();
        let reason = DecisionChange {
            note: "a title".to_owned(),
            answers: Some(BTreeSet::new()),
            ..change(10, Some((Verdict::Accept, &[ORG])))
        };
        assert!(is_news(positions.get(1), &reason), "the same decision, but a reason for it");
        let back = inverse(&positions, std::slice::from_ref(&reason));
        apply(&mut positions, std::slice::from_ref(&reason));
        assert!(!is_news(positions.get(1), &reason));
        assert_eq!(positions[1].present(), reason);
        apply(&mut positions, &back);
        assert_eq!(positions, three());
        apply(&mut positions, &[reason, change(10, Some((Verdict::Reject, &[])))]);
        assert_eq!(positions[1].present().note, "", "it was a reason for something else");
    }

    #[test]
    fn a_position_moves_with_its_labels_and_back_again() {
        let mut positions = three();
        let (marked, wider) = (Range::new(0, 2), Range::new(0, 8));
        let there = moved(&positions, (marked, wider), labels(&[PER]));
        let added = DecisionChange::new(wider, Some((Verdict::Add, labels(&[PER]))));
        assert_eq!(there, [change(0, Some((Verdict::Reject, &[]))), added]);
        apply(&mut positions, &there);
        let back = moved(&positions, (wider, marked), labels(&[PER]));
        apply(&mut positions, &back);
        let mut accepted = three();
        apply(&mut accepted, &[change(0, Some((Verdict::Accept, &[PER])))]);
        assert_eq!(positions, accepted, "what nobody marked is gone");
    }

    #[test]
    fn a_position_moved_onto_another_decides_that_one() {
        let (from, to) = (Range::new(20, 22), Range::new(10, 12));
        let act = moved(&three(), (from, to), labels(&[LOC]));
        let relabelled = change(10, Some((Verdict::Relabel, &[LOC])));
        assert_eq!(act, [change(20, Some((Verdict::Reject, &[]))), relabelled]);
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
