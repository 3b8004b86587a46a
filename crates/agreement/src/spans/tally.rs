//! From two raters' judgements to a tally: by position, by token, by overlap.
//!
//! What a nominal measure sees is a pair of label sets; the empty set is `∅` (or O, for a token).

use std::collections::BTreeSet;

use crate::arithmetic::matching::Graph;
use crate::spans::{Judgements, overlap};
use crate::{Coverage, PairTally, Policy, compare};

/// Positions that both judged, exactly; [`Policy`] says what becomes of the others.
///
/// This is [`compare`] with the empty set for a missing judgement.
///
/// ```
/// use agreement::{Policy, Span, judgements, position_tally};
///
/// let span = |(start, end, label)| Span { start, end, label };
/// let first = judgements([(0, 6, "PER"), (10, 14, "YEAR")].map(span));
/// let second = judgements([(0, 6, "PER"), (20, 24, "YEAR")].map(span));
/// let tally = position_tally(&first, &second, Policy::EmptyLabel);
/// assert_eq!((tally.table.agreements(), tally.table.total()), (1, 3));
/// ```
pub fn position_tally<C: Ord + Clone>(
    first: &Judgements<C>,
    second: &Judgements<C>,
    policy: Policy,
) -> PairTally<BTreeSet<C>> {
    compare(first, second, policy, &BTreeSet::new())
}

/// Each token is a position, with the labels of all judgements that touch it; none is `O`, a
/// category like any other.
///
/// Tokens are (start, end), sorted and apart. The coverage counts the tokens that somebody
/// judged; the table counts all, so that agreement on `O` is in it, and often most of it.
///
/// ```
/// use agreement::{Span, judgements, token_tally};
///
/// let tokens = [(0, 3), (4, 8), (9, 12)];
/// let span = |(start, end, label)| Span { start, end, label };
/// let first = judgements([span((0, 8, "PER"))]);
/// let second = judgements([span((4, 8, "PER"))]);
/// let tally = token_tally(&first, &second, &tokens);
/// assert_eq!((tally.table.agreements(), tally.table.total()), (2, 3));
/// assert_eq!((tally.coverage.both, tally.coverage.only_first), (1, 1));
/// ```
pub fn token_tally<C: Ord + Clone>(
    first: &Judgements<C>,
    second: &Judgements<C>,
    tokens: &[(u64, u64)],
) -> PairTally<BTreeSet<C>> {
    let mut tally = PairTally::default();
    let labels = by_token(first, tokens).into_iter().zip(by_token(second, tokens));
    for (of_first, of_second) in labels {
        match (&of_first, &of_second) {
            (Some(_), Some(_)) => tally.coverage.both += 1,
            (Some(_), None) => tally.coverage.only_first += 1,
            (None, Some(_)) => tally.coverage.only_second += 1,
            (None, None) => {}
        }
        tally.table.add(of_first.unwrap_or_default(), of_second.unwrap_or_default());
    }
    tally
}

/// Each position is compared with at most one that it overlaps: the assignment with the most text
/// in common, and among those the one with the most equal label sets.
///
/// [`Policy`] says what becomes of positions without a partner; the coverage counts pairs as
/// judged by both.
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
    let rows: Vec<_> = first.iter().collect();
    let columns: Vec<_> = second.iter().collect();
    let mut tally = PairTally { coverage: Coverage::default(), ..PairTally::default() };
    let mut alone = vec![true; columns.len()];
    for ((_, labels), partner) in rows.iter().zip(partners(&rows, &columns)) {
        let partner = partner.and_then(|place| columns.get(place).zip(alone.get_mut(place)));
        if let Some(((_, other), alone)) = partner {
            *alone = false;
            tally.coverage.both += 1;
            tally.table.add((*labels).clone(), (*other).clone());
        } else {
            tally.coverage.only_first += 1;
            if policy == Policy::EmptyLabel {
                tally.table.add((*labels).clone(), BTreeSet::new());
            }
        }
    }
    for ((_, labels), _) in columns.iter().zip(alone).filter(|(_, alone)| *alone) {
        tally.coverage.only_second += 1;
        if policy == Policy::EmptyLabel {
            tally.table.add(BTreeSet::new(), (*labels).clone());
        }
    }
    tally
}

type Judged<'a, C> = (&'a (u64, u64), &'a BTreeSet<C>);

/// For each row its column in the best one-to-one assignment.
fn partners<C: Ord>(rows: &[Judged<'_, C>], columns: &[Judged<'_, C>]) -> Vec<Option<usize>> {
    // One more pair of equal labels must not outweigh one more character in common.
    let step = i64::try_from(rows.len().min(columns.len())).unwrap_or(i64::MAX - 1) + 1;
    let most = i64::MAX / 8 / step;
    let longest = columns.iter().map(|((start, end), _)| end.saturating_sub(*start)).max();
    let edges = rows.iter().map(|(position, labels)| {
        let skipped = columns.partition_point(|((start, _), _)| {
            start.saturating_add(longest.unwrap_or(0)) <= position.0
        });
        let near = columns.iter().enumerate().skip(skipped);
        let near = near.take_while(|(_, ((start, _), _))| *start < position.1);
        let weighed = near.map(|(place, (other, others_labels))| {
            let common = i64::try_from(overlap(**position, **other)).unwrap_or(most).min(most);
            let equal = i64::from(labels == others_labels);
            (place, if common > 0 { common * step + equal } else { 0 })
        });
        weighed.filter(|edge| edge.1 > 0).collect()
    });
    Graph { edges: edges.collect(), right: columns.len() }.heaviest_matching()
}

/// Which tokens a stretch touches.
pub(super) fn touched(
    tokens: &[(u64, u64)],
    (start, end): (u64, u64),
) -> impl Iterator<Item = usize> + use<> {
    let from = tokens.partition_point(|token| token.1 <= start);
    let to = tokens.partition_point(|token| token.0 < end);
    from..to
}

/// For each token the labels of what touches it; `None` where nothing does.
fn by_token<C: Ord + Clone>(
    judgements: &Judgements<C>,
    tokens: &[(u64, u64)],
) -> Vec<Option<BTreeSet<C>>> {
    let mut labels = vec![None; tokens.len()];
    for (&position, judged) in judgements {
        for token in touched(tokens, position) {
            if let Some(labels) = labels.get_mut(token) {
                labels.get_or_insert_with(BTreeSet::new).extend(judged.iter().cloned());
            }
        }
    }
    labels
}
