//! Spans of one document, measured against its text as they come, whatever they are counted in.

use std::collections::HashSet;

use crate::TextIndex;
use crate::import::document::ImportedSpan;
use crate::import::findings::Findings;
use crate::import::limits::MAX_RECORD_BYTES;
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

/// The span in Unicode scalar values, if it lies within the text and holds something.
pub(crate) fn measure(
    index: &TextIndex<'_>,
    unit: Unit,
    start: u64,
    end: u64,
) -> Result<(usize, usize), Problem> {
    if end < start {
        return Err(Problem::SpanEndsBeforeStart { start, end });
    }
    if end == start {
        return Err(Problem::EmptySpan { at: start });
    }
    let scalar_of = |offset: u64| {
        let offset_in = usize::try_from(offset).ok();
        match unit {
            Unit::Scalars => offset_in
                .filter(|offset| *offset <= index.scalar_count())
                .ok_or(Problem::SpanPastEnd { end, length: index.scalar_count() }),
            Unit::Utf16 => {
                let length = index.utf16_count();
                let within = offset_in.filter(|offset| *offset <= length);
                let within = within
                    .ok_or(Problem::Exchange(ExchangeProblem::SpanPastEndUtf16 { end, length }))?;
                index
                    .scalar_of_utf16(within)
                    .ok_or(Problem::Exchange(ExchangeProblem::WithinCharacter { offset }))
            }
        }
    };
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

/// The spans of one rater in one document.
#[derive(Debug, Default)]
pub(crate) struct SpanSet {
    found: Vec<ImportedSpan>,
    seen: HashSet<(usize, usize, String)>,
    repeated: usize,
    /// The length of all labels: many spans may share a long one.
    label_bytes: usize,
}

impl SpanSet {
    /// A set that has some spans already, each once.
    pub(crate) fn with(found: Vec<ImportedSpan>) -> Self {
        let seen = found.iter().map(|span| (span.start, span.end, span.label.clone())).collect();
        Self { found, seen, repeated: 0, label_bytes: 0 }
    }

    /// The spans, where it is no news that some came twice.
    pub(crate) fn into_spans(self) -> Vec<ImportedSpan> {
        self.found
    }

    /// Measures a span and keeps it, or says what is wrong with it; `field` names its parts.
    pub(crate) fn add(
        &mut self,
        index: &TextIndex<'_>,
        unit: Unit,
        given: GivenSpan<'_>,
        line: usize,
        field: impl Fn(SpanPart) -> String,
        findings: &mut Findings,
    ) -> Option<()> {
        let (start, end) = match measure(index, unit, given.start, given.end) {
            Ok(measured) => measured,
            Err(problem) => return findings.refuse(Some(&field(SpanPart::End)), problem),
        };
        if let Some(quote) = given.quote
            && !quotes(index, start, end, quote)
        {
            let held = index.slice(start, end).unwrap_or_default();
            let problem = Problem::QuoteDiffers { quote: shorten(quote), found: shorten(held) };
            return findings.refuse(Some(&field(SpanPart::Quote)), problem);
        }
        if given.label.contains('\0') {
            return findings.refuse(Some(&field(SpanPart::Label)), Problem::ContainsNul);
        }
        if given.label.trim().is_empty() {
            return findings.refuse(Some(&field(SpanPart::Label)), Problem::Blank);
        }
        self.keep(start, end, given.label, line);
        Some(())
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

    /// The spans in the order in which they came, each once.
    pub(crate) fn finish(self, findings: &mut Findings) -> Vec<ImportedSpan> {
        findings.repeated(self.repeated);
        if self.label_bytes > MAX_RECORD_BYTES {
            let problem = Problem::Exchange(ExchangeProblem::TooMany {
                what: "bytes of labels",
                most: MAX_RECORD_BYTES,
            });
            findings.refuse::<()>(None, problem);
        }
        self.found
    }
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
