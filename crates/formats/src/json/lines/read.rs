//! JSON Lines: each line is an object with a text and, if known, its spans and whose they are.

use std::collections::HashSet;

use crate::TextIndex;
use crate::import::document::{ImportedDocument, ImportedSpan, ImportedWork};
use crate::import::findings::Findings;
use crate::import::findings::note::Note;
use crate::import::findings::repair::Repair;
use crate::import::format::ImportFormat;
use crate::import::spans::{Unit, measure, once, placed, quotes, quotes_inside};
use crate::import::works::Works;
use crate::json::reading::{Cut, Record, Shape};
use crate::json::value::at::At;
use crate::json::value::node::{END_KEYS, Kept, LABEL_KEYS, Node, START_KEYS};
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;
use crate::problem::quoted::shorten;

pub(crate) const SHAPE: Shape =
    Shape { read, cut: Cut::Lines, kept: Kept::Only(&FIELDS), cut_texts: false };

/// Ours, and those by which other tools say what was marked and by whom, whose spans would get lost
/// without a word.
const FIELDS: [&str; 26] = [
    "text",
    "spans",
    "work",
    "id",
    "name",
    "rater",
    "annotator",
    "annotator_id",
    "annotated_by",
    "labeler",
    "labeller",
    "coder",
    "user",
    "user_id",
    "username",
    "author",
    "quote",
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
/// Fields that name who marked the spans of the line.
const RATERS: [&str; 7] =
    ["rater", "annotator", "annotator_id", "annotated_by", "labeler", "labeller", "coder"];
/// Fields that name who marked the spans, or who wrote the text.
const PERSONS: [&str; 4] = ["user", "user_id", "username", "author"];
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
const ONE_RATER_EXPECTED: &str = "one rater a line, or raters in \"work\" only";
/// Fields that hold what a span holds.
const QUOTES: [&str; 2] = ["text", "quote"];
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
    let rater = read_rater(&root, names_raters, findings);
    let text = root.get("text").text(findings);
    let id = optional_name(&root.get("id"), findings);
    let name = optional_name(&root.get("name"), findings);
    let fields = span_fields(&root, names_raters, findings);
    let lists: Vec<At<'_>> = fields.iter().map(|field| root.get(field)).collect();
    let index = text.map(TextIndex::new);
    let works = || (0..all_work.count()).map(|at| all_work.entry(at));
    let unit = index.as_ref().map_or(Unit::Scalars, |index| {
        let agrees = |unit| {
            lists.iter().all(|list| agree(index, unit, list))
                && works().all(|work| agree(index, unit, &work.get("spans")))
        };
        let differ = index.utf16_count() != index.scalar_count();
        if differ && !agrees(Unit::Scalars) && agrees(Unit::Utf16) {
            Unit::Utf16
        } else {
            Unit::Scalars
        }
    });
    let place = Place { index: index.as_ref(), unit, line: record.line };
    let mut spans = Vec::new();
    for list in &lists {
        spans.extend(read_spans(list, place, findings));
    }
    findings.repair(Repair::Duplicate, once(&mut spans));
    let mut work = read_work(&all_work, place, findings);
    if unit == Unit::Utf16 {
        let of_work = work.iter().map(|work| work.spans.len()).sum::<usize>();
        findings.note(Note::Utf16Offsets, spans.len() + of_work);
    }
    let judged = rater.is_none();
    if let Some(rater) = rater {
        work.push(ImportedWork::of_spans(rater, std::mem::take(&mut spans)));
    }
    text.map(|text| record.document(id, name, text, (spans, judged), work)).into_iter().collect()
}

/// Who marked the spans of the line, where a field says it.
fn read_rater(root: &At<'_>, names_raters: bool, findings: &mut Findings) -> Option<String> {
    let has_spans = !root.get("spans").is_absent();
    for (field, value) in root.fields().filter(|(field, _)| PERSONS.contains(field)) {
        if value.identifier().is_none() {
            continue;
        }
        if has_spans && !names_raters && RATERS.iter().all(|rater| root.get(rater).is_absent()) {
            value.wrong::<()>(ExchangeProblem::Person(field.to_owned()), findings);
        } else {
            findings.pass_over(&format!("the field \"{field}\", which names nobody here"), 1);
        }
    }
    let mut named = RATERS.iter().map(|key| root.get(key)).filter(|at| !at.is_absent());
    let first = named.next()?;
    // Anonymous lines have an empty name.
    if first.as_text() == Some("") {
        return None;
    }
    let rater = first.name_or_number(RATER_EXPECTED, findings)?;
    let is_other = |other: &At<'_>| other.identifier().is_some_and(|other| other != rater);
    let (format, expected) = (ImportFormat::JsonLines.name(), ONE_RATER_EXPECTED);
    let problem = || ExchangeProblem::OtherFormat { format, expected };
    if names_raters {
        return first.wrong(problem(), findings);
    }
    match named.find(is_other) {
        Some(other) if !other.to_string().ends_with("_id") => other.wrong(problem(), findings),
        _ => Some(rater),
    }
}

