//! Spans as WebAnno TSV has them: values on tokens and on parts of tokens, joined by ids.

use std::collections::BTreeMap;

use crate::export::annotated::AnnotatedSpan;
use crate::export::held::{Written, relabelled};
use crate::export::loss::{LossReason, Losses};
use crate::export::tokens::Token;

/// A value on a token or a part of one.
#[derive(Debug)]
pub(super) struct Value<'document> {
    pub(super) span: &'document AnnotatedSpan,
    pub(super) label: String,
    /// The number that joins the values of one span, or tells values of one unit apart.
    pub(super) id: Option<usize>,
}

/// The values of a token, and of its parts by where they are, in scalars.
#[derive(Debug, Default)]
pub(super) struct TokenUnits<'document> {
    pub(super) whole: Vec<Value<'document>>,
    pub(super) parts: BTreeMap<(usize, usize), Vec<Value<'document>>>,
}

/// What the format can hold as a value: a carriage return ends a line for its own reader, and has no
/// escape.
pub(super) fn as_value(words: &str) -> String {
    words.replace('\r', "_")
}

/// The units of each token, for the spans that begin and end in tokens; others are noted.
pub(super) fn units<'document>(
    spans: &'document [AnnotatedSpan],
    length: usize,
    tokens: &[Token<'_>],
    losses: &mut Losses<'_>,
) -> Vec<TokenUnits<'document>> {
    let mut units: Vec<TokenUnits<'_>> = Vec::new();
    units.resize_with(tokens.len(), TokenUnits::default);
    let token_at = |offset: usize| {
        let place = tokens.partition_point(|token| token.end <= offset);
        tokens.get(place).filter(|token| token.start <= offset).map(|_| place)
    };
    let misfit = |span: &AnnotatedSpan| {
        if span.start >= span.end || span.end > length {
            Some(LossReason::OutsideText)
        } else if token_at(span.start).is_none() || token_at(span.end - 1).is_none() {
            Some(LossReason::NotOnTokenBoundary)
        } else {
            None
        }
    };
    let mut joined = 0;
    for Written { span, label } in relabelled(spans, misfit, as_value, losses) {
        let ends = token_at(span.start).zip(token_at(span.end - 1));
        let Some((first, last)) = ends else { continue };
        let id = (first < last).then(|| {
            joined += 1;
            joined
        });
        let covered = tokens.iter().zip(&mut units).skip(first).take(last - first + 1);
        for (token, units) in covered {
            let (start, end) = (span.start.max(token.start), span.end.min(token.end));
            let values = if (start, end) == (token.start, token.end) {
                &mut units.whole
            } else {
                units.parts.entry((start, end)).or_default()
            };
            values.push(Value { span, label: label.clone(), id });
        }
    }
    // Of several values on one unit each needs a number, too.
    for units in &mut units {
        let stacks = std::iter::once(&mut units.whole).chain(units.parts.values_mut());
        for value in stacks.filter(|values| values.len() > 1).flatten() {
            value.id.get_or_insert_with(|| {
                joined += 1;
                joined
            });
        }
    }
    units
}
