//! Spans that overlap as partners: each of one rater's with at most one of the other's.
#![expect(clippy::indexing_slicing, reason = "spans are numbered by their place in the lists")]

use std::collections::BTreeSet;
use std::ops::{Add, Sub};

use crate::arithmetic::number::count64;
use crate::spans::clusters::{Cluster, clusters, in_order};
use crate::spans::pairing::{Placed, Split, find_partners};
use crate::spans::{Judgements, overlap};
use crate::{PairTally, Policy, Positions, Undefined};

/// Along how many overlaps the search for partners goes at most in a document, about 20 ms, and along how many
/// more for each span. Fifty spans of each that all overlap are within it, and any number that overlap a
/// few.
pub const MOST_OVERLAP_STEPS: u64 = 200_000;
const STEPS_OF_A_SPAN: u64 = 20;

/// What the two said where at least one of them marked a span.
pub type Partners<'a, C> = Vec<(Option<&'a C>, Option<&'a C>)>;

/// The spans that at least one of two raters marked, where two that overlap may be partners; in no order.
///
/// Each span has one partner at most. What both marked at exactly the same place are partners. The others
/// have theirs so that
///
/// 1. the pairs `(a, b)` have the most text in common: `Σ |a ∩ b|` is the largest possible;
/// 2. of the ways to have that, starts and ends lie the closest: the sum of their squared distances,
///    `Σ (a.start − b.start)² + (a.end − b.end)²`, is the smallest. Squares, since among spans on a line sums
///    of distances are mostly the same, however the spans are paired;
/// 3. what is still open follows from the positions of the spans that hang together by overlaps: neither
///    the raters' order matters, nor what lies elsewhere in the text.
///
/// Exact partners never cost common text: of spans `a = b` with other partners `y` and `x`,
/// `|a ∩ y| + |x ∩ b| ≤ |a| + |x ∩ y|`. Labels have no say: choosing partners by what they are called would make
/// agreement, and partners would change when labels are merged or one is taken against the rest.
///
/// # Errors
/// [`Undefined::TooManyOverlaps`] where the search would go along more than [`MOST_OVERLAP_STEPS`] overlaps, and 20
/// for each span.
pub fn align_overlapping<'a, C>(
    first: &'a Positions<C>,
    second: &'a Positions<C>,
) -> Result<Partners<'a, C>, Undefined> {
    let Split { same, ours, theirs } = Split::of(first, second);
    let mut partners: Partners<'a, C> =
        same.into_iter().map(|(one, other)| (Some(one), Some(other))).collect();
    let mut steps = MOST_OVERLAP_STEPS + STEPS_OF_A_SPAN * count64(ours.len() + theirs.len());
    for Cluster { ours, theirs } in clusters(&ours, &theirs) {
        let say = |one, other| partners.push((one, other));
        // Each is gone along once at least, and would take its room.
        if overlaps(&ours, &theirs) > steps
            || !find_partners((&ours, &theirs), closeness, &mut steps, say)
        {
            return Err(Undefined::TooManyOverlaps);
        }
    }
    Ok(partners)
}

/// How many pairs of one's span with the other's overlap in a cluster, counted without going through them: of
/// those that begin before a span ends, all but those that end before it begins.
fn overlaps<C>(ours: &[Placed<'_, C>], theirs: &[Placed<'_, C>]) -> u64 {
    let mut ends: Vec<u64> = theirs.iter().map(|span| span.0.1).collect();
    ends.sort_unstable();
    let of_span = |((start, end), _): &Placed<'_, C>| {
        let begun = theirs.partition_point(|other| other.0.0 < *end);
        let ended = ends.partition_point(|other| other <= start);
        count64(begun.saturating_sub(ended))
    };
    ours.iter().map(of_span).sum()
}

/// How close two spans are: first what they have in common, then how little they are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Closeness {
    common: i128,
    /// Squared distances, below 0.
    together: i128,
}

impl Add for Closeness {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { common: self.common + other.common, together: self.together + other.together }
    }
}

impl Sub for Closeness {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { common: self.common - other.common, together: self.together - other.together }
    }
}

