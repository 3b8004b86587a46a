//! Prodigy's JSONL: a line is what one annotator answered about one text.
//!
//! Offsets count Unicode code points, as Python does; `token_end` is inclusive and not needed.

use crate::TextIndex;
use crate::import::document::{ImportedDocument, ImportedWork};
use crate::import::findings::Findings;
use crate::import::spans::Unit;
use crate::json::reading::{Cut, Record, Shape};
use crate::json::spans::RecordSpans;
use crate::json::value::node::Kept;

pub(crate) const SHAPE: Shape =
    Shape { read, cut: Cut::Values, kept: Kept::AllBut(&["tokens", "html", "image"]) };

const SPANS_EXPECTED: &str = "a list of objects with start, end and label";
const ANSWER_EXPECTED: &str = "\"accept\", \"reject\" or \"ignore\"";

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let text_at = root.get("text");
    let Some(text) = text_at.text(findings) else { return Vec::new() };
    let index = TextIndex::new(text);
    let mut spans = RecordSpans::new(&index, Unit::Scalars, record.line);
    let list = root.get("spans");
    for item in list.items(SPANS_EXPECTED, findings) {
        let ends = [&item.get("start"), &item.get("end"), &item.get("label")];
        spans.add(ends, Some(&item.get("text")), findings);
    }
    findings.pass_over("relations", root.get("relations").count());
    let answer = root.get("answer");
    let accepted = match answer.as_text() {
        Some("accept") => true,
        Some("reject" | "ignore") => false,
        None if answer.is_absent() => true,
        _ => {
            answer.refuse::<()>(ANSWER_EXPECTED, findings);
            return Vec::new();
        }
    };
    let spans = spans.finish(findings);
    let rater = ["_annotator_id", "_session_id"].iter().find_map(|key| root.get(key).identifier());
    let (spans, work) = match (accepted, rater) {
        (true, Some(rater)) => (Vec::new(), vec![ImportedWork { rater, spans }]),
        (true, None) => (spans, Vec::new()),
        (false, _) => {
            let answer = answer.as_text().unwrap_or_default();
            findings.pass_over(&format!("lines with the answer {answer}"), 1);
            (Vec::new(), Vec::new())
        }
    };
    let meta = root.get("meta");
    // Hashes of the input are the same on every annotator's line, so they name the document.
    let hash = root.get("_input_hash").identifier().map(|hash| format!("input {hash}"));
    let name = meta
        .get("name")
        .identifier()
        .or_else(|| meta.get("id").identifier().is_none().then_some(hash).flatten());
    vec![record.document(meta.get("id").identifier(), name, text, spans, work)]
}
