//! A task of Label Studio's JSON.

use serde::Serialize;
use serde_json::{Value, json};

use crate::TextIndex;
use crate::export::annotated::{AnnotatedDocument, AnnotatedSpan};
use crate::export::held::{Meta, held, id_value};
use crate::export::loss::Losses;

#[derive(Serialize)]
pub(crate) struct Task<'document> {
    id: usize,
    data: Data<'document>,
    meta: TaskMeta<'document>,
    annotations: Vec<Annotation<'document>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    predictions: Vec<Prediction<'document>>,
}

/// What Label Studio keeps of a task as it came, and that it is from here: others have names, too.
#[derive(Serialize)]
struct TaskMeta<'document> {
    #[serde(flatten)]
    meta: Meta<'document>,
    by: &'static str,
}

/// Who wrote a task of ours.
pub(super) const BY: &str = "concord";

#[derive(Serialize)]
struct Data<'document> {
    text: &'document str,
}

#[derive(Serialize)]
struct Annotation<'document> {
    id: usize,
    completed_by: Value,
    was_cancelled: bool,
    result: Vec<Region<'document>>,
}

#[derive(Serialize)]
struct Prediction<'document> {
    result: Vec<Region<'document>>,
}

#[derive(Serialize)]
struct Region<'document> {
    id: String,
    from_name: &'static str,
    to_name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    value: RegionValue<'document>,
}

#[derive(Serialize)]
struct RegionValue<'document> {
    start: usize,
    end: usize,
    text: &'document str,
    labels: [&'document str; 1],
}

/// The task with this number, counted from 1, which is what Label Studio calls an id.
pub(crate) fn task<'document>(
    document: &'document AnnotatedDocument,
    id: usize,
    losses: &mut Losses<'_>,
) -> Task<'document> {
    let index = TextIndex::new(&document.text);
    let mut annotations = Vec::new();
    for (number, work) in (1..).zip(&document.work) {
        let spans = held(&work.spans, &index, Some(&work.rater), losses);
        // A user is known by number or by e-mail address.
        let completed_by = match id_value(&work.rater) {
            number @ Value::Number(_) => number,
            other => json!({ "email": other }),
        };
        let result = regions(spans, &index);
        annotations.push(Annotation { id: number, completed_by, was_cancelled: false, result });
    }
    let spans = held(&document.spans, &index, None, losses);
    let predictions = if spans.is_empty() {
        Vec::new()
    } else {
        vec![Prediction { result: regions(spans, &index) }]
    };
    Task {
        id,
        data: Data { text: &document.text },
        meta: TaskMeta { meta: Meta::of(document), by: BY },
        annotations,
        predictions,
    }
}

fn regions<'document>(
    spans: Vec<&'document AnnotatedSpan>,
    index: &TextIndex<'document>,
) -> Vec<Region<'document>> {
    let mut regions = Vec::with_capacity(spans.len());
    for (number, AnnotatedSpan { start, end, label }) in spans.into_iter().enumerate() {
        let text = index.slice(*start, *end).unwrap_or_default();
        let value = RegionValue { start: *start, end: *end, text, labels: [label] };
        let id = format!("s{number}");
        regions.push(Region { id, from_name: "label", to_name: "text", kind: "labels", value });
    }
    regions
}
