//! From two raters' judgements to a tally: by position and by token.
//!
//! What a nominal measure sees is a pair of label sets; the empty set is `∅` (or O, for a token).

use std::collections::BTreeSet;

use crate::spans::Judgements;
use crate::{PairTally, Policy, compare};

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
