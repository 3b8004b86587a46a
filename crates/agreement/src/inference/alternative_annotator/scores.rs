//! How well a judgement represents those of others: the more, the better.

use std::collections::BTreeSet;

use crate::arithmetic::number::{count64, float, sum};
use crate::{Distance, Jaccard, Score, Span, SpanMatch, span_counts};

/// Of categories: the share of the others who said the same (`ACC` of the paper).
pub fn share_alike<J: PartialEq>(judgement: &J, others: &[&J]) -> f64 {
    mean(others, |other| if *other == judgement { 1.0 } else { 0.0 })
}

/// Of sets of labels: the mean Jaccard index with the others' (a `SIM` of the paper). Two empty sets are
/// the same.
pub fn mean_jaccard<T: Ord>(judgement: &BTreeSet<T>, others: &[&BTreeSet<T>]) -> f64 {
    mean(others, |other| 1.0 - Jaccard.between(judgement, other))
}

/// Of numbers: the root of the mean squared difference from the others', below 0 (`−RMSE` of the paper).
pub fn negative_rmse<J: Score>(judgement: &J, others: &[&J]) -> f64 {
    let squared = |other: &&J| {
        let apart = judgement.score() - other.score();
        apart * apart
    };
    -libm::sqrt(mean(others, squared))
}

/// Of the spans of a document: the mean F1 with the others' (a `SIM` of the paper), where spans match
/// by position ([`SpanMatch::Exact`]), by overlap, as many as can ([`SpanMatch::Overlap`]), or by
/// token. Two who both marked nothing are the same.
///
/// The item is the document: spans of one text are not independent of each other.
///
/// # Example
/// ```
/// # use agreement::{Span, SpanMatch};
/// # use agreement::inference::mean_f1;
/// let spans = |start, end| vec![Span { start, end, label: "PER" }];
/// let (one, other, nothing) = (spans(0, 5), spans(0, 6), Vec::new());
/// assert_eq!(mean_f1(SpanMatch::Exact)(&one, &[&one, &other]), 0.5);
/// assert_eq!(mean_f1(SpanMatch::Overlap)(&one, &[&one, &other]), 1.0);
/// assert_eq!(mean_f1(SpanMatch::Exact)(&nothing, &[&nothing, &other]), 0.5);
/// ```
pub fn mean_f1<C: Ord, S: AsRef<[Span<C>]>>(by: SpanMatch<'_>) -> impl Fn(&S, &[&S]) -> f64 {
    // F1 is undefined where there is no span at all, and then both say the same.
    let f1 =
        move |one: &S, other: &S| span_counts(one.as_ref(), other.as_ref(), by).f1().unwrap_or(1.0);
    move |spans, others| mean(others, |other| f1(spans, other))
}

fn mean<J>(others: &[&J], of: impl Fn(&&J) -> f64) -> f64 {
    sum(others.iter().map(of)) / float(count64(others.len()))
}
