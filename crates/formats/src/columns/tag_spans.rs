//! Which spans tags of single tokens can hold.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use crate::export::annotated::AnnotatedSpan;
use crate::export::loss::{LossReason, Losses};
use crate::export::tokens::Token;

/// The spans that are written, by their start; disjoint, and each of whole tokens.
#[derive(Debug)]
pub(crate) struct TagSpans<'document>(BTreeMap<usize, &'document AnnotatedSpan>);

/// Where a token stands among the spans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place<'document> {
    Outside,
    First(&'document AnnotatedSpan),
    Further(&'document AnnotatedSpan),
}

impl<'document> TagSpans<'document> {
    /// Chooses the spans that tags can hold, of overlapping ones the longest, and notes the
    /// others.
    pub(crate) fn choose(
        spans: &'document [AnnotatedSpan],
        length: usize,
        tokens: &[Token<'_>],
        losses: &mut Losses<'_>,
    ) -> Self {
        let starts: HashSet<usize> = tokens.iter().map(|token| token.start).collect();
        let ends: HashSet<usize> = tokens.iter().map(|token| token.end).collect();
        let mut candidates: Vec<&AnnotatedSpan> = spans.iter().collect();
        candidates.sort_by_key(|span| {
            (Reverse(span.end.saturating_sub(span.start)), span.start, span.label.as_str())
        });
        let mut kept: BTreeMap<usize, &AnnotatedSpan> = BTreeMap::new();
        for span in candidates {
            // Kept spans are disjoint: if any overlaps, the last that starts before the end does.
            let before = kept.range(..span.end).next_back().map(|(_, other)| *other);
            if span.start >= span.end || span.end > length {
                losses.of_span(span, LossReason::OutsideText);
            } else if !starts.contains(&span.start) || !ends.contains(&span.end) {
                losses.of_span(span, LossReason::NotOnTokenBoundary);
            } else if let Some(other) = before.filter(|other| other.end > span.start) {
                losses.of_span(span, LossReason::Overlaps(other.clone()));
            } else {
                kept.insert(span.start, span);
            }
        }
        Self(kept)
    }

    /// The spans that are written, in the order of the text.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'document AnnotatedSpan> {
        self.0.values().copied()
    }

    pub(crate) fn place(&self, token: &Token<'_>) -> Place<'document> {
        let span = self.0.range(..=token.start).next_back().map(|(_, span)| *span);
        match span.filter(|span| token.start < span.end) {
            Some(span) if span.start == token.start => Place::First(span),
            Some(span) => Place::Further(span),
            None => Place::Outside,
        }
    }
}
