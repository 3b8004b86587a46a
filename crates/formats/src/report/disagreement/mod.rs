//! The rows of an adjudication list, and the list as JSON Lines.

pub(crate) mod csv;
pub(crate) mod xlsx;

use std::io::Write;

use serde::Serialize;
use serde::ser::Serializer;

use crate::export::error::ExportError;
use crate::export::json_line::write_json_line;

/// One position on which raters disagree, with everything needed to judge it outside the product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DisagreementRow {
    /// The id of the document.
    pub document_id: i64,
    /// The name of the document.
    pub document: String,
    /// Where the position starts, in Unicode scalar values.
    pub start: usize,
    /// Where the position ends, exclusive, in Unicode scalar values.
    pub end: usize,
    /// Where the position starts, in UTF-16 code units as browsers and Java count.
    pub start_utf16: usize,
    /// Where the position ends, exclusive, in UTF-16 code units.
    pub end_utf16: usize,
    /// The text of the position.
    pub quote: String,
    /// A stretch of text before it.
    pub left: String,
    /// A stretch of text after it.
    pub right: String,
    /// The kind of disagreement, such as `label`, `boundary` or `one-sided`.
    pub kind: String,
    /// What each rater says, by the rater's name, in the order of the list's columns.
    #[serde(serialize_with = "serialize_raters")]
    pub raters: Vec<(String, RaterCell)>,
    /// The reviewer's decision, if there is one.
    pub decision: Option<String>,
    /// The labels that the decision gives the position.
    pub decided_labels: Vec<String>,
    /// The reviewer's name.
    pub decided_by: Option<String>,
    /// When the decision was made, as RFC 3339.
    pub decided_at: Option<String>,
    /// Why, in the reviewer's words, if they said so.
    pub decided_because: Option<String>,
    /// The reason of the project's list that this is, or begins with, if it is one.
    pub decided_code: Option<String>,
    /// The SHA-256 of the document's text, by which a reader can tell that offsets still fit.
    pub text_sha256: String,
}

/// What one rater says on a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "judgement", content = "labels", rename_all = "snake_case")]
pub enum RaterCell {
    /// The rater has not judged the position (yet), which says nothing about it.
    NotJudged,
    /// The rater judged the document and marked nothing here.
    NothingMarked,
    /// The rater gave these labels.
    Labels(Vec<String>),
    /// The rater, a reviewer, rejected what others marked here.
    Rejected,
}

#[derive(Serialize)]
struct Rater<'row> {
    name: &'row str,
    #[serde(flatten)]
    cell: &'row RaterCell,
}

fn serialize_raters<S: Serializer>(
    raters: &[(String, RaterCell)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(raters.iter().map(|(name, cell)| Rater { name, cell }))
}

/// Writes one row of the adjudication list as a line of JSON, byte for byte what the data are.
///
/// The fields are those of [`DisagreementRow`], in its order. `raters` is a list of objects with
/// `name`, `judgement` (`not_judged`, `nothing_marked`, `labels` or `rejected`) and, for `labels`
/// only, the list `labels`. What is not known is `null`.
///
/// ```json
/// {"document_id":7,"document":"a","start":0,"end":2,"start_utf16":0,"end_utf16":2,"quote":"EU",
///  "left":"","right":" rejects","kind":"label","raters":[{"name":"Ana","judgement":"labels",
///  "labels":["ORG"]},{"name":"Bo","judgement":"not_judged"}],"decision":null,
///  "decided_labels":[],"decided_by":null,"decided_at":null,"decided_because":null,
///  "decided_code":null,"text_sha256":"…"}
/// ```
///
/// (Broken up here for reading; each row is one line.)
pub fn write_disagreement_json_line<W: Write>(
    out: &mut W,
    row: &DisagreementRow,
) -> Result<(), ExportError> {
    Ok(write_json_line(out, row)?)
}
