//! Spans under the labels that a format can hold.

use std::collections::HashSet;

use crate::export::annotated::AnnotatedSpan;
use crate::export::loss::{LossReason, Losses};

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
