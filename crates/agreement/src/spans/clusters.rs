//! Spans of two raters in clusters: what overlaps, directly or by way of other spans.
#![expect(clippy::indexing_slicing, reason = "spans are numbered by their place in the lists")]

use std::collections::BTreeMap;

use itertools::Itertools;

use crate::spans::pairing::Placed;

/// Spans of two raters, in order, that hang together by overlaps of one's span with the other's: no span
/// outside overlaps one of the other rater inside.
pub(super) struct Cluster<'a, C> {
    pub(super) ours: Vec<Placed<'a, C>>,
    pub(super) theirs: Vec<Placed<'a, C>>,
}

impl<C> Default for Cluster<'_, C> {
    fn default() -> Self {
        Self { ours: Vec::new(), theirs: Vec::new() }
    }
}

/// Which rater a span is of, as places in pairs of lists.
const SIDES: [usize; 2] = [0, 1];

/// The spans of both in order: where each is, whose it is, and its place in the list. What has no text
/// overlaps nothing and is left out.
pub(super) fn in_order<C>(
    ours: &[Placed<'_, C>],
    theirs: &[Placed<'_, C>],
) -> impl Iterator<Item = ((u64, u64), usize, usize)> {
    let of = |spans: &[Placed<'_, C>], side: usize| {
        let spans = spans.iter().enumerate().map(move |(place, span)| (span.0, side, place));
        spans.filter(|((start, end), ..)| start < end).collect::<Vec<_>>()
    };
    let [one, other] = SIDES;
    of(ours, one).into_iter().merge(of(theirs, other))
}

/// Puts the spans of two raters into clusters, in `n log n` steps however many overlap.
pub(super) fn clusters<'a, C>(
    ours: &[Placed<'a, C>],
    theirs: &[Placed<'a, C>],
) -> impl Iterator<Item = Cluster<'a, C>> {
    let number = |side, place| if side == 0 { place } else { ours.len() + place };
    let mut sets = Sets((0..ours.len() + theirs.len()).collect());
    // Of each rater what is still going on: one span of a set, and where the last of the set ends.
    let mut open = [Vec::<(usize, u64)>::new(), Vec::new()];
    for ((start, end), side, place) in in_order(ours, theirs) {
        let number = number(side, place);
        let others = &mut open[1 - side];
        others.retain(|&(_, end)| end > start);
        let last = others.iter().map(|&(_, end)| end).max();
        for (other, _) in others.drain(..) {
            sets.join(number, other);
        }
        others.extend(last.map(|end| (number, end)));
        open[side].push((number, end));
    }
    let mut found: BTreeMap<usize, Cluster<'a, C>> = BTreeMap::new();
    for (place, span) in ours.iter().enumerate() {
        found.entry(sets.of(number(0, place))).or_default().ours.push(span);
    }
    for (place, span) in theirs.iter().enumerate() {
        found.entry(sets.of(number(1, place))).or_default().theirs.push(span);
    }
    found.into_values()
}

/// Sets of numbers that are joined, each known by one of its numbers.
struct Sets(Vec<usize>);

impl Sets {
    fn of(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            // Halved on the way, so that the next way is short.
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
    }
}
