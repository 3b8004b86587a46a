//! Holding spans against the text they are in.

use std::collections::HashSet;

use crate::TextIndex;
use crate::import::document::ImportedSpan;
use crate::import::limits::MAX_DOCUMENT_BYTES;
use crate::problem::Problem;
use crate::problem::quoted::shorten;

/// The offsets of a span that lies within its text, which has `length` scalars.
pub(crate) fn placed(start: u64, end: u64, length: usize) -> Result<(usize, usize), Problem> {
    if end < start {
        return Err(Problem::SpanEndsBeforeStart { start, end });
    }
    if end == start {
        return Err(Problem::EmptySpan { at: start });
    }
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(start), Ok(end)) if end <= length => Ok((start, end)),
        _ => Err(Problem::SpanPastEnd { end, length }),
    }
}

/// Checks that the text has the quote at the span's place.
pub(crate) fn quoted(
    index: &TextIndex<'_>,
    start: usize,
    end: usize,
    quote: &str,
) -> Result<(), Problem> {
    let found = index.slice(start, end).unwrap_or_default();
    if found == quote {
        return Ok(());
    }
    Err(Problem::QuoteDiffers { quote: shorten(quote), found: shorten(found) })
}

/// The most bytes that the spans of a document may take: a quarter of a million with short labels.
const MAX_SPANS_BYTES: usize = 2 * MAX_DOCUMENT_BYTES;

/// What the spans of a document take so far.
#[derive(Debug, Default)]
pub(crate) struct SpanBudget(usize);

impl SpanBudget {
    /// Counts one more span with this label.
    pub(crate) fn count_span(&mut self, label: &str) -> Result<(), Problem> {
        self.0 += label.len() + size_of::<ImportedSpan>();
        if self.0 > MAX_SPANS_BYTES { Err(Problem::TooManySpans) } else { Ok(()) }
    }
}

/// Leaves out spans that are there before, and says how many those are.
pub(crate) fn once(spans: &mut Vec<ImportedSpan>) -> usize {
    let mut seen = HashSet::new();
    let is_new: Vec<bool> =
        spans.iter().map(|span| seen.insert((span.start, span.end, span.label.as_str()))).collect();
    let before = spans.len();
    let mut is_new = is_new.into_iter();
    spans.retain(|_| is_new.next().unwrap_or(true));
    before - spans.len()
}
