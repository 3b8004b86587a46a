//! UIMA CAS as JSON, version 0.4.

use std::io::Write;

use serde_json::{Map, Value, json};

use crate::TextIndex;
use crate::cas::types::{ENTITY, FIRST_ID, META_DATA, META_ID, SOFA_ID, TYPES};
use crate::export::annotated::AnnotatedDocument;
use crate::export::error::ExportError;
use crate::export::held::held;
use crate::export::json_line::write_json_line;
use crate::export::loss::{Loss, Losses};

/// Writes one document as a UIMA CAS in JSON with its types and returns what it could not hold: the
/// id, and what named raters marked, because tools of UIMA have a file for each.
///
/// Spans are named entities of DKPro Core with the label as `value`. Offsets are UTF-16 units.
pub fn write_cas_json<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
) -> Result<Vec<Loss>, ExportError> {
    let index = TextIndex::new(&document.text);
    let mut losses = Losses::new(&document.name);
    losses.of_id(document);
    losses.of_raters(document);
    let mut structures = vec![
        json!({
            "%ID": SOFA_ID,
            "%TYPE": "uima.cas.Sofa",
            "sofaNum": 1,
            "sofaID": "_InitialView",
            "mimeType": "text",
            "sofaString": document.text,
        }),
        json!({
            "%ID": META_ID,
            "%TYPE": META_DATA,
            "@sofa": SOFA_ID,
            "begin": 0,
            "end": index.utf16_count(),
            "language": "x-unspecified",
            "documentTitle": document.name,
            "documentId": document.name,
        }),
    ];
    let mut members = vec![META_ID];
    let spans = held(&document.spans, &index, None, &mut losses);
    for (id, span) in (FIRST_ID..).zip(spans) {
        structures.push(json!({
            "%ID": id,
            "%TYPE": ENTITY,
            "@sofa": SOFA_ID,
            "begin": index.utf16(span.start),
            "end": index.utf16(span.end),
            "value": span.label,
        }));
        members.push(id);
    }
    let view = json!({ "%SOFA": SOFA_ID, "%MEMBERS": members });
    let cas = json!({
        "%TYPES": types(),
        "%FEATURE_STRUCTURES": structures,
        "%VIEWS": { "_InitialView": view },
    });
    write_json_line(out, &cas)?;
    Ok(losses.into_sorted())
}

fn types() -> Map<String, Value> {
    let mut types = Map::new();
    for (name, super_type, features) in TYPES {
        let mut described = Map::new();
        described.insert("%NAME".to_owned(), name.into());
        described.insert("%SUPER_TYPE".to_owned(), super_type.into());
        for (feature, range) in features {
            let described_feature = json!({ "%NAME": feature, "%RANGE": range });
            described.insert((*feature).to_owned(), described_feature);
        }
        types.insert(name.to_owned(), described.into());
    }
    types
}
