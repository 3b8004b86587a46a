//! Precision, recall and F1 of spans: by exact position, by overlap, and by token.

use std::collections::BTreeSet;

use crate::arithmetic::matching::Graph;
use crate::arithmetic::number::count64;
use crate::arithmetic::ratio::ratio;
use crate::spans::Span;
use crate::{Contingency, Undefined};

/// When a span of one rater counts as found by the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanMatch<'a> {
    /// Start, end and label are the same.
    Exact,
    /// The label is the same and the two overlap. Each span has one partner at most, and as many
    /// as possible have one: no order of spans is better than another.
    Overlap,
    /// Labels are compared token by token; tokens are (start, end), sorted and apart.
    Tokens(&'a [(u64, u64)]),
}

/// How many spans (or labels of tokens) were found; counts of documents are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpanCounts {
    /// In both.
    pub matched: u64,
    /// In the gold standard.
    pub gold: u64,
    /// In what is compared with it.
    pub found: u64,
}

/// Counts the spans of two raters that match; the same span given twice counts once.
///
/// # Formula
/// ```text
/// precision = matched / found      recall = matched / gold      F1 = 2 matched / (gold + found)
/// ```
/// F1 is symmetric: it does not matter which of the two is taken for gold. There is no correction
/// for chance, which needs positions that nobody marked; with one label F1 is the limit of kappa
/// for an unbounded number of such positions (Hripcsak & Rothschild 2005). With several, positions
/// that both marked differently add their number by `gold + found` to that limit.
///
/// # Undefined when
/// Precision: nothing was found; recall: there is no gold; F1: neither.
///
/// # Reference
/// Hripcsak, G., & Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in
/// information retrieval. *JAMIA*, 12(3), 296–298.
///
/// # Example
/// ```
/// use agreement::{Span, SpanMatch, span_counts};
///
/// let span = |(start, end, label)| Span { start, end, label };
/// let gold = [(0, 5, "PER"), (10, 15, "ORG")].map(span);
/// let found = [(0, 5, "PER"), (8, 12, "ORG"), (20, 24, "LOC")].map(span);
/// let exact = span_counts(&gold, &found, SpanMatch::Exact);
/// assert_eq!((exact.precision()?, exact.recall()?, exact.f1()?), (1.0 / 3.0, 0.5, 0.4));
/// assert_eq!(span_counts(&gold, &found, SpanMatch::Overlap).f1()?, 0.8);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn span_counts<C: Ord>(gold: &[Span<C>], found: &[Span<C>], by: SpanMatch<'_>) -> SpanCounts {
    let gold: BTreeSet<&Span<C>> = gold.iter().collect();
    let found: BTreeSet<&Span<C>> = found.iter().collect();
    match by {
        SpanMatch::Exact => counts(gold.intersection(&found).count(), gold.len(), found.len()),
        SpanMatch::Overlap => counts(overlapping(&gold, &found), gold.len(), found.len()),
        SpanMatch::Tokens(tokens) => {
            let (gold, found) = (by_token(&gold, tokens), by_token(&found, tokens));
            counts(gold.intersection(&found).count(), gold.len(), found.len())
        }
    }
}

impl SpanCounts {
    /// The spans behind a table in which one-sided positions count as `none`: that is no span,
    /// whoever says it. The row rater is taken for gold.
    pub fn of_table<C: Ord + Clone>(table: &Contingency<C>, none: &C) -> Self {
        Self {
            matched: table.agreements() - table.count(none, none),
            gold: table.total() - table.row_total(none),
            found: table.total() - table.column_total(none),
        }
    }

    /// The part of what was found that is right.
    pub fn precision(&self) -> Result<f64, Undefined> {
        share(self.matched.into(), self.found.into())
    }

    /// The part of the gold standard that was found.
    pub fn recall(&self) -> Result<f64, Undefined> {
        share(self.matched.into(), self.gold.into())
    }

    /// The harmonic mean of precision and recall.
    pub fn f1(&self) -> Result<f64, Undefined> {
        share(2 * i128::from(self.matched), i128::from(self.gold) + i128::from(self.found))
    }

    /// The counts of both together, such as those of two documents.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            matched: self.matched + other.matched,
            gold: self.gold + other.gold,
            found: self.found + other.found,
        }
    }
}

fn share(part: i128, whole: i128) -> Result<f64, Undefined> {
    if whole == 0 { Err(Undefined::NoSharedPositions) } else { Ok(ratio(part, whole)) }
}

fn counts(matched: usize, gold: usize, found: usize) -> SpanCounts {
    // No machine counts beyond 64 bits.
    SpanCounts { matched: count64(matched), gold: count64(gold), found: count64(found) }
}

/// The largest number of pairs of overlapping spans with the same label.
fn overlapping<C: Ord>(gold: &BTreeSet<&Span<C>>, found: &BTreeSet<&Span<C>>) -> usize {
    let found: Vec<&Span<C>> = found.iter().copied().collect();
    let longest = found.iter().map(|span| span.end.saturating_sub(span.start)).max().unwrap_or(0);
    let edges = gold.iter().map(|span| {
        let skipped =
            found.partition_point(|other| other.start.saturating_add(longest) <= span.start);
        let near = found.iter().enumerate().skip(skipped);
        let near = near.take_while(|(_, other)| other.start < span.end);
        near.filter(|(_, other)| other.label == span.label && span.overlap(other) > 0)
            .map(|(place, _)| (place, 1))
            .collect()
    });
    let graph = Graph { edges: edges.collect(), right: found.len() };
    graph.heaviest_matching().into_iter().flatten().count()
}

/// Each label on each token that a span of it touches.
fn by_token<'a, C: Ord>(
    spans: &BTreeSet<&'a Span<C>>,
    tokens: &[(u64, u64)],
) -> BTreeSet<(usize, &'a C)> {
    let touched = |span: &&'a Span<C>| {
        let label = &span.label;
        crate::spans::tally::touched(tokens, (span.start, span.end))
            .map(move |token| (token, label))
    };
    spans.iter().flat_map(touched).collect()
}
