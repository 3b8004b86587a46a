//! Prodigy's JSONL: a line for each rater.

use std::io::Write;

use serde::Serialize;

use crate::TextIndex;
use crate::export::annotated::{AnnotatedDocument, AnnotatedSpan};
use crate::export::cut_tokens::{cut_tokens, tokens_of};
use crate::export::error::ExportError;
use crate::export::held::{Meta, held};
use crate::export::json_line::write_json_line;
use crate::export::loss::{Loss, Losses};
use crate::export::tokens::Token;

#[derive(Serialize)]
struct Line<'document> {
    /// Before the text, which may be so long that what tells the format would come too late.
    answer: &'static str,
    text: &'document str,
    meta: Meta<'document>,
    tokens: &'document [TokenLine<'document>],
    spans: Vec<Span<'document>>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "_annotator_id")]
    annotator: Option<&'document str>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "_session_id")]
    session: Option<&'document str>,
}

#[derive(Serialize)]
struct TokenLine<'document> {
    text: &'document str,
    start: usize,
    end: usize,
    id: usize,
    /// Whether whitespace follows.
    ws: bool,
}

#[derive(Serialize)]
struct Span<'document> {
    start: usize,
    end: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_start: Option<usize>,
    /// Inclusive.
    #[serde(skip_serializing_if = "Option::is_none")]
    token_end: Option<usize>,
    label: &'document str,
}

/// Writes one document as lines of Prodigy's JSONL, one for each rater and one for spans of no
/// rater, and returns what they could not hold: only spans that do not lie within the text.
///
/// Offsets are code points. Prodigy makes the hashes that it tells tasks by when it reads the file.
/// Tokens are cut where spans start and end; a span that starts or ends at whitespace has no
/// `token_start` and `token_end`.
pub fn write_prodigy_lines<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
) -> Result<Vec<Loss>, ExportError> {
    let index = TextIndex::new(&document.text);
    let mut losses = Losses::new(&document.name);
    losses.of_all_answers(document);
    let of_raters = document.work.iter().flat_map(|work| &work.spans);
    let tokens = cut_tokens(&document.text, &index, document.spans.iter().chain(of_raters));
    let lines = token_lines(&tokens, &index);
    let nobody = (!document.spans.is_empty() || document.work.is_empty())
        .then_some((None, document.spans.as_slice()));
    let somebody = document.work.iter().map(|work| (Some(&*work.rater), work.spans.as_slice()));
    for (rater, spans) in nobody.into_iter().chain(somebody) {
        let spans = held(spans, &index, rater, &mut losses).into_iter();
        let line = Line {
            answer: "accept",
            text: &document.text,
            meta: Meta::of(document),
            tokens: &lines,
            spans: spans.map(|span| span_line(&tokens, span)).collect(),
            annotator: rater,
            session: rater,
        };
        write_json_line(out, &line)?;
    }
    Ok(losses.into_sorted())
}

fn token_lines<'text>(tokens: &[Token<'text>], index: &TextIndex<'_>) -> Vec<TokenLine<'text>> {
    let mut lines = Vec::with_capacity(tokens.len());
    for (id, token) in tokens.iter().enumerate() {
        let next = tokens.get(id + 1).map_or(index.scalar_count(), |next| next.start);
        let Token { text, start, end, .. } = *token;
        lines.push(TokenLine { text, start, end, id, ws: next > end });
    }
    lines
}

fn span_line<'document>(tokens: &[Token<'_>], span: &'document AnnotatedSpan) -> Span<'document> {
    let (token_start, token_end) = tokens_of(tokens, span).unzip();
    Span { start: span.start, end: span.end, token_start, token_end, label: &span.label }
}
