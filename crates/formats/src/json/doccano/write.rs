//! doccano's JSONL, as it exports and imports sequence labelling.

use std::io::Write;

use serde::Serialize;
use serde_json::Value;

use crate::TextIndex;
use crate::export::annotated::AnnotatedDocument;
use crate::export::error::ExportError;
use crate::export::held::{held, id_value};
use crate::export::json_line::write_json_line;
use crate::export::loss::{Loss, Losses};

#[derive(Serialize)]
struct Line<'document> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    name: &'document str,
    /// Before the text, which may be so long that what tells the format would come too late.
    label: Vec<(usize, usize, &'document str)>,
    text: &'document str,
}

/// Writes one document as a line of doccano's JSONL and returns what it could not hold: what named
/// raters marked, because doccano has a file for each rater.
///
/// ```json
/// {"id":7,"name":"a","label":[[0,2,"ORG"]],"text":"EU rejects"}
/// ```
///
/// Offsets are UTF-16 units, as doccano's browser counts.
pub fn write_doccano_line<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
) -> Result<Vec<Loss>, ExportError> {
    let index = TextIndex::new(&document.text);
    let mut losses = Losses::new(&document.name);
    losses.of_raters(document);
    losses.of_answers(None, document.answers.len());
    let spans = held(&document.spans, &index, None, &mut losses).into_iter();
    let label = spans
        .filter_map(|span| Some((index.utf16(span.start)?, index.utf16(span.end)?, &*span.label)))
        .collect();
    let id = document.id.as_deref().map(id_value);
    write_json_line(out, &Line { id, name: &document.name, label, text: &document.text })?;
    Ok(losses.into_sorted())
}
