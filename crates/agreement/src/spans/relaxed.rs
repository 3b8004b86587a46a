//! Positions that are nearly the same: two raters' spans whose ends lie a few characters apart.

use crate::spans::pairing::{Placed, Split, find_partners};
use crate::{PairTally, Policy, Positions};

/// Goes through the positions that at least one of two raters judged, where spans whose starts and
/// ends are at most `within` apart may be one position. `say` is told what the two said there.
///
/// Each span has one partner at most. What both judged at exactly the same place is one position,
/// whatever else is near. Of the others as many as possible have a partner, and among the ways to do
/// that the one with the least characters between starts and between ends is taken. Labels have no
/// say: choosing partners by what they are called would make agreement. Where that still leaves a
/// choice it is made from the positions alone, so the raters' order never matters.
///
/// With `within` 0 these are the positions that both judged exactly, and the rest one-sided.
pub fn align<'a, C>(
    first: &'a Positions<C>,
    second: &'a Positions<C>,
    within: u64,
    mut say: impl FnMut(Option<&'a C>, Option<&'a C>),
) {
    let Split { same, ours, theirs } = Split::of(first, second);
    for (one, other) in same {
        say(Some(one), Some(other));
    }
    let weigh = |left: &[_], right: &[_]| near(left, right, within);
    let mut steps = u64::MAX;
    find_partners((&ours, &theirs), weigh, &mut steps, say);
}

/// For each position the others that it may be one with, of which no two are the same.
fn near<C>(left: &[Placed<'_, C>], right: &[Placed<'_, C>], within: u64) -> Vec<Vec<(usize, i64)>> {
    let most = i64::try_from(left.len().min(right.len())).unwrap_or(i64::MAX);
    // A span is not that long, and no sum of distances leaves 64 bits.
    let within = within.min(1 << 30);
    let furthest = i64::try_from(2 * within).unwrap_or(i64::MAX);
    // One more pair outweighs all the distance there can be.
    let pair = most.saturating_mul(furthest).saturating_add(furthest + 1);
    let edges = left.iter().map(|((start, end), _)| {
        let from = right.partition_point(|((other, _), _)| other.saturating_add(within) < *start);
        let near = right.iter().enumerate().skip(from);
        near.take_while(|(_, ((other, _), _))| *other <= start.saturating_add(within))
            .filter(|(_, ((_, other), _))| end.abs_diff(*other) <= within)
            .map(|(place, ((other_start, other_end), _))| {
                let apart = start.abs_diff(*other_start) + end.abs_diff(*other_end);
                (place, pair - i64::try_from(apart).unwrap_or(furthest))
            })
            .collect()
    });
    edges.collect()
}

