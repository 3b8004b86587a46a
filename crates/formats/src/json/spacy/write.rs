//! An example for spaCy: a text, its tokens and its entities.

use serde::Serialize;

use crate::TextIndex;
use crate::export::annotated::{AnnotatedDocument, AnnotatedSpan};
use crate::export::cut_tokens::{cut_tokens, tokens_of};
use crate::export::held::held;
use crate::export::loss::{LossReason, Losses};

type Listed<'document> = (usize, usize, &'document str);

#[derive(Serialize)]
pub(crate) struct Example<'document>(&'document str, Annotations<'document>);

#[derive(Serialize)]
struct Annotations<'document> {
    #[serde(flatten)]
    words: Words<'document>,
    entities: Vec<Listed<'document>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spans: Option<Groups<'document>>,
}

/// The group in which spaCy's span categoriser looks unless it is told otherwise.
#[derive(Serialize)]
struct Groups<'document> {
    sc: Vec<Listed<'document>>,
}

/// The tokens of the example, in which spaCy looks for the ends of spans: it passes over entities that end within
/// a token of its own, and raises an error for such spans.
#[derive(Default, Serialize)]
struct Words<'document> {
    words: Vec<&'document str>,
    /// Whether a space follows each word. Other whitespace is a word.
    spaces: Vec<bool>,
}

impl<'document> Words<'document> {
    fn push(&mut self, word: &'document str) {
        self.words.push(word);
        self.spaces.push(false);
    }

    fn push_whitespace(&mut self, gap: &'document str) {
        let rest = match (self.spaces.last_mut(), gap.strip_prefix(' ')) {
            (Some(space), Some(rest)) => {
                *space = true;
                rest
            }
            _ => gap,
        };
        if !rest.is_empty() {
            self.push(rest);
        }
    }
}

pub(crate) fn example<'document>(
    document: &'document AnnotatedDocument,
    losses: &mut Losses<'_>,
) -> Example<'document> {
    losses.of_id(document);
    losses.of_document(LossReason::NameLeftOut);
    losses.of_raters(document);
    losses.of_answers(None, document.answers.len());
    let index = TextIndex::new(&document.text);
    let mut spans = held(&document.spans, &index, None, losses);
    let tokens = cut_tokens(&document.text, &index, spans.iter().copied());
    spans.retain(|span| {
        let is_of_tokens = tokens_of(&tokens, span).is_some();
        if !is_of_tokens {
            losses.of_span(span, LossReason::NotOnTokenBoundary);
        }
        is_of_tokens
    });
    let (mut words, mut end) = (Words::default(), 0);
    for token in &tokens {
        words.push_whitespace(index.slice(end, token.start).unwrap_or_default());
        words.push(token.text);
        end = token.end;
    }
    words.push_whitespace(index.slice(end, index.scalar_count()).unwrap_or_default());
    let sc: Vec<Listed<'_>> = spans.iter().map(|span| listed(span)).collect();
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut entities: Vec<Listed<'_>> = Vec::new();
    for span in spans {
        if entities.last().is_none_or(|(_, end, _)| *end <= span.start) {
            entities.push(listed(span));
        }
    }
    let groups = (entities.len() < sc.len()).then_some(Groups { sc });
    Example(&document.text, Annotations { words, entities, spans: groups })
}

fn listed(span: &AnnotatedSpan) -> Listed<'_> {
    (span.start, span.end, &span.label)
}
