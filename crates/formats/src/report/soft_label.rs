//! Soft labels as JSON Lines: how people's judgements are distributed, and what each of them said.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;
use serde::ser::Serializer;

use crate::export::error::ExportError;
use crate::export::json_line::write_json_line;

/// A position, and what those said who had its document to do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SoftLabelRow {
    /// What programs call it: the document's id and the range.
    pub item: String,
    /// The id of the document.
    pub document_id: i64,
    /// The name of the document.
    pub document: String,
    /// Where the position starts, in Unicode scalar values.
    pub start: u32,
    /// Where it ends, exclusive, in Unicode scalar values.
    pub end: u32,
    /// The text of the position.
    pub text: String,
    /// How many people judged it.
    pub people: u64,
    /// The share of them that each judgement has, that of most first; none of them is `∅`.
    #[serde(serialize_with = "serialize_map")]
    pub soft_label: Vec<(String, f64)>,
    /// What each of them said, by pseudonym.
    #[serde(serialize_with = "serialize_map")]
    pub judgements: Vec<(String, String)>,
}

/// One of the people, under the same pseudonym.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SoftLabelPerson {
    /// The pseudonym.
    pub person: String,
    /// How many documents with a position they judged.
    pub documents: u64,
    /// How many positions they judged.
    pub positions: u64,
    /// On how many of these nobody else said the same.
    pub alone: u64,
    /// How often they gave each judgement.
    pub judgements: BTreeMap<String, u64>,
}

fn serialize_map<S: Serializer, T: Serialize>(
    pairs: &[(String, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Writes a position as a line of JSON. The fields are those of [`SoftLabelRow`], in its order.
///
/// ```json
/// {"item":"7:0-2","document_id":7,"document":"a","start":0,"end":2,"text":"EU","people":3,
///  "soft_label":{"ORG":0.6666666666666666,"∅":0.3333333333333333},
///  "judgements":{"Labeler 1":"ORG","Labeler 2":"∅","Labeler 3":"ORG"}}
/// ```
///
/// (Broken up here for reading; each position is one line.)
pub fn write_soft_label_json_line<W: Write>(
    out: &mut W,
    row: &SoftLabelRow,
) -> Result<(), ExportError> {
    Ok(write_json_line(out, row)?)
}

/// Writes one of the people as a line of JSON. The fields are those of [`SoftLabelPerson`], in its order.
pub fn write_soft_label_person_json_line<W: Write>(
    out: &mut W,
    person: &SoftLabelPerson,
) -> Result<(), ExportError> {
    Ok(write_json_line(out, person)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_and_the_judgements_are_objects_in_their_order() {
        let row = SoftLabelRow {
            item: "7:0-2".to_owned(),
            document_id: 7,
            document: "a".to_owned(),
            start: 0,
            end: 2,
            text: "EU".to_owned(),
            people: 2,
            soft_label: vec![("ORG".to_owned(), 0.5), ("LOC".to_owned(), 0.5)],
            judgements: vec![
                ("Labeler 1".to_owned(), "ORG".to_owned()),
                ("Labeler 2".to_owned(), "LOC".to_owned()),
            ],
        };
        let mut out = Vec::new();
        write_soft_label_json_line(&mut out, &row).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "{\"item\":\"7:0-2\",\"document_id\":7,\"document\":\"a\",\"start\":0,\"end\":2,\"text\":\"EU\",\
             \"people\":2,\"soft_label\":{\"ORG\":0.5,\"LOC\":0.5},\
             \"judgements\":{\"Labeler 1\":\"ORG\",\"Labeler 2\":\"LOC\"}}\n"
        );
    }
}
