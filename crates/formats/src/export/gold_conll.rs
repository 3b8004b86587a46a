//! The gold standard as CoNLL-2003 with IOB2 tags, and an account of what that cannot hold.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::{self, Write};

use super::error::ExportError;
use super::gold::{GoldDocument, GoldSpan};
use super::tokens::{Token, tokens};

/// A span that the file does not hold as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The id of the document.
    pub document_id: i64,
    /// The name of the document.
    pub document: String,
    /// The span as it is in the gold standard.
    pub span: GoldSpan,
    /// Why the file does not hold it.
    pub reason: LossReason,
}

/// Why a span was left out of a file or written with another label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LossReason {
    /// Left out: it holds nothing or goes past the end of the text.
    OutsideText,
    /// Left out: it starts or ends within a token or on whitespace.
    NotOnTokenBoundary,
    /// Left out: it shares text with this span, which is longer or, at equal length, earlier or
    /// first by label.
    Overlaps(GoldSpan),
    /// Written, but under this label, because a tag cannot hold whitespace.
    LabelRewritten(String),
}

impl LossReason {
    /// Whether the span is missing from the file, rather than written in another way.
    pub const fn left_out(&self) -> bool {
        !matches!(self, Self::LabelRewritten(_))
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GoldSpan { start, end, label, .. } = &self.span;
        write!(out, "{}: {label} at {start}–{end} {}", self.document, self.reason)
    }
}

impl fmt::Display for LossReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutsideText => out.write_str("was left out: it does not lie within the text"),
            Self::NotOnTokenBoundary => {
                out.write_str("was left out: it starts or ends within a token or on whitespace")
            }
            Self::Overlaps(GoldSpan { start, end, label, .. }) => {
                write!(out, "was left out: it overlaps {label} at {start}–{end}, which was kept")
            }
            Self::LabelRewritten(label) => write!(out, "was written as {label}"),
        }
    }
}

/// Writes one document and returns what it could not hold, in the order of the text.
///
/// ```text
/// -DOCSTART- -X- -X- O
///
/// EU _ _ B-ORG
/// rejects _ _ O
/// ```
///
/// Each document starts with `-DOCSTART-`; then come four columns parted by spaces: the token,
/// `_` and `_` in place of part of speech and chunk, and the IOB2 tag. Tokens are cut at
/// whitespace, then at Unicode word boundaries. A blank line stands where a line of the text
/// ends, unless a span goes on across it.
///
/// Tags hold neither overlapping spans nor parts of tokens. Of spans that overlap the longest is
/// kept. Whitespace in a label becomes `_`. Every such change is in the returned list, so that
/// nothing is lost silently; JSON Lines ([`crate::write_gold_json_line`]) holds everything.
pub fn write_gold_conll<W: Write>(
    out: &mut W,
    document: &GoldDocument,
) -> Result<Vec<Loss>, ExportError> {
    let tokens = tokens(&document.text);
    let (kept, losses) = choose_spans(document, &tokens);
    write_document(out, &tokens, &kept)?;
    Ok(losses)
}

/// The spans that tags can hold, by their start, and an account of the others.
fn choose_spans<'document>(
    document: &'document GoldDocument,
    tokens: &[Token<'_>],
) -> (BTreeMap<usize, &'document GoldSpan>, Vec<Loss>) {
    let starts: HashSet<usize> = tokens.iter().map(|token| token.start).collect();
    let ends: HashSet<usize> = tokens.iter().map(|token| token.end).collect();
    let length = document.text.chars().count();

    let mut candidates: Vec<&GoldSpan> = document.spans.iter().collect();
    candidates.sort_by_key(|span| {
        (Reverse(span.end.saturating_sub(span.start)), span.start, span.label.as_str())
    });
    let mut kept: BTreeMap<usize, &GoldSpan> = BTreeMap::new();
    let mut losses = Vec::new();
    for span in candidates {
        // Kept spans are disjoint: if any overlaps, the last that starts before the end does.
        let before = kept.range(..span.end).next_back().map(|(_, other)| *other);
        let reason = if span.start >= span.end || span.end > length {
            Some(LossReason::OutsideText)
        } else if !starts.contains(&span.start) || !ends.contains(&span.end) {
            Some(LossReason::NotOnTokenBoundary)
        } else if let Some(other) = before.filter(|other| other.end > span.start) {
            Some(LossReason::Overlaps(other.clone()))
        } else {
            kept.insert(span.start, span);
            let written = tag_label(&span.label);
            (written != span.label).then_some(LossReason::LabelRewritten(written))
        };
        losses.extend(reason.map(|reason| Loss {
            document_id: document.id,
            document: document.name.clone(),
            span: span.clone(),
            reason,
        }));
    }
    losses.sort_by_key(|loss| (loss.span.start, loss.span.end));
    (kept, losses)
}

/// The label as one column can hold it.
fn tag_label(label: &str) -> String {
    if label.is_empty() { "_".to_owned() } else { label.replace(char::is_whitespace, "_") }
}

fn write_document<W: Write>(
    out: &mut W,
    tokens: &[Token<'_>],
    kept: &BTreeMap<usize, &GoldSpan>,
) -> io::Result<()> {
    writeln!(out, "-DOCSTART- -X- -X- O\n")?;
    for token in tokens {
        let span = kept.range(..=token.start).next_back().map(|(_, span)| *span);
        let span = span.filter(|span| token.start < span.end);
        let (prefix, label) = match span {
            Some(span) if span.start == token.start => ("B-", tag_label(&span.label)),
            Some(span) => ("I-", tag_label(&span.label)),
            None => ("O", String::new()),
        };
        if token.starts_line && prefix != "I-" {
            writeln!(out)?;
        }
        writeln!(out, "{} _ _ {prefix}{label}", token.text)?;
    }
    if tokens.is_empty() { Ok(()) } else { writeln!(out) }
}
