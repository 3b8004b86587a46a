//! An example for spaCy: a text and its entities.

use serde::Serialize;

use crate::TextIndex;
use crate::export::annotated::{AnnotatedDocument, AnnotatedSpan};
use crate::export::held::held;
use crate::export::loss::{LossReason, Losses};

type Listed<'document> = (usize, usize, &'document str);

#[derive(Serialize)]
pub(crate) struct Example<'document>(&'document str, Annotations<'document>);

#[derive(Serialize)]
struct Annotations<'document> {
    entities: Vec<Listed<'document>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spans: Option<Groups<'document>>,
}

/// The group in which spaCy's span categoriser looks unless it is told otherwise.
#[derive(Serialize)]
struct Groups<'document> {
    sc: Vec<Listed<'document>>,
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
    let sc: Vec<Listed<'_>> = spans.iter().map(|span| listed(span)).collect();
    spans.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut entities: Vec<Listed<'_>> = Vec::new();
    for span in spans {
        if entities.last().is_none_or(|(_, end, _)| *end <= span.start) {
            entities.push(listed(span));
        }
    }
    let groups = (entities.len() < sc.len()).then_some(Groups { sc });
    Example(&document.text, Annotations { entities, spans: groups })
}

fn listed(span: &AnnotatedSpan) -> Listed<'_> {
    (span.start, span.end, &span.label)
}