impl Closeness {
    fn of(one: (u64, u64), other: (u64, u64)) -> Self {
        // No text is that long, and no sum of squares leaves 128 bits.
        const FURTHEST: u64 = 1 << 48;
        let squared = |one: u64, other| i128::from(one.abs_diff(other).min(FURTHEST)).pow(2);
        Self {
            common: overlap(one, other).into(),
            together: -squared(one.0, other.0) - squared(one.1, other.1),
        }
    }
}

/// For each position the others that it has text in common with, in order.
fn closeness<C>(left: &[Placed<'_, C>], right: &[Placed<'_, C>]) -> Vec<Vec<(usize, Closeness)>> {
    let mut edges = vec![Vec::new(); left.len()];
    let mut open = [Vec::new(), Vec::new()];
    for ((start, end), side, place) in in_order(left, right) {
        let others = &mut open[1 - side];
        others.retain(|&((_, end), _)| end > start);
        for &(other, at) in &*others {
            let closeness = Closeness::of((start, end), other);
            let (left, right) = if side == 0 { (place, at) } else { (at, place) };
            edges[left].push((right, closeness));
        }
        open[side].push(((start, end), place));
    }
    edges
}

/// Each span is compared with at most one that it overlaps, by [`align_overlapping`], whose error it has. The
/// empty set is no span: a reject is left out.
///
/// [`Policy`] says what becomes of spans without a partner; the coverage counts pairs as judged by
/// both.
///
/// ```
/// use agreement::{Policy, Span, judgements, overlap_tally};
///
/// let span = |(start, end, label)| Span { start, end, label };
/// let first = judgements([(0, 10, "PER"), (12, 20, "ORG")].map(span));
/// let second = judgements([(2, 10, "PER"), (11, 13, "LOC"), (13, 20, "ORG")].map(span));
/// let tally = overlap_tally(&first, &second, Policy::Cleaned)?;
/// assert_eq!((tally.table.agreements(), tally.table.total()), (2, 2));
/// assert_eq!(tally.coverage.only_second, 1);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn overlap_tally<C: Ord + Clone>(
    first: &Judgements<C>,
    second: &Judgements<C>,
    policy: Policy,
) -> Result<PairTally<BTreeSet<C>>, Undefined> {
    let (first, second) = (spans(first), spans(second));
    let (mut tally, none) = (PairTally::default(), BTreeSet::new());
    for (one, other) in align_overlapping(&first, &second)? {
        tally.add(one.copied(), other.copied(), policy, &none);
    }
    Ok(tally)
}

