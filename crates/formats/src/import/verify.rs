//! Holding spans against the text they are in.

use super::error::{Problem, shorten};
use crate::TextIndex;

/// The offsets of a span that lies within its text, which has `length` scalars.
pub(super) fn placed(start: u64, end: u64, length: usize) -> Result<(usize, usize), Problem> {
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
pub(super) fn quoted(
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