/// The tally of two raters' positions, where those that are at most `within` characters apart, at
/// the start and at the end, may be one: see [`align`]. With `within` 0 it is that of
/// [`compare`](crate::compare).
///
/// ```
/// use agreement::{Policy, relaxed_tally};
///
/// let first = [((0, 6), "PER"), ((10, 14), "YEAR")];
/// let second = [((0, 7), "PER"), ((10, 14), "YEAR")];
/// let both = |within| relaxed_tally(&first, &second, within, Policy::Cleaned, &"").coverage.both;
/// assert_eq!((both(0), both(1)), (1, 2));
/// ```
pub fn relaxed_tally<C: Ord + Clone>(
    first: &Positions<C>,
    second: &Positions<C>,
    within: u64,
    policy: Policy,
    empty: &C,
) -> PairTally<C> {
    let mut tally = PairTally::default();
    align(first, second, within, |one, other| tally.add(one, other, policy, empty));
    tally
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::relaxed_tally;
    use crate::{Policy, compare};

    type Said = BTreeMap<(u64, u64), u8>;

    fn said() -> impl Strategy<Value = Said> {
        let span = (0..40_u64, 1..6_u64, 0..3_u8);
        prop::collection::vec(span, 0..12).prop_map(|spans| {
            spans
                .into_iter()
                .map(|(start, length, label)| ((start, start + length), label))
                .collect()
        })
    }

    fn list(said: &Said) -> Vec<((u64, u64), u8)> {
        said.iter().map(|(position, label)| (*position, *label)).collect()
    }

    fn both(first: &[((u64, u64), u8)], second: &[((u64, u64), u8)], within: u64) -> u64 {
        relaxed_tally(first, second, within, Policy::Cleaned, &9).coverage.both
    }

    /// The most pairs there can be, by trying all.
    fn most(first: &[(u64, u64)], second: &[(u64, u64)], within: u64) -> u64 {
        let Some((span, rest)) = first.split_first() else { return 0 };
        let mut best = most(rest, second, within);
        for (place, other) in second.iter().enumerate() {
            if span.0.abs_diff(other.0) <= within && span.1.abs_diff(other.1) <= within {
                let mut others = second.to_vec();
                others.remove(place);
                best = best.max(1 + most(rest, &others, within));
            }
        }
        best
    }

    proptest! {
        #[test]
        fn nothing_relaxed_is_the_comparison_of_exact_positions(first in said(), second in said()) {
            for policy in [Policy::Cleaned, Policy::EmptyLabel] {
                prop_assert_eq!(
                    relaxed_tally(&list(&first), &list(&second), 0, policy, &9),
                    compare(&first, &second, policy, &9)
                );
            }
        }

        #[test]
        fn the_raters_order_never_matters(first in said(), second in said(), within in 0..5_u64) {
            for policy in [Policy::Cleaned, Policy::EmptyLabel] {
                let (first, second) = (list(&first), list(&second));
                let one_way = relaxed_tally(&first, &second, within, policy, &9);
                let other_way = relaxed_tally(&second, &first, within, policy, &9);
                prop_assert_eq!(one_way, other_way.transposed());
            }
        }

        #[test]
        fn more_room_never_means_fewer_matches(first in said(), second in said(), within in 0..5_u64) {
            let (first, second) = (list(&first), list(&second));
            prop_assert!(both(&first, &second, within) <= both(&first, &second, within + 1));
        }

        #[test]
        fn every_judgement_is_counted_once(first in said(), second in said(), within in 0..5_u64) {
            let tally = relaxed_tally(&list(&first), &list(&second), within, Policy::EmptyLabel, &9);
            let coverage = tally.coverage;
            prop_assert_eq!(coverage.both + coverage.only_first, u64::try_from(first.len()).unwrap());
            prop_assert_eq!(coverage.both + coverage.only_second, u64::try_from(second.len()).unwrap());
            prop_assert_eq!(tally.table.total(), coverage.positions());
        }

        #[test]
        fn beside_exact_ones_there_are_as_many_matches_as_can_be(
            first in said(), second in said(), within in 0..4_u64
        ) {
            let only = |one: &Said, other: &Said| -> Vec<_> {
                one.keys().filter(|position| !other.contains_key(position)).copied().take(6).collect()
            };
            let (first, second) = (only(&first, &second), only(&second, &first));
            let labelled = |spans: &[(u64, u64)]| -> Vec<_> {
                spans.iter().map(|span| (*span, 0)).collect()
            };
            let matched = both(&labelled(&first), &labelled(&second), within);
            prop_assert_eq!(matched, most(&first, &second, within));
        }
    }

    #[test]
    fn an_exact_match_is_kept_and_the_nearest_of_several_is_taken() {
        let first = [((10, 14), 'a'), ((30, 34), 'd')];
        let second = [((10, 14), 'b'), ((11, 15), 'c'), ((29, 34), 'e'), ((32, 36), 'f')];
        let tally = relaxed_tally(&first, &second, 2, Policy::EmptyLabel, &'-');
        let cells: Vec<_> = tally.table.cells().map(|(a, b, n)| (*a, *b, n)).collect();
        assert_eq!(cells, [('-', 'c', 1), ('-', 'f', 1), ('a', 'b', 1), ('d', 'e', 1)]);
    }
}
