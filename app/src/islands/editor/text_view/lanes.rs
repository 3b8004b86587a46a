//! Which lane below the text each mark is drawn in, so that neither bars nor tags collide.

use std::cmp::Reverse;

use domain::{Range, base::text};

use super::mark::Mark;

/// How many lanes are drawn apart; marks that lie deeper share the last one.
pub(crate) const LANES: usize = 12;

/// The order that marks are nested in: those that start first, then longer ones, are outside.
pub(crate) fn nesting(marks: &[Mark]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..marks.len()).collect();
    order.sort_unstable_by_key(|&index| {
        let range = marks.get(index).map(|mark| mark.range).unwrap_or_default();
        (range.start, Reverse(range.end), index)
    });
    order
}

/// The lane of each mark, in the order of `marks`: in nesting order, each takes the first lane
/// that is free where it starts.
pub(crate) fn lanes(marks: &[Mark], nesting: &[usize]) -> Vec<usize> {
    let mut lanes = vec![0; marks.len()];
    let mut free_from: Vec<u32> = Vec::new();
    for &index in nesting {
        let (Some(mark), Some(lane)) = (marks.get(index), lanes.get_mut(index)) else { continue };
        let extent = extent(mark);
        let free = free_from.iter().position(|from| *from <= extent.start);
        if let Some((number, from)) = free.and_then(|n| free_from.get_mut(n).map(|from| (n, from)))
        {
            *from = extent.end;
            *lane = number;
        } else {
            *lane = free_from.len();
            free_from.push(extent.end);
        }
        *lane = (*lane).min(LANES - 1);
    }
    lanes
}

/// The characters that a mark needs for itself: its range, or the room of its tag if that is
/// wider. Tags are set so small that a letter of theirs is no wider than one of the text.
fn extent(mark: &Mark) -> Range {
    let tag = if mark.tag.is_empty() { 0 } else { text::length(&mark.tag) + 1 };
    Range::new(mark.range.start, mark.range.end.max(mark.range.start.saturating_add(tag)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(ranges: &[(u32, u32)]) -> Vec<Mark> {
        ranges
            .iter()
            .map(|&(start, end)| Mark {
                range: Range::new(start, end),
                tag: "PER".into(),
                colour: None,
                class: "",
                title: "".into(),
            })
            .collect()
    }

    fn lanes_of(ranges: &[(u32, u32)]) -> Vec<usize> {
        let marks = marks(ranges);
        lanes(&marks, &nesting(&marks))
    }

    #[test]
    fn marks_apart_share_a_lane() {
        assert_eq!(lanes_of(&[(0, 6), (6, 12), (20, 30)]), [0, 0, 0]);
    }

    #[test]
    fn of_two_that_start_together_the_longer_is_outside() {
        assert_eq!(lanes_of(&[(0, 6), (0, 12)]), [1, 0]);
    }

    #[test]
    fn a_short_mark_keeps_room_for_its_tag() {
        assert_eq!(lanes_of(&[(0, 1), (2, 3), (6, 7)]), [0, 1, 0]);
    }

    #[test]
    fn marks_that_cross_lie_in_different_lanes() {
        assert_eq!(lanes_of(&[(0, 10), (5, 15), (8, 20), (15, 25)]), [0, 1, 2, 0]);
    }

    #[test]
    fn no_lane_is_beyond_the_last() {
        let nested: Vec<_> = (0..40).map(|n| (n, 100 - n)).collect();
        assert_eq!(lanes_of(&nested).into_iter().max(), Some(LANES - 1));
    }
}
