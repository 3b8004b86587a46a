//! Spans of one document, measured against its text as they come, whatever they are counted in.

use std::collections::HashSet;

use crate::TextIndex;
use crate::import::document::ImportedSpan;
use crate::import::findings::Findings;
use crate::import::findings::repair::Repair;
use crate::import::limits::{MAX_DOCUMENT_BYTES, MAX_RECORD_BYTES};
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;
use crate::problem::quoted::shorten;

/// What the offsets of a file count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Unicode scalar values, as Python counts.
    Scalars,
    /// UTF-16 units, as Java and JavaScript count.
    Utf16,
}

/// A part of a span that can be wrong.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SpanPart {
    End,
    Label,
    Quote,
}

/// A span as a file gives it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GivenSpan<'file> {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) label: &'file str,
    /// The text that the span holds according to the file.
    pub(crate) quote: Option<&'file str>,
}

/// The offsets of a span that lies within its text, which has `length` scalars.
pub(crate) fn placed(start: u64, end: u64, length: usize) -> Result<(usize, usize), Problem> {
    if end < start {
        return Err(Problem::SpanEndsBeforeStart { start, end });
    }
    if end == start {
        return Err(Problem::EmptySpan(start));
    }
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(start), Ok(end)) if end <= length => Ok((start, end)),
        _ => Err(Problem::SpanPastEnd { end, length }),
    }
}

/// The span in Unicode scalar values, if it lies within the text and holds something.
pub(crate) fn measure(
    index: &TextIndex<'_>,
    unit: Unit,
    start: u64,
    end: u64,
) -> Result<(usize, usize), Problem> {
    if unit == Unit::Scalars {
        return placed(start, end, index.scalar_count());
    }
    let length = index.utf16_count();
    let units = placed(start, end, length).map_err(|problem| match problem {
        Problem::SpanPastEnd { .. } => ExchangeProblem::SpanPastEndUtf16 { end, length }.into(),
        other => other,
    });
    let scalar_of =
        |offset| index.scalar_of_utf16(offset).ok_or(ExchangeProblem::WithinCharacter(offset));
    let (start, end) = units?;
    Ok((scalar_of(start)?, scalar_of(end)?))
}

/// Whether the text of a span is what the file says it is. Line ends compare equal, because tools
/// that run in a browser turn CRLF into LF in what they quote.
pub(crate) fn quotes(index: &TextIndex<'_>, start: usize, end: usize, quote: &str) -> bool {
    let held = index.slice(start, end).unwrap_or_default();
    held == quote || with_line_feeds(held).eq(with_line_feeds(quote))
}

/// The characters with a line feed for each end of a line. No copy is made, because a file may
/// quote a long text often.
fn with_line_feeds(text: &str) -> impl Iterator<Item = char> {
    let mut before = None;
    text.chars().filter_map(move |scalar| match (before.replace(scalar), scalar) {
        (Some('\r'), '\n') => None,
        (_, '\r') => Some('\n'),
        (_, other) => Some(other),
    })
}

/// Whether the text of a span is what the file says it is but for white space at both ends.
pub(crate) fn quotes_inside(index: &TextIndex<'_>, start: usize, end: usize, quote: &str) -> bool {
    let held = index.slice(start, end).unwrap_or_default().trim();
    with_line_feeds(held).eq(with_line_feeds(quote.trim()))
}

