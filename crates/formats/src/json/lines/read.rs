//! JSON Lines: each line is an object with a text and, if known, its spans and whose they are.

use std::collections::HashSet;

use crate::import::document::{ImportedDocument, ImportedSpan, ImportedWork};
use crate::import::findings::Findings;
use crate::import::findings::repair::Repair;
use crate::import::format::ImportFormat;
use crate::import::spans::placed;
use crate::import::works::Works;
use crate::json::reading::{Cut, Record, Shape};
use crate::json::value::at::At;
use crate::json::value::node::{Kept, Node};
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;

pub(crate) const SHAPE: Shape = Shape { read, cut: Cut::Lines, kept: Kept::Only(&FIELDS) };

/// Ours, and those by which other tools say what was marked and by whom, whose spans would get lost
/// without a word.
const FIELDS: [&str; 15] = [
    "text",
    "spans",
    "work",
    "id",
    "name",
    "rater",
    "start",
    "end",
    "label",
    "labels",
    "entities",
    "ents",
    "answer",
    "_annotator_id",
    "_session_id",
];
const FOREIGN: [&str; 7] =
    ["label", "labels", "entities", "ents", "answer", "_annotator_id", "_session_id"];

const OBJECT_EXPECTED: &str = "one object a line, such as {\"text\": \"EU rejects\"}";
const ELSEWHERE_EXPECTED: &str = "spans in \"spans\" and raters in \"work\"; in a file of another \
    tool a short text on the first line lets its beginning tell the format";
const ID_EXPECTED: &str = "a string or a whole number";
const LABEL_EXPECTED: &str = "a string with the label's name";
const OFFSET_EXPECTED: &str = "a whole number from 0, counting Unicode code points";
const SPANS_EXPECTED: &str = "a list of objects with start, end and label";
const WORK_EXPECTED: &str = "a list of objects with rater and spans";
const RATER_EXPECTED: &str = "a string or a whole number that names the rater";
const SPAN_EXPECTED: &str = "an object with start, end and label";

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    if !root.is_object() {
        root.refuse::<()>(OBJECT_EXPECTED, findings);
        return Vec::new();
    }
    let all_work = root.get("work");
    let names_raters = !matches!(all_work.node, Node::Absent);
    for (field, value) in root.fields().filter(|(field, _)| FOREIGN.contains(field)) {
        tell_foreign(field, value.node, names_raters, findings);
    }
    let text = root.get("text").text(findings);
    let id = optional_name(&root.get("id"), findings);
    let name = optional_name(&root.get("name"), findings);
    let length = text.map(|text| text.chars().count());
    let spans = read_spans(&root.get("spans"), length, record.line, findings);
    let work = read_work(&all_work, length, record.line, findings);
    text.map(|text| record.document(id, name, text, (spans, true), work)).into_iter().collect()
}

/// Notes a field of another tool that holds something; spans and raters that would get lost are an
/// error.
fn tell_foreign(field: &str, value: &Node, names_raters: bool, findings: &mut Findings) {
    let (is_empty, is_list_of_spans) = match value {
        Node::Absent | Node::Null => (true, false),
        Node::Text(text) => (text.is_empty(), false),
        Node::Object(fields) => (fields.is_empty(), false),
        Node::List(items) => {
            let first = items.first();
            (first.is_none(), matches!(first, Some(Node::List(_) | Node::Object(_))))
        }
        _ => (false, false),
    };
    if is_list_of_spans || !is_empty && field.starts_with('_') && !names_raters {
        let (format, expected) = (ImportFormat::JsonLines.name(), ELSEWHERE_EXPECTED);
        let problem = ExchangeProblem::OtherFormat { format, expected };
        findings.refuse::<()>(Some(field), problem);
    } else if !is_empty {
        findings.pass_over(&format!("the field \"{field}\", which says nothing here"), 1);
    }
}

fn read_spans(
    list: &At<'_>,
    length: Option<usize>,
    line: usize,
    findings: &mut Findings,
) -> Vec<ImportedSpan> {
    let mut seen: HashSet<(usize, usize, String)> = HashSet::new();
    let mut spans = Vec::new();
    for item in list.items(SPANS_EXPECTED, findings) {
        let Some((start, end, label)) = read_span(&item, length, findings) else { continue };
        if seen.insert((start, end, label.clone())) {
            spans.push(ImportedSpan { start, end, label, line });
        } else {
            findings.repair(Repair::Duplicate, 1);
        }
    }
    spans
}

fn read_span(
    item: &At<'_>,
    length: Option<usize>,
    findings: &mut Findings,
) -> Option<(usize, usize, String)> {
    if !item.is_object() {
        return item.refuse(SPAN_EXPECTED, findings);
    }
    let end_at = item.get("end");
    let start = item.get("start").whole(OFFSET_EXPECTED, findings);
    let end = end_at.whole(OFFSET_EXPECTED, findings);
    let label = item.get("label").name(LABEL_EXPECTED, findings);
    let (start, end) = (start?, end?);
    // Without a text there is nothing to measure against, and the text's own problem is told.
    match placed(start, end, length.unwrap_or(usize::MAX)) {
        Ok((start, end)) => length.and(label).map(|label| (start, end, label.to_owned())),
        Err(Problem::EmptySpan(_)) => {
            findings.repair(Repair::EmptySpan, 1);
            None
        }
        Err(problem) => end_at.wrong(problem, findings),
    }
}

fn read_work(
    list: &At<'_>,
    length: Option<usize>,
    line: usize,
    findings: &mut Findings,
) -> Vec<ImportedWork> {
    let mut work = Works::default();
    for item in list.items(WORK_EXPECTED, findings) {
        if !item.is_object() {
            item.refuse::<()>(WORK_EXPECTED, findings);
            continue;
        }
        let rater_at = item.get("rater");
        let rater = rater_at.name_or_number(RATER_EXPECTED, findings);
        let spans = read_spans(&item.get("spans"), length, line, findings);
        if let Some(rater) = rater {
            work.add(rater, (spans, Vec::new()), findings);
        }
    }
    work.finish()
}

fn optional_name(at: &At<'_>, findings: &mut Findings) -> Option<String> {
    if at.is_absent() { None } else { at.name_or_number(ID_EXPECTED, findings) }
}
