//! Which spans of a document a format without tokens can hold.

use std::collections::BTreeSet;

use crate::TextIndex;
use crate::export::annotated::AnnotatedSpan;
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

/// An id as JSON: digits that a number gives back are one, which tools with numbered ids expect.
pub(crate) fn id_value(id: &str) -> serde_json::Value {
    match id.parse::<u64>() {
        Ok(number) if number.to_string() == id => number.into(),
        _ => id.into(),
    }
}
