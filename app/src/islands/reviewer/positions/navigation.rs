//! Where the keys that move about lead to, and how far the review has come.

use domain::{Range, Standing};

use super::{
    Position, find_position,
    groups::{decided_with, is_first},
    index_of,
};

/// Which way to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Forward,
    Back,
}

impl Way {
    pub(crate) const fn of(forward: bool) -> Self {
        if forward { Self::Forward } else { Self::Back }
    }
}

/// The position after or before `current`; stays at the ends.
pub(crate) fn neighbour(positions: &[Position], current: Option<Range>, way: Way) -> Option<Range> {
    let index = match (current.map(|range| index_of(positions, range)), way) {
        (None, Way::Forward) => 0,
        (None, Way::Back) => positions.len().checked_sub(1)?,
        (Some(Ok(index)), Way::Forward) => index.saturating_add(1).min(positions.len() - 1),
        (Some(Ok(index) | Err(index)), Way::Back) => index.saturating_sub(1),
        (Some(Err(index)), Way::Forward) => index.min(positions.len().checked_sub(1)?),
    };
    positions.get(index).map(|position| position.range)
}

/// The nearest wanted position after or before `current`, round the end of the document; the
/// current one itself comes last.
pub(crate) fn find_from(
    positions: &[Position],
    current: Option<Range>,
    way: Way,
    wanted: impl Fn(&Position) -> bool,
) -> Option<Range> {
    let (before, after) = match current.map(|range| index_of(positions, range)) {
        None => (0, 0),
        Some(Ok(index)) => (index, index + 1),
        Some(Err(index)) => (index, index),
    };
    let (head, tail) = (positions.get(..after)?, positions.get(after..)?);
    let found = match way {
        Way::Forward => tail.iter().chain(head).find(|position| wanted(position)),
        Way::Back => {
            let (head, tail) = (positions.get(..before)?, positions.get(before..)?);
            head.iter().rev().chain(tail.iter().rev()).find(|position| wanted(position))
        }
    };
    found.map(|position| position.range)
}

/// The places of the positions as they are listed: in the order of the text, or conflicts first, then
/// what differs in its boundaries, then what is one-sided, then the rest.
pub(crate) fn listed(positions: &[Position], conflicts_first: bool) -> Vec<usize> {
    let mut places = Vec::with_capacity(positions.len());
    let order = [
        Some(Standing::Conflict),
        None,
        Some(Standing::OneSided),
        Some(Standing::Waiting),
        Some(Standing::Unanimous),
        Some(Standing::Added),
    ];
    for standing in order {
        for (place, position) in positions.iter().enumerate() {
            let own = position.group.is_none().then_some(position.standing);
            if !conflicts_first || own == standing {
                places.push(place);
            }
        }
        if !conflicts_first {
            break;
        }
    }
    places
}

/// The nearest wanted position after or before `current` where conflicts are listed first, round
/// the end of the list; the current one itself comes last.
pub(crate) fn find_listed(
    positions: &[Position],
    current: Option<Range>,
    way: Way,
    wanted: fn(&Position) -> bool,
) -> Option<Range> {
    let order = listed(positions, true);
    let mut place = current_row(positions, &order, current);
    for step in 0..order.len() {
        // Without a place to start from, the first is the first.
        if step > 0 || current.is_some() {
            place = match way {
                Way::Forward => (place + 1) % order.len(),
                Way::Back => place.checked_sub(1).unwrap_or(order.len() - 1),
            };
        }
        let position = positions.get(*order.get(place)?)?;
        if wanted(position) {
            return Some(position.range);
        }
    }
    None
}

/// Whether labelers gave the position different labels, or see its boundaries differently.
pub(crate) fn is_conflict(position: &Position) -> bool {
    is_first(position) && (position.group.is_some() || position.standing == Standing::Conflict)
}

/// Whether the reviewer has not decided yet.
pub(crate) const fn is_undecided(position: &Position) -> bool {
    position.decision.is_none()
}

/// How many decisions there are to make: a group is one.
pub(crate) fn count_decisions(positions: &[Position]) -> usize {
    positions.iter().filter(|position| is_first(position)).count()
}

/// How many of them are made: of a group, on all of it.
pub(crate) fn count_decided(positions: &[Position]) -> usize {
    let is_decided = |position: &&Position| {
        let together = decided_with(positions, position.range);
        !together.into_iter().any(is_undecided)
    };
    positions.iter().filter(|position| is_first(position)).filter(is_decided).count()
}

/// The most rows of the list that stand in the page at once.
pub(crate) const WINDOW: usize = 200;

/// How far the window of rows moves at once, so that it stands still for most moves.
const STRIDE: usize = 100;

/// The row of the current position in a list in this order; where it has gone, that of the position
/// in its place.
pub(crate) fn current_row(
    positions: &[Position],
    order: &[usize],
    current: Option<Range>,
) -> usize {
    let Some(current) = current else { return 0 };
    let group = find_position(positions, current).and_then(|position| position.group);
    let current = group.unwrap_or(current);
    let (Ok(index) | Err(index)) = index_of(positions, current);
    let index = index.min(positions.len().saturating_sub(1));
    order.iter().position(|place| *place == index).unwrap_or(0)
}

