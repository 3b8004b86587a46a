//! UIMA CAS as JSON, version 0.4.

use std::io::Write;

use serde_json::{Map, Value, json};

use crate::TextIndex;
use crate::cas::features::AnswerFeatures;
use crate::cas::types::{
    ENTITY, FIRST_ID, Feature, META_DATA, META_ID, SOFA_ID, STRING_ARRAY, described,
};
use crate::export::annotated::{AnnotatedDocument, AnswerWords, AnswersBySpan};
use crate::export::error::ExportError;
use crate::export::held::held;
use crate::export::json_line::write_json_line;
use crate::export::loss::{Loss, Losses};

/// Writes one document as a UIMA CAS in JSON with its types and returns what it could not hold: the
/// id, and what named raters marked, because tools of UIMA have a file for each.
///
/// Spans are named entities of DKPro Core with the label as `value`. Offsets are UTF-16 units. Answers
/// are held as those of [`crate::write_cas_xmi`] are.
pub fn write_cas_json<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
    features: &mut AnswerFeatures,
) -> Result<Vec<Loss>, ExportError> {
    let index = TextIndex::new(&document.text);
    let mut losses = Losses::new(&document.name);
    losses.of_id(document);
    losses.of_raters(document);
    let answers = AnswersBySpan::new(&document.answers);
    features.add(answers.of_spans(), &mut losses);
    losses.of_answers(None, answers.of_document.len());
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
    let mut next = FIRST_ID;
    let mut new_id = || {
        next += 1;
        next - 1
    };
    for span in spans {
        let (id, mut lists) = (new_id(), Vec::new());
        let mut entity = Map::new();
        entity.insert("%ID".to_owned(), id.into());
        entity.insert("%TYPE".to_owned(), ENTITY.into());
        entity.insert("@sofa".to_owned(), SOFA_ID.into());
        entity.insert("begin".to_owned(), index.utf16(span.start).into());
        entity.insert("end".to_owned(), index.utf16(span.end).into());
        entity.insert("value".to_owned(), span.label.clone().into());
        for answer in answers.of(span) {
            let Some(feature) = features.of(answer) else { continue };
            match &answer.answer {
                AnswerWords::One(words) | AnswerWords::Number(words) => {
                    entity.insert(feature.to_owned(), words.clone().into());
                }
                AnswerWords::Several(choices) => {
                    let list = new_id();
                    lists.push(json!({ "%ID": list, "%TYPE": STRING_ARRAY, "%ELEMENTS": choices }));
                    entity.insert(format!("@{feature}"), list.into());
                }
            }
        }
        structures.push(entity.into());
        structures.append(&mut lists);
        members.push(id);
    }
    let view = json!({ "%SOFA": SOFA_ID, "%MEMBERS": members });
    let cas = json!({
        "%TYPES": types(features),
        "%FEATURE_STRUCTURES": structures,
        "%VIEWS": { "_InitialView": view },
    });
    write_json_line(out, &cas)?;
    Ok(losses.into_sorted())
}

fn types(features: &AnswerFeatures) -> Map<String, Value> {
    let mut types = Map::new();
    for (name, super_type, features) in described(features) {
        let mut described = Map::new();
        described.insert("%NAME".to_owned(), name.into());
        described.insert("%SUPER_TYPE".to_owned(), super_type.into());
        for Feature { name, range } in features {
            let described_feature = if range == STRING_ARRAY {
                json!({
                    "%NAME": name,
                    "%RANGE": "uima.cas.String[]",
                    "%MULTIPLE_REFERENCES_ALLOWED": false,
                })
            } else {
                json!({ "%NAME": name, "%RANGE": range })
            };
            described.insert(name.to_owned(), described_feature);
        }
        types.insert(name.to_owned(), described.into());
    }
    types
}
