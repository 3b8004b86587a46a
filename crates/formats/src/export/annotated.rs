//! A document with what each rater marked in it: what every format of other tools is written from.

use serde::Serialize;

/// One document to write. Reading what was written gives it again, but for what the format cannot
/// hold, which its writer lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedDocument {
    /// The id of the document; a format without ids leaves it out.
    pub id: Option<String>,
    /// The name of the document.
    pub name: String,
    /// The text as it was imported.
    pub text: String,
    /// Spans of no named rater: a gold standard, or one rater's in a format that names nobody.
    pub spans: Vec<AnnotatedSpan>,
    /// What each rater marked, also those who judged the document and marked nothing.
    pub work: Vec<AnnotatedWork>,
}

/// What one rater marked in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedWork {
    /// The rater's name.
    pub rater: String,
    /// The rater's spans.
    pub spans: Vec<AnnotatedSpan>,
}

/// One labelled span.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AnnotatedSpan {
    /// Where the span starts, in Unicode scalar values.
    pub start: usize,
    /// Where the span ends, exclusive, in Unicode scalar values; greater than `start`.
    pub end: usize,
    /// The label.
    pub label: String,
}

impl AnnotatedDocument {
    /// The document with the work of one rater alone as spans of nobody, as formats have it that
    /// name no raters and are written in a file for each; none if the rater has no work in it.
    pub fn of_rater(&self, rater: &str) -> Option<Self> {
        let work = self.work.iter().find(|work| work.rater == rater)?;
        Some(Self { spans: work.spans.clone(), work: Vec::new(), ..self.clone() })
    }
}