fn spans<C>(judgements: &Judgements<C>) -> Vec<((u64, u64), &BTreeSet<C>)> {
    let spans = judgements.iter().filter(|(_, labels)| !labels.is_empty());
    spans.map(|(position, labels)| (*position, labels)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::{Closeness, align_overlapping, overlap};
    use crate::{PairTally, Policy, Undefined};

    type Said = BTreeMap<(u64, u64), u8>;
    type Pairs = Vec<(Option<(u64, u64)>, Option<(u64, u64)>)>;

    fn said() -> impl Strategy<Value = Said> {
        let span = (0..30_u64, 1..9_u64, 0..3_u8);
        prop::collection::vec(span, 0..7).prop_map(|spans| {
            let of_span = |(start, length, label)| ((start, start + length), label);
            spans.into_iter().map(of_span).collect()
        })
    }

    /// Who is whose partner; in no order.
    fn pairs(first: &Said, second: &Said) -> Pairs {
        let placed = |said: &Said| -> Vec<_> { said.keys().map(|at| (*at, *at)).collect() };
        let (first, second) = (placed(first), placed(second));
        let partners = align_overlapping(&first, &second).unwrap().into_iter();
        let mut pairs: Pairs =
            partners.map(|(one, other)| (one.copied(), other.copied())).collect();
        pairs.sort_unstable();
        pairs
    }

    fn tally(first: &Said, second: &Said) -> PairTally<u8> {
        let list =
            |said: &Said| -> Vec<_> { said.iter().map(|(at, label)| (*at, *label)).collect() };
        let (first, second, mut tally) = (list(first), list(second), PairTally::default());
        for (one, other) in align_overlapping(&first, &second).unwrap() {
            tally.add(one, other, Policy::EmptyLabel, &9);
        }
        tally
    }

    fn closeness(pairs: &Pairs) -> Closeness {
        let both = pairs.iter().filter_map(|(one, other)| one.zip(*other));
        both.fold(Closeness::default(), |sum, (one, other)| sum + Closeness::of(one, other))
    }

    /// The closest that pairs can be together, by trying all.
    fn closest(first: &[(u64, u64)], second: &[(u64, u64)]) -> Closeness {
        let Some((span, rest)) = first.split_first() else { return Closeness::default() };
        let mut found = closest(rest, second);
        for (place, other) in second.iter().enumerate() {
            if overlap(*span, *other) > 0 {
                let mut others = second.to_vec();
                others.remove(place);
                found = found.max(Closeness::of(*span, *other) + closest(rest, &others));
            }
        }
        found
    }

    fn keys(said: &Said) -> Vec<(u64, u64)> {
        said.keys().copied().collect()
    }

    proptest! {
        #[test]
        fn the_raters_order_never_matters(first in said(), second in said()) {
            let turned = |pairs: Pairs| -> Pairs {
                let mut turned: Pairs = pairs.into_iter().map(|(one, other)| (other, one)).collect();
                turned.sort_unstable();
                turned
            };
            prop_assert_eq!(pairs(&first, &second), turned(pairs(&second, &first)));
            prop_assert_eq!(tally(&first, &second), tally(&second, &first).transposed());
        }

        #[test]
        fn no_other_way_has_more_text_in_common(first in said(), second in said()) {
            let best = closest(&keys(&first), &keys(&second));
            prop_assert_eq!(closeness(&pairs(&first, &second)).common, best.common);
        }

        #[test]
        fn what_is_not_the_same_is_paired_with_what_is_closest(first in said(), second in said()) {
            let only = |one: &Said, other: &Said| -> Said {
                let alone = one.iter().filter(|(at, _)| !other.contains_key(at));
                alone.map(|(at, label)| (*at, *label)).collect()
            };
            let (first, second) = (only(&first, &second), only(&second, &first));
            prop_assert_eq!(closeness(&pairs(&first, &second)), closest(&keys(&first), &keys(&second)));
        }

        #[test]
        fn a_span_that_overlaps_nothing_of_the_other_changes_no_pair(
            first in said(), second in said(), start in 0..40_u64, length in 1..5_u64
        ) {
            let alone = (start, start + length);
            prop_assume!(second.keys().all(|other| overlap(alone, *other) == 0));
            prop_assume!(!first.contains_key(&alone));
            let mut more = first.clone();
            more.insert(alone, 0);
            let mut expected = pairs(&first, &second);
            expected.push((Some(alone), None));
            expected.sort_unstable();
            prop_assert_eq!(pairs(&more, &second), expected);
        }

        #[test]
        fn text_before_changes_no_pair(first in said(), second in said(), by in 1..50_u64) {
            let moved = |(start, end): (u64, u64)| (start + by, end + by);
            let later = |said: &Said| -> Said {
                said.iter().map(|(at, label)| (moved(*at), *label)).collect()
            };
            let before = pairs(&first, &second).into_iter();
            let expected: Pairs =
                before.map(|(one, other)| (one.map(moved), other.map(moved))).collect();
            prop_assert_eq!(pairs(&later(&first), &later(&second)), expected);
        }

        #[test]
        fn what_both_marked_is_never_parted(first in said(), second in said()) {
            for (one, other) in pairs(&first, &second) {
                let in_both = one.filter(|at| second.contains_key(at));
                prop_assert!(in_both.is_none() || in_both == other);
            }
        }

        #[test]
        fn every_span_is_counted_once(first in said(), second in said()) {
            let tally = tally(&first, &second);
            let count = |said: &Said| u64::try_from(said.len()).unwrap();
            prop_assert_eq!(tally.coverage.both + tally.coverage.only_first, count(&first));
            prop_assert_eq!(tally.coverage.both + tally.coverage.only_second, count(&second));
            prop_assert_eq!(tally.table.total(), tally.coverage.positions());
        }

        #[test]
        fn documents_are_added_up_and_taken_away(first in said(), second in said(), more in said()) {
            let (one, other) = (tally(&first, &second), tally(&more, &second));
            let mut both = one.clone();
            both.merge(&other);
            both.subtract(&one).unwrap();
            prop_assert_eq!(both, other);
        }
    }

    #[test]
    fn of_equal_overlaps_the_span_that_reaches_less_far_is_the_partner() {
        // (10, 20) has five characters in common with each.
        let first = Said::from([((10, 20), 1)]);
        let second = Said::from([((10, 15), 1), ((15, 30), 1)]);
        assert_eq!(
            pairs(&first, &second),
            [(None, Some((15, 30))), (Some((10, 20)), Some((10, 15)))]
        );
    }

    /// Both ways to pair all four have five characters in common, and starts and ends lie as far apart in sum.
    #[test]
    fn what_is_marked_far_away_has_no_say_in_who_is_whose_partner() {
        let first = Said::from([((102, 106), 1), ((103, 106), 1)]);
        let second = Said::from([((101, 104), 1), ((102, 107), 1)]);
        let expected = [(Some((102, 106)), Some((101, 104))), (Some((103, 106)), Some((102, 107)))];
        assert_eq!(pairs(&first, &second), expected);
        let mut more = first.clone();
        more.insert((0, 5), 1);
        assert_eq!(pairs(&more, &second)[1..], expected);
    }

    #[test]
    fn places_of_any_size_are_weighed_without_leaving_128_bits() {
        let long = u64::MAX;
        let first = Said::from([((0, long), 1), ((5, long - 5), 2)]);
        let second = Said::from([((1, long), 1), ((6, long), 2)]);
        assert_eq!(pairs(&first, &second).len(), 2);
    }

    type Spans = Vec<((u64, u64), ())>;

    /// What `align_overlapping` says of as many spans of each, and how long that takes.
    fn timed(first: &Spans, second: &Spans) -> (Result<usize, Undefined>, Duration) {
        let begun = Instant::now();
        let found = align_overlapping(first, second).map(|pairs| pairs.len());
        (found, begun.elapsed())
    }

    fn spans(count: u64, span: impl Fn(u64) -> (u64, u64)) -> Spans {
        let mut spans: Spans = (0..count).map(|place| (span(place), ())).collect();
        spans.sort_unstable();
        spans
    }

    /// The deadline is generous: tests are not optimised, and share their machine.
    #[test]
    fn whatever_hangs_together_takes_little_time_with_partners_or_without() {
        let nested = |side, by| spans(side, |place| (place + by, 4 * side - place));
        let shifted = |side, by| spans(side, |place| (place, 2 * side + 2 * place + by));
        let random = |side, seed| spans(side, |n| (n * seed % 97, 2 * side + n * (seed + 2) % 101));
        // Each overlaps the one before and the one after.
        let chain = |side, by| spans(side, |place| (10 * place + by, 10 * place + 10 + by));
        let around = |side| vec![((0, side * 4), ())];
        let small = |side| spans(side, |place| (4 * place, 4 * place + 2));
        let hostile = |side| {
            [
                (nested(side, 0), nested(side, side)),
                (shifted(side, 0), shifted(side, 1)),
                (random(side, 31), random(side, 37)),
                (chain(side, 0), chain(side, 5)),
                (around(side), small(side)),
            ]
        };
        let has_partners = |side: u64| {
            let found = hostile(side).into_iter().map(|(first, second)| {
                let (there, took) = timed(&first, &second);
                let (back, took_back) = timed(&second, &first);
                assert_eq!(there, back);
                let longer = took.max(took_back);
                assert!(longer < Duration::from_secs(4), "{side} of each take {longer:?}");
                there.is_ok()
            });
            found.collect::<Vec<_>>()
        };
        assert_eq!(has_partners(50), [true; 5]);
        assert_eq!(has_partners(5_000), [false, false, false, false, true]);
    }

    #[test]
    fn many_places_that_are_each_within_the_bound_are_too_many_together() {
        let places = |by| {
            spans(50_000, |place| {
                let (start, inner) = (1_000 * (place / 50), place % 50 + by);
                (start + inner, start + 900 - inner)
            })
        };
        let (found, took) = timed(&places(0), &places(50));
        assert_eq!(found, Err(Undefined::TooManyOverlaps));
        assert!(took < Duration::from_secs(5), "{took:?}");
    }

    #[test]
    fn many_spans_here_and_there_have_their_partners_in_no_time() {
        let apart = |by| spans(100_000, |place| (10 * place + by, 10 * place + by + 4));
        let (found, took) = timed(&apart(0), &apart(1));
        assert_eq!(found, Ok(100_000));
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
}
