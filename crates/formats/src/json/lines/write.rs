//! A document with what each rater marked, as a line of JSON.

use std::io::Write;

use serde::Serialize;

use crate::TextIndex;
use crate::export::annotated::{AnnotatedDocument, AnnotatedSpan};
use crate::export::error::ExportError;
use crate::export::held::held;
use crate::export::json_line::write_json_line;
use crate::export::loss::{Loss, Losses};

#[derive(Serialize)]
struct Line<'document> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'document str>,
    name: &'document str,
    text: &'document str,
    spans: Vec<&'document AnnotatedSpan>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    work: Vec<Work<'document>>,
}

#[derive(Serialize)]
struct Work<'document> {
    rater: &'document str,
    spans: Vec<&'document AnnotatedSpan>,
}

/// Writes one document as a line of JSON and returns what it could not hold: only spans that do
/// not lie within the text.
///
/// ```json
/// {"id":"7","name":"a","text":"EU rejects","spans":[],"work":[{"rater":"ana","spans":[{"start":0,"end":2,"label":"ORG"}]}]}
/// ```
///
/// [`crate::ImportFormat::JsonLines`] reads it again as it was, and says what each field is.
pub fn write_document_json_line<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
) -> Result<Vec<Loss>, ExportError> {
    let index = TextIndex::new(&document.text);
    let mut losses = Losses::new(&document.name);
    losses.of_all_answers(document);
    let spans = held(&document.spans, &index, None, &mut losses);
    let mut work = Vec::new();
    for one in &document.work {
        let spans = held(&one.spans, &index, Some(&one.rater), &mut losses);
        work.push(Work { rater: &one.rater, spans });
    }
    let (id, name, text) = (document.id.as_deref(), &*document.name, &*document.text);
    write_json_line(out, &Line { id, name, text, spans, work })?;
    Ok(losses.into_sorted())
}
