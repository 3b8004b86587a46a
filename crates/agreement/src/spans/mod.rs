//! Labelled spans of a text, and the judgements that two raters' spans amount to.

mod clusters;
pub(crate) mod iob2;
pub(crate) mod overlapping;
pub(crate) mod pairing;
pub(crate) mod policy;
pub(crate) mod relaxed;
pub(crate) mod score;
pub(crate) mod tally;

use std::collections::{BTreeMap, BTreeSet};

/// A labelled stretch of text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span<C> {
    /// Where it starts.
    pub start: u64,
    /// Where it ends; this point is not part of it.
    pub end: u64,
    /// What it was called.
    pub label: C,
}

impl<C> Span<C> {
    /// How much of the text both cover.
    pub fn overlap(&self, other: &Self) -> u64 {
        overlap((self.start, self.end), (other.start, other.end))
    }
}

/// The length that two stretches have in common.
pub(crate) fn overlap(first: (u64, u64), second: (u64, u64)) -> u64 {
    first.1.min(second.1).saturating_sub(first.0.max(second.0))
}

/// What one rater said about each position (start, end) of a document: a set of labels.
///
/// An empty set is a judgement too: a reviewer's reject. A position that is not there was not
/// judged.
pub type Judgements<C> = BTreeMap<(u64, u64), BTreeSet<C>>;

/// One rater's spans as judgements: several labels on one position make a set.
///
/// ```
/// use agreement::{Span, judgements};
///
/// let span = |label| Span { start: 0, end: 6, label };
/// let judged = judgements([span("PER"), span("TITLE"), span("PER")]);
/// assert_eq!(judged[&(0, 6)].len(), 2);
/// ```
pub fn judgements<C: Ord>(spans: impl IntoIterator<Item = Span<C>>) -> Judgements<C> {
    let mut judgements = Judgements::new();
    for Span { start, end, label } in spans {
        judgements.entry((start, end)).or_default().insert(label);
    }
    judgements
}
