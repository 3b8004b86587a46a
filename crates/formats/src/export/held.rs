//! Which spans of a document a format can hold, and under which labels.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;
use serde_json::Value;

use crate::TextIndex;
use crate::export::annotated::{AnnotatedDocument, AnnotatedSpan};
use crate::export::loss::{LossReason, Losses};

/// The spans that lie within the text, each once; the others are losses.
pub(crate) fn held<'document>(
    spans: &'document [AnnotatedSpan],
    index: &TextIndex<'_>,
    rater: Option<&str>,
    losses: &mut Losses<'_>,
) -> Vec<&'document AnnotatedSpan> {
    let mut seen = BTreeSet::new();
    let mut held = Vec::new();
    for span in spans {
        if span.start >= span.end || span.end > index.scalar_count() {
            losses.add(rater, Some(span.clone()), LossReason::OutsideText);
        } else if seen.insert(span) {
            held.push(span);
        } else {
            losses.add(rater, Some(span.clone()), LossReason::WrittenAlready);
        }
    }
    held
}

/// What a document is called, where a tool keeps that beside it.
#[derive(Serialize)]
pub(crate) struct Meta<'document> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    name: &'document str,
}

impl<'document> Meta<'document> {
    pub(crate) fn of(document: &'document AnnotatedDocument) -> Self {
        Self { id: document.id.as_deref().map(id_value), name: &document.name }
    }
}

/// An id as JSON: digits that a number gives back are one, which tools with numbered ids expect.
pub(crate) fn id_value(id: &str) -> Value {
    match id.parse::<u64>() {
        Ok(number) if number.to_string() == id => number.into(),
        _ => id.into(),
    }
}

/// A span that is written, and the label it is written under.
#[derive(Debug)]
pub(crate) struct Written<'document> {
    pub(crate) span: &'document AnnotatedSpan,
    pub(crate) label: String,
}

/// The spans that fit, under the labels that the format can hold; what does not fit, what is
/// written under another label and what would be there twice is noted.
pub(crate) fn relabelled<'document>(
    spans: &'document [AnnotatedSpan],
    misfit: impl Fn(&AnnotatedSpan) -> Option<LossReason>,
    rewrite: impl Fn(&str) -> String,
    losses: &mut Losses<'_>,
) -> Vec<Written<'document>> {
    let mut written = Vec::new();
    let mut seen = HashSet::new();
    for span in spans {
        let label = rewrite(&span.label);
        if let Some(reason) = misfit(span) {
            losses.of_span(span, reason);
        } else if !seen.insert((span.start, span.end, label.clone())) {
            losses.of_span(span, LossReason::WrittenAlready);
        } else {
            if label != span.label {
                losses.of_span(span, LossReason::LabelRewritten(label.clone()));
            }
            written.push(Written { span, label });
        }
    }
    written
}