/// The fields with the spans of the line: those that somebody asks for, else `spans`, else the only one
/// that holds spans.
fn span_fields<'root>(
    root: &'root At<'root>,
    names_raters: bool,
    findings: &mut Findings,
) -> Vec<&'root str> {
    let is_asked = |field: &str| findings.options.layers.iter().any(|asked| asked == field);
    let asked: Vec<&str> =
        root.fields().map(|(field, _)| field).filter(|field| is_asked(field)).collect();
    let is_unknown = |field: &str| !FIELDS.contains(&field) && !asked.contains(&field);
    let others: Vec<At<'_>> = root
        .fields()
        .filter(|(field, value)| is_unknown(field) && value.entry(0).node_is_span())
        .map(|(_, value)| value)
        .collect();
    let has_own = !root.get("spans").is_absent() || names_raters;
    match others.as_slice() {
        [only] if asked.is_empty() && !has_own => {
            let field = only.key().unwrap_or_default();
            findings.note(Note::SpanColumn(format!("the field {field}")), 1);
            vec![field]
        }
        [first, _, ..] if asked.is_empty() && !has_own => {
            let names = others.iter().map(ToString::to_string).collect();
            first.wrong::<()>(ExchangeProblem::SeveralSpanFields(names), findings);
            Vec::new()
        }
        others => {
            for other in others {
                let what = format!("spans of the field {other}, which --layer {other} reads");
                findings.pass_over(&what, other.count());
            }
            if !asked.is_empty() {
                return asked;
            }
            let layers = findings.options.layers.join(", ");
            let own = Some("spans".to_owned()).filter(|_| root.get("spans").count() > 0);
            let found: Vec<String> =
                own.into_iter().chain(others.iter().map(ToString::to_string)).collect();
            if !layers.is_empty() && !found.is_empty() {
                root.wrong::<()>(
                    ExchangeProblem::NoLayer { asked: layers.into(), found },
                    findings,
                );
            }
            vec!["spans"]
        }
    }
}

/// Whether all spans of a list hold what they quote.
fn agree(index: &TextIndex<'_>, unit: Unit, list: &At<'_>) -> bool {
    let mut ignored = Findings::default();
    (0..list.count()).all(|at| {
        let item = list.entry(at);
        let Some(quote) = item.first_of(&QUOTES).as_text() else { return true };
        let start = item.first_of(&START_KEYS).offset(&mut ignored);
        let end = item.first_of(&END_KEYS).offset(&mut ignored);
        let Some((start, end)) = start.zip(end) else { return true };
        measure(index, unit, start, end).is_ok_and(|(start, end)| {
            quotes(index, start, end, quote) || quotes_inside(index, start, end, quote)
        })
    })
}

/// What spans are measured against.
#[derive(Debug, Clone, Copy)]
struct Place<'text> {
    /// None where there is no text, whose own problem is told.
    index: Option<&'text TextIndex<'text>>,
    unit: Unit,
    line: usize,
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

fn read_spans(list: &At<'_>, place: Place<'_>, findings: &mut Findings) -> Vec<ImportedSpan> {
    let mut seen: HashSet<(usize, usize, String)> = HashSet::new();
    let mut spans = Vec::new();
    for item in list.items(SPANS_EXPECTED, findings) {
        let Some((start, end, label)) = read_span(&item, place, findings) else { continue };
        if seen.insert((start, end, label.clone())) {
            spans.push(ImportedSpan { start, end, label, line: place.line });
        } else {
            findings.repair(Repair::Duplicate, 1);
        }
    }
    spans
}

fn read_span(
    item: &At<'_>,
    place: Place<'_>,
    findings: &mut Findings,
) -> Option<(usize, usize, String)> {
    if !item.is_object() {
        return item.refuse(SPAN_EXPECTED, findings);
    }
    let end_at = item.first_of(&END_KEYS);
    let start = item.first_of(&START_KEYS).whole(OFFSET_EXPECTED, findings);
    let end = end_at.whole(OFFSET_EXPECTED, findings);
    let label = item.first_of(&LABEL_KEYS).name(LABEL_EXPECTED, findings);
    let (start, end) = (start?, end?);
    let measured = match place.index {
        Some(index) => measure(index, place.unit, start, end),
        // There is nothing to measure against.
        None => placed(start, end, usize::MAX),
    };
    match measured {
        Ok((start, end)) => {
            let index = place.index?;
            let quote = item.first_of(&QUOTES);
            if let Some(quoted) = quote.as_text().filter(|it| !quotes(index, start, end, it)) {
                if !quotes_inside(index, start, end, quoted) {
                    let held = index.slice(start, end).unwrap_or_default();
                    let (quoted, found) = (shorten(quoted), shorten(held));
                    return quote.wrong(Problem::QuoteDiffers { quote: quoted, found }, findings);
                }
                findings.repair(Repair::QuoteEdges, 1);
            }
            label.map(|label| (start, end, label.to_owned()))
        }
        Err(Problem::EmptySpan(_)) => {
            findings.repair(Repair::EmptySpan, 1);
            None
        }
        Err(problem) => end_at.wrong(problem, findings),
    }
}

fn read_work(list: &At<'_>, place: Place<'_>, findings: &mut Findings) -> Vec<ImportedWork> {
    let mut work = Works::default();
    for item in list.items(WORK_EXPECTED, findings) {
        if !item.is_object() {
            item.refuse::<()>(WORK_EXPECTED, findings);
            continue;
        }
        let rater_at = item.get("rater");
        let rater = rater_at.name_or_number(RATER_EXPECTED, findings);
        let spans = read_spans(&item.get("spans"), place, findings);
        if let Some(rater) = rater {
            work.add(rater, (spans, Vec::new()), findings);
        }
    }
    work.finish()
}

fn optional_name(at: &At<'_>, findings: &mut Findings) -> Option<String> {
    if at.is_absent() { None } else { at.name_or_number(ID_EXPECTED, findings) }
}