/// The first row of the window around the row `current` of `rows`.
pub(crate) const fn window_start(current: usize, rows: usize) -> usize {
    let start = (current / STRIDE * STRIDE).saturating_sub(STRIDE / 2);
    let last = rows.saturating_sub(WINDOW);
    if start < last { start } else { last }
}

#[cfg(test)]
mod tests {
    use domain::Verdict;

    use super::*;
    use crate::islands::reviewer::positions::examples::{ORG, PER, decided, position};

    #[expect(clippy::unnecessary_wraps, reason = "it stands for where somebody is, if anywhere")]
    const fn at(start: u32) -> Option<Range> {
        Some(Range::new(start, start + 2))
    }

    fn four() -> Vec<Position> {
        vec![
            position(0, &[&[PER], &[ORG]], 2),
            decided(position(10, &[&[PER], &[PER]], 2), Verdict::Accept, &[PER]),
            decided(position(20, &[&[PER], &[ORG]], 2), Verdict::Reject, &[]),
            position(30, &[&[PER]], 2),
        ]
    }

    #[test]
    fn next_and_previous_stop_at_the_ends() {
        let positions = four();
        assert_eq!(neighbour(&positions, None, Way::Forward), at(0));
        assert_eq!(neighbour(&positions, None, Way::Back), at(30));
        assert_eq!(neighbour(&positions, at(0), Way::Forward), at(10));
        assert_eq!(neighbour(&positions, at(30), Way::Forward), at(30));
        assert_eq!(neighbour(&positions, at(0), Way::Back), at(0));
        assert_eq!(neighbour(&[], at(0), Way::Forward), None);
        assert_eq!(neighbour(&[], None, Way::Back), None);
    }

    #[test]
    fn moving_from_a_place_without_a_position_leads_to_its_neighbours() {
        let positions = four();
        assert_eq!(neighbour(&positions, at(12), Way::Forward), at(20));
        assert_eq!(neighbour(&positions, at(12), Way::Back), at(10));
        assert_eq!(neighbour(&positions, at(99), Way::Forward), at(30));
        assert_eq!(find_from(&positions, at(12), Way::Forward, is_conflict), at(20));
        assert_eq!(find_from(&positions, at(12), Way::Back, is_conflict), at(0));
    }

    #[test]
    fn the_next_undecided_is_sought_round_the_end() {
        let positions = four();
        assert_eq!(find_from(&positions, at(0), Way::Forward, is_undecided), at(30));
        assert_eq!(find_from(&positions, at(30), Way::Forward, is_undecided), at(0));
        assert_eq!(find_from(&positions, None, Way::Forward, is_undecided), at(0));
    }

    #[test]
    fn the_next_conflict_goes_both_ways_and_may_be_the_only_one() {
        let positions = four();
        assert_eq!(find_from(&positions, at(0), Way::Forward, is_conflict), at(20));
        assert_eq!(find_from(&positions, at(0), Way::Back, is_conflict), at(20));
        assert_eq!(find_from(&positions[..1], at(0), Way::Forward, is_conflict), at(0));
        assert_eq!(find_from(&positions[1..2], at(10), Way::Back, is_conflict), None);
    }

    #[test]
    fn conflicts_are_listed_first_and_then_what_is_one_sided() {
        let positions = four();
        assert_eq!(listed(&positions, false), [0, 1, 2, 3]);
        assert_eq!(listed(&positions, true), [0, 2, 3, 1]);
        let order = listed(&positions, true);
        assert_eq!(current_row(&positions, &order, at(30)), 2);
        assert_eq!(current_row(&positions, &order, None), 0);
    }

    #[test]
    fn where_conflicts_come_first_the_keys_follow_the_list() {
        let positions = four();
        let find = |from, way, wanted| find_listed(&positions, from, way, wanted);
        assert_eq!(find(at(0), Way::Forward, |_| true), at(20));
        assert_eq!(find(at(20), Way::Forward, |_| true), at(30));
        assert_eq!(find(at(10), Way::Forward, |_| true), at(0), "round the end");
        assert_eq!(find(at(0), Way::Back, |_| true), at(10));
        assert_eq!(find(at(0), Way::Forward, is_undecided), at(30));
        assert_eq!(find(None, Way::Forward, is_undecided), at(0));
        assert_eq!(find_listed(&positions[1..2], at(10), Way::Forward, is_conflict), None);
        assert_eq!(find_listed(&[], None, Way::Forward, |_| true), None);
    }

    #[test]
    fn decided_positions_are_counted() {
        assert_eq!(count_decided(&four()), 2);
    }

    #[test]
    fn the_window_holds_the_current_row_and_never_more_than_its_size() {
        for rows in [0, 1, 199, 200, 201, 1_000] {
            for current in 0..rows {
                let start = window_start(current, rows);
                assert!(start <= current && current < start + WINDOW, "{current} of {rows}");
                assert!(
                    start == 0 || start + WINDOW <= rows,
                    "the window is full: {current} of {rows}"
                );
            }
        }
        assert_eq!(window_start(149, 1_000), window_start(120, 1_000));
    }
}
