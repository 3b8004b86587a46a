//! The other side's files, compared with the documents that they were made of.

use std::fs;
use std::path::Path;

use formats::{
    AnnotatedDocument, AnnotatedSpan, ImportFormat, ImportedDocument, ImportedSpan, read,
};

use crate::ExampleResult;
use crate::documents::documents;

/// What a file of the other side holds of a document.
enum Held {
    /// The spans of nobody.
    Spans,
    /// The spans of nobody, in documents where no two of them share text.
    DisjointSpans,
    /// The spans of the raters.
    Work,
}

/// Compares the files in the folder `theirs`.
pub(crate) fn read_all(folder: &Path) -> ExampleResult {
    let folder = folder.join("theirs");
    for number in 0..documents().len() {
        for extension in ["xmi", "json"] {
            compare(&folder, &format!("cas-{number}.{extension}"), &Held::Spans, 1)?;
        }
    }
    compare(&folder, "label_studio_min.json", &Held::Work, documents().len())?;
    compare(&folder, "spacy_docs.json", &Held::Spans, documents().len())?;
    let disjoint = documents().iter().filter(|document| is_disjoint(&document.spans)).count();
    compare(&folder, "spacy_training.json", &Held::DisjointSpans, disjoint)
}

fn compare(folder: &Path, name: &str, held: &Held, expected: usize) -> ExampleResult {
    let bytes = fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
    let format = ImportFormat::detect(name, &bytes).ok_or(format!("{name}: no format is told"))?;
    let mut found: Vec<ImportedDocument> = Vec::new();
    for outcome in read(format, name, &bytes) {
        let document = outcome?;
        match found.iter_mut().find(|other| other.text == document.text) {
            Some(other) => {
                other.merge(document).map_err(|_| format!("{name}: pieces contradict"))?;
            }
            None => found.push(document),
        }
    }
    if found.len() != expected {
        return Err(format!("{name}: {} documents, expected {expected}", found.len()).into());
    }
    let documents = documents();
    for document in &found {
        let ours = documents.iter().find(|ours| ours.text == document.text);
        let ours = ours.ok_or(format!("{name}: the text is changed: {:?}", document.text))?;
        if !agrees(ours, document, held) {
            return Err(format!("{name}: {document:?}\nis not what was written: {ours:?}").into());
        }
    }
    Ok(())
}

fn agrees(ours: &AnnotatedDocument, theirs: &ImportedDocument, held: &Held) -> bool {
    match held {
        Held::Spans => sorted(&theirs.spans) == ours.spans,
        Held::DisjointSpans => is_disjoint(&ours.spans) && sorted(&theirs.spans) == ours.spans,
        Held::Work => {
            theirs.work.len() == ours.work.len()
                && ours.work.iter().all(|work| {
                    let same = theirs.work.iter().find(|other| other.rater == work.rater);
                    same.is_some_and(|other| sorted(&other.spans) == work.spans)
                })
        }
    }
}

fn sorted(spans: &[ImportedSpan]) -> Vec<AnnotatedSpan> {
    let mut spans: Vec<AnnotatedSpan> = spans
        .iter()
        .map(|ImportedSpan { start, end, label, .. }| AnnotatedSpan {
            start: *start,
            end: *end,
            label: label.clone(),
        })
        .collect();
    spans.sort();
    spans
}

fn is_disjoint(spans: &[AnnotatedSpan]) -> bool {
    spans.windows(2).all(|pair| matches!(pair, [left, right] if left.end <= right.start))
}
