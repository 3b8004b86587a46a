//! Prodigy's JSONL: a line is what one annotator answered about one text.
//!
//! Offsets count Unicode code points, as Python does; `token_end` is inclusive and not needed.

use crate::TextIndex;
use crate::import::answer::Answer;
use crate::import::document::{ImportedDocument, ImportedWork};
use crate::import::findings::Findings;
use crate::import::spans::Unit;
use crate::json::reading::{Cut, Record, Shape};
use crate::json::spans::RecordSpans;
use crate::json::value::node::Kept;
use crate::problem::exchange::ExchangeProblem;

pub(crate) const SHAPE: Shape =
    Shape { read, cut: Cut::Values, kept: Kept::AllBut(&["tokens", "html", "image"]) };

const SPANS_EXPECTED: &str = "a list of objects with start, end and label";
const ANSWER_EXPECTED: &str = "\"accept\", \"reject\" or \"ignore\"";

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let text_at = root.get("text");
    // Tasks over pictures mark points, those over recordings times.
    let list = root.get("spans");
    let first = list.entry(0);
    let is_media = first.get("points").is_list() || root.get("audio_spans").is_list();
    if text_at.is_absent() && is_media {
        root.wrong::<()>(ExchangeProblem::Media("task".to_owned()), findings);
        return Vec::new();
    }
    let Some(text) = text_at.text(findings) else { return Vec::new() };
    let index = TextIndex::new(text);
    let mut spans = RecordSpans::new(&index, Unit::Scalars, record.line);
    for item in list.items(SPANS_EXPECTED, findings) {
        let ends = [&item.get("start"), &item.get("end"), &item.get("label")];
        spans.add(ends, Some(&item.get("text")), findings);
    }
    findings.pass_over("relations", root.get("relations").count());
    let answer = root.get("answer");
    let counts = match answer.as_text() {
        Some("accept") => true,
        Some("reject") => findings.counts(Answer::Rejected, 1),
        Some("ignore") => findings.counts(Answer::Skipped, 1),
        None if answer.is_absent() => true,
        _ => {
            answer.refuse::<()>(ANSWER_EXPECTED, findings);
            return Vec::new();
        }
    };
    let spans = spans.finish(findings);
    let rater = ["_annotator_id", "_session_id"].iter().find_map(|key| root.get(key).identifier());
    let judged = counts && rater.is_none();
    let (spans, work) = match (counts, rater) {
        (true, Some(rater)) => (Vec::new(), vec![ImportedWork::of_spans(rater, spans)]),
        (true, None) => (spans, Vec::new()),
        (false, _) => (Vec::new(), Vec::new()),
    };
    let meta = root.get("meta");
    // Hashes of the input are the same on every annotator's line, so they name the document.
    let hash = root.get("_input_hash").identifier().map(|hash| format!("input {hash}"));
    let name = meta
        .get("name")
        .identifier()
        .or_else(|| meta.get("id").identifier().is_none().then_some(hash).flatten());
    vec![record.document(meta.get("id").identifier(), name, text, (spans, judged), work)]
}
