//! CoNLL-2003 with IOB2 tags, and an account of what that cannot hold.

use std::io::{self, Write};

use crate::columns::tag_spans::{Place, TagSpans};
use crate::export::annotated::{AnnotatedDocument, AnnotatedSpan};
use crate::export::error::ExportError;
use crate::export::loss::{Loss, LossReason, Losses};
use crate::export::tokens::{Token, tokens};

/// Writes the spans of no named rater as CoNLL-2003, and returns what the file does not hold.
///
/// ```text
/// -DOCSTART- -X- O O
///
/// EU _ _ B-ORG
/// rejects _ _ O
/// ```
///
/// Each document starts with `-DOCSTART-`; then come four columns parted by spaces: the token,
/// `_` and `_` in place of part of speech and chunk, and the IOB2 tag. Tokens are cut at
/// whitespace, then at Unicode word boundaries. A blank line stands where a line of the text
/// ends, unless a span goes on across it. A text without tokens is left out.
///
/// Tags hold neither overlapping spans nor parts of tokens. Of spans that overlap the longest is
/// kept. Whitespace in a label becomes `_`. The file has no ids, names and raters, and of the
/// whitespace only where tokens and lines end. Every such change is in the returned list, those
/// of the document first, so that nothing is lost silently. The work of one rater is written with
/// [`AnnotatedDocument::of_rater`].
pub fn write_conll<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
) -> Result<Vec<Loss>, ExportError> {
    let mut losses = Losses::new(&document.name);
    losses.of_raters(document);
    losses.of_answers(None, document.answers.len());
    losses.of_document(LossReason::NameLeftOut);
    losses.of_id(document);
    let tokens = tokens(&document.text);
    if tokens.is_empty() {
        losses.of_document(LossReason::NothingToWrite);
        return Ok(losses.into_sorted());
    }
    let read_back = write_spans(out, &document.text, &document.spans, &tokens, &mut losses)?;
    if read_back != document.text {
        losses.of_document(LossReason::WhitespaceChanged);
    }
    Ok(losses.into_sorted())
}

/// Writes a document and gives the text that reading it gives.
fn write_spans<W: Write>(
    out: &mut W,
    text: &str,
    spans: &[AnnotatedSpan],
    tokens: &[Token<'_>],
    losses: &mut Losses<'_>,
) -> io::Result<String> {
    let kept = TagSpans::choose(spans, text.chars().count(), tokens, losses);
    for span in kept.iter() {
        let written = tag_label(&span.label);
        if written != span.label {
            losses.of_span(span, LossReason::LabelRewritten(written));
        }
    }
    let mut read_back = String::new();
    writeln!(out, "-DOCSTART- -X- O O\n")?;
    for token in tokens {
        let place = kept.place(token);
        let starts_sentence = token.starts_line && !matches!(place, Place::Further(_));
        if starts_sentence {
            writeln!(out)?;
        }
        if !read_back.is_empty() {
            read_back.push(if starts_sentence { '\n' } else { ' ' });
        }
        read_back.push_str(token.text);
        let (prefix, label) = match place {
            Place::First(span) => ("B-", tag_label(&span.label)),
            Place::Further(span) => ("I-", tag_label(&span.label)),
            Place::Outside => ("O", String::new()),
        };
        writeln!(out, "{} _ _ {prefix}{label}", token.text)?;
    }
    if !tokens.is_empty() {
        writeln!(out)?;
    }
    Ok(read_back)
}

/// The label as one column can hold it.
pub(crate) fn tag_label(label: &str) -> String {
    if label.is_empty() { "_".to_owned() } else { label.replace(char::is_whitespace, "_") }
}
