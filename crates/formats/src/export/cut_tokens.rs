//! Tokens for formats whose spans are made of tokens: cut where spans start and end.

use std::collections::BTreeSet;

use crate::TextIndex;
use crate::export::annotated::AnnotatedSpan;
use crate::export::tokens::{Token, tokens};

/// The tokens of a text, cut further so that every span that starts and ends at something visible
/// is made of whole tokens.
pub(crate) fn cut_tokens<'text, 'spans>(
    text: &'text str,
    index: &TextIndex<'text>,
    spans: impl Iterator<Item = &'spans AnnotatedSpan>,
) -> Vec<Token<'text>> {
    let cuts: BTreeSet<usize> = spans.flat_map(|span| [span.start, span.end]).collect();
    let mut pieces = Vec::new();
    for token in tokens(text) {
        let mut start = token.start;
        let inner = cuts.range(token.start + 1..).copied().take_while(|cut| *cut < token.end);
        for end in inner.chain([token.end]) {
            let text = index.slice(start, end).unwrap_or_default();
            let starts_line = token.starts_line && start == token.start;
            pieces.push(Token { text, start, end, starts_line });
            start = end;
        }
    }
    pieces
}

/// The first and the last token of a span, if it is made of whole ones.
pub(crate) fn tokens_of(tokens: &[Token<'_>], span: &AnnotatedSpan) -> Option<(usize, usize)> {
    let first = tokens.binary_search_by_key(&span.start, |token| token.start).ok()?;
    let last = tokens.binary_search_by_key(&span.end, |token| token.end).ok()?;
    Some((first, last))
}
