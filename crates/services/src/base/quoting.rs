//! A position in its text: the words there and some before and after.

use domain::{Range, saturating};
use formats::TextIndex;

/// Characters of context before and after a quote.
const CONTEXT: u32 = 40;

/// The text of a position.
pub(crate) struct Quote {
    /// The words of the position itself.
    pub(crate) words: String,
    pub(crate) left: String,
    pub(crate) right: String,
}

impl Quote {
    /// The text at a range, with up to 40 characters before and after it.
    pub(crate) fn of(index: &TextIndex<'_>, range: Range) -> Self {
        Self::within(index, range, CONTEXT)
    }

    /// The text at a range, with up to so many characters before and after it.
    pub(crate) fn within(index: &TextIndex<'_>, range: Range, context: u32) -> Self {
        let Range { start, end } = range;
        Self {
            words: slice(index, range),
            left: slice(index, Range::new(start.saturating_sub(context), start)),
            right: slice(index, Range::new(end, end.saturating_add(context))),
        }
    }
}

/// A part of the text, cut off at its end.
pub(crate) fn slice(index: &TextIndex<'_>, range: Range) -> String {
    let bound = |offset: u32| saturating::<usize>(offset).min(index.scalar_count());
    index.slice(bound(range.start), bound(range.end)).unwrap_or_default().to_owned()
}
