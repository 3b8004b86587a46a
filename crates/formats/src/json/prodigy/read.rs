//! Prodigy's JSONL: a line is what one annotator answered about one text.
//!
//! Offsets count Unicode code points, as Python does; `token_end` is inclusive and not needed.

use crate::TextIndex;
use crate::import::answer::Answer;
use crate::import::document::{ImportedDocument, ImportedWork};
use crate::import::findings::Findings;
use crate::import::spans::Unit;
use crate::json::reading::{Cut, Record, Shape};
use crate::json::value::node::{Kept, Node};
use crate::json::value::spans::RecordSpans;
use crate::problem::exchange::ExchangeProblem;

pub(crate) const SHAPE: Shape = Shape {
    read,
    cut: Cut::Values,
    kept: Kept::AllBut(&["tokens", "html", "image"]),
    cut_texts: true,
};

const SPANS_EXPECTED: &str = "a list of objects with start, end and label";
const ANSWER_EXPECTED: &str = "\"accept\", \"reject\" or \"ignore\"";

/// Whether a session is called by a time, such as `2023-02-01_10-11-12`, be it after the name of a data set.
fn is_time(session: &str) -> bool {
    const TIME: &str = "0000-00-00_00-00-00";
    let digits = |part: &str| {
        part.chars()
            .map(|scalar| if scalar.is_ascii_digit() { '0' } else { scalar })
            .collect::<String>()
    };
    let time = session.len().checked_sub(TIME.len()).and_then(|at| session.split_at_checked(at));
    time.is_some_and(|(set, time)| digits(time) == TIME && (set.is_empty() || set.ends_with('-')))
}

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
    let is_binary = matches!(root.get("_is_binary").node, Node::Bool(true));
    if counts && is_binary {
        root.wrong::<()>(ExchangeProblem::BinaryDecision, findings);
        return Vec::new();
    }
    let session =
        ["_annotator_id", "_session_id"].iter().find_map(|key| root.get(key).identifier());
    // A session without a name is called by the time at which it began.
    let rater = session.clone().filter(|name| !is_time(name));
    if session.is_some() && rater.is_none() {
        findings.pass_over("names of sessions that are times, which name nobody", 1);
    }
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