/// Whether a quote is what was dragged over where the span was widened to words, or what a span was
/// before somebody made it longer at one side. A span that is moved never holds all of its quote.
pub(crate) fn is_part(held: &str, quote: &str) -> bool {
    const SHORTEST: usize = 2;
    let quote = quote.trim();
    if quote.chars().count() < SHORTEST {
        return false;
    }
    let Some((before, after)) = held.split_once(quote) else { return false };
    let is_of_word = |part: &str| !part.contains(char::is_whitespace);
    before.is_empty() || after.is_empty() || (is_of_word(before) && is_of_word(after))
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

/// The spans of one rater in one document.
#[derive(Debug, Default)]
pub(crate) struct SpanSet {
    found: Vec<ImportedSpan>,
    seen: HashSet<(usize, usize, String)>,
    repeated: usize,
    /// How many quotes have other white space at their edges.
    edges: usize,
    /// How many quotes hold only a part of their span.
    shorter: usize,
    /// The length of all labels: many spans may share a long one.
    label_bytes: usize,
}

impl SpanSet {
    /// Measures a span and keeps it, or says what is wrong with which part of it.
    pub(crate) fn add(
        &mut self,
        index: &TextIndex<'_>,
        unit: Unit,
        given: GivenSpan<'_>,
        line: usize,
    ) -> Result<(usize, usize), (SpanPart, Problem)> {
        let measured = measure(index, unit, given.start, given.end);
        let (start, end) = measured.map_err(|problem| (SpanPart::End, problem))?;
        if let Some(quote) = given.quote
            && !quotes(index, start, end, quote)
        {
            if quotes_inside(index, start, end, quote) {
                self.edges += 1;
                return self.named(given.label, line, (start, end));
            }
            let held = index.slice(start, end).unwrap_or_default();
            if is_part(held, quote) {
                self.shorter += 1;
                return self.named(given.label, line, (start, end));
            }
            let problem = Problem::QuoteDiffers { quote: shorten(quote), found: shorten(held) };
            return Err((SpanPart::Quote, problem));
        }
        self.named(given.label, line, (start, end))
    }

    /// Keeps a span whose label is one.
    fn named(
        &mut self,
        label: &str,
        line: usize,
        (start, end): (usize, usize),
    ) -> Result<(usize, usize), (SpanPart, Problem)> {
        if label.contains('\0') {
            return Err((SpanPart::Label, Problem::ContainsNul));
        }
        if label.trim().is_empty() {
            return Err((SpanPart::Label, Problem::Blank));
        }
        self.keep(start, end, label, line);
        Ok((start, end))
    }

    /// Keeps a span that was measured.
    pub(crate) fn keep(&mut self, start: usize, end: usize, label: &str, line: usize) {
        self.label_bytes += label.len();
        if self.label_bytes > MAX_RECORD_BYTES {
            return;
        }
        if self.seen.insert((start, end, label.to_owned())) {
            self.found.push(ImportedSpan { start, end, label: label.to_owned(), line });
        } else {
            self.repeated += 1;
        }
    }

    /// How many spans have come again since this was asked last.
    pub(crate) fn take_repeated(&mut self) -> usize {
        std::mem::take(&mut self.repeated)
    }

    /// The spans in the order in which they came, each once.
    pub(crate) fn finish(self, findings: &mut Findings) -> Vec<ImportedSpan> {
        findings.repeated(self.repeated);
        findings.repair(Repair::QuoteEdges, self.edges);
        findings.repair(Repair::ShorterQuote, self.shorter);
        if self.label_bytes > MAX_RECORD_BYTES {
            let problem = ExchangeProblem::TooMany("bytes of labels", MAX_RECORD_BYTES);
            findings.refuse::<()>(None, problem);
        }
        self.found
    }
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

#[cfg(test)]
mod tests {
    use super::quotes;
    use crate::TextIndex;

    #[test]
    fn quotes_may_have_other_ends_of_lines_and_nothing_else() {
        let text = "a\r\n\rb\n\nc";
        let is_quote = |quote| quotes(&TextIndex::new(text), 0, text.chars().count(), quote);
        for quote in [text, "a\n\nb\n\nc", "a\r\rb\r\n\nc", "a\r\n\r\nb\r\rc"] {
            assert!(is_quote(quote), "{quote:?}");
        }
        for quote in ["a\nb\n\nc", "a\n\nb\n\n", "a\n\nb\n\ncd", "a\n\nb\r\nc", ""] {
            assert!(!is_quote(quote), "{quote:?}");
        }
    }
}
