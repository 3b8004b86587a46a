//! Spans that overlap as partners: each of one rater's with at most one of the other's.

use std::collections::BTreeSet;

use crate::spans::pairing::{Placed, pair_up};
use crate::spans::{Judgements, overlap};
use crate::{PairTally, Policy, Positions};

/// Goes through the spans that at least one of two raters marked, where two that overlap may be
/// partners. `say` is told what the two said there.
///
/// Each span has one partner at most. The partners are those with the most text in common, all pairs
/// together: `Σ |a ∩ b|` over the pairs `(a, b)` is the largest possible. Among the ways to have that,
///
/// 1. what both marked at exactly the same place are partners, which never costs common text: of spans
///    `a = b` with other partners `y` and `x`, `|a ∩ y| + |x ∩ b| ≤ |a| + |x ∩ y|`;
/// 2. of the others, the least text lies in one span of a pair alone;
/// 3. what is still open follows from the positions alone, so the raters' order never matters.
///
/// Labels have no say: choosing partners by what they are called would make agreement, and partners
/// would change when labels are merged or one is taken against the rest.
///
/// Beyond 2^20 characters that lie in one span of a pair alone, such pairs are alike to rule 2. Spans with more
/// than 2^40 characters in common, divided by how many pairs there can be, have that much: of a thousand pairs
/// a billion characters each.
pub fn align_overlapping<'a, C>(
    first: &'a Positions<C>,
    second: &'a Positions<C>,
    say: impl FnMut(Option<&'a C>, Option<&'a C>),
) {
    pair_up(first, second, overlapping, say);
}

/// The most characters in one span of a pair alone that are told apart.
const FURTHEST: u64 = 1 << 20;

/// For each position the others that it has text in common with.
fn overlapping<C>(left: &[Placed<'_, C>], right: &[Placed<'_, C>]) -> Vec<Vec<(usize, i64)>> {
    let length = |(start, end): (u64, u64)| end.saturating_sub(start);
    let longest = right.iter().map(|span| length(span.0)).max().unwrap_or(0);
    let pairs = i64::try_from(left.len().min(right.len())).unwrap_or(i64::MAX);
    let furthest = i64::try_from(FURTHEST).unwrap_or(i64::MAX);
    // One more character in common outweighs all that can lie in one span alone; and the matching adds
    // up a few weights.
    let step = pairs.saturating_mul(furthest).saturating_add(1).min(i64::MAX >> 16);
    let most = (i64::MAX >> 3) / step;
    let edges = left.iter().map(|(position, _)| {
        let from =
            right.partition_point(|((start, _), _)| start.saturating_add(longest) <= position.0);
        let near = right.iter().enumerate().skip(from);
        near.take_while(|(_, ((start, _), _))| *start < position.1)
            .filter_map(|(place, (other, _))| {
                let common = overlap(*position, *other);
                let alone = length(*position) + length(*other) - 2 * common;
                let [common, alone] =
                    [common, alone.min(FURTHEST)].map(|n| i64::try_from(n).unwrap_or(i64::MAX));
                (common > 0).then(|| (place, common.min(most) * step - alone))
            })
            .collect()
    });
    edges.collect()
}

/// Each span is compared with at most one that it overlaps, by [`align_overlapping`]. The empty set is
/// no span: a reject is left out.
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
/// let tally = overlap_tally(&first, &second, Policy::Cleaned);
/// assert_eq!((tally.table.agreements(), tally.table.total()), (2, 2));
/// assert_eq!(tally.coverage.only_second, 1);
/// ```
pub fn overlap_tally<C: Ord + Clone>(
    first: &Judgements<C>,
    second: &Judgements<C>,
    policy: Policy,
) -> PairTally<BTreeSet<C>> {
    let (first, second) = (spans(first), spans(second));
    let (mut tally, none) = (PairTally::default(), BTreeSet::new());
    align_overlapping(&first, &second, |one, other| {
        tally.add(one.copied(), other.copied(), policy, &none);
    });
    tally
}

fn spans<C>(judgements: &Judgements<C>) -> Vec<((u64, u64), &BTreeSet<C>)> {
    let spans = judgements.iter().filter(|(_, labels)| !labels.is_empty());
    spans.map(|(position, labels)| (*position, labels)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::{align_overlapping, overlap};
    use crate::{PairTally, Policy};

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
        let (first, second, mut pairs) = (placed(first), placed(second), Vec::new());
        align_overlapping(&first, &second, |one, other| pairs.push((one.copied(), other.copied())));
        pairs.sort_unstable();
        pairs
    }

    fn tally(first: &Said, second: &Said) -> PairTally<u8> {
        let list =
            |said: &Said| -> Vec<_> { said.iter().map(|(at, label)| (*at, *label)).collect() };
        let (first, second, mut tally) = (list(first), list(second), PairTally::default());
        align_overlapping(&first, &second, |one, other| {
            tally.add(one, other, Policy::EmptyLabel, &9);
        });
        tally
    }

    fn in_common(pairs: &Pairs) -> u64 {
        let both = pairs.iter().filter_map(|(one, other)| one.zip(*other));
        both.map(|(one, other)| overlap(one, other)).sum()
    }

    fn alone(pairs: &Pairs) -> u64 {
        let both = pairs.iter().filter_map(|(one, other)| one.zip(*other));
        let length = |(start, end): (u64, u64)| end - start;
        both.map(|(one, other)| length(one) + length(other) - 2 * overlap(one, other)).sum()
    }

    /// The most text in common that there can be, and then the least alone, by trying all.
    fn best(first: &[(u64, u64)], second: &[(u64, u64)]) -> (u64, i64) {
        let Some((span, rest)) = first.split_first() else { return (0, 0) };
        let mut found = best(rest, second);
        for (place, other) in second.iter().enumerate() {
            let common = overlap(*span, *other);
            if common > 0 {
                let mut others = second.to_vec();
                others.remove(place);
                let (more, less) = best(rest, &others);
                let alone = span.1 - span.0 + other.1 - other.0 - 2 * common;
                found = found.max((common + more, less - i64::try_from(alone).unwrap()));
            }
        }
        found
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
            let keys = |said: &Said| -> Vec<_> { said.keys().copied().collect() };
            let found = pairs(&first, &second);
            prop_assert_eq!(in_common(&found), best(&keys(&first), &keys(&second)).0);
        }

        #[test]
        fn of_what_is_not_the_same_no_other_way_leaves_less_alone(first in said(), second in said()) {
            let only = |one: &Said, other: &Said| -> Said {
                let alone = one.iter().filter(|(at, _)| !other.contains_key(at));
                alone.map(|(at, label)| (*at, *label)).collect()
            };
            let (first, second) = (only(&first, &second), only(&second, &first));
            let keys = |said: &Said| -> Vec<_> { said.keys().copied().collect() };
            let found = pairs(&first, &second);
            let (common, less) = best(&keys(&first), &keys(&second));
            let found = (in_common(&found), -i64::try_from(alone(&found)).unwrap());
            prop_assert_eq!(found, (common, less));
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

    #[test]
    fn long_texts_are_weighed_without_leaving_64_bits() {
        let long = u64::from(u32::MAX);
        let first = Said::from([((0, long), 1), ((5, long - 5), 2)]);
        let second = Said::from([((1, long), 1), ((6, long), 2)]);
        assert_eq!(pairs(&first, &second).len(), 2);
    }
}
