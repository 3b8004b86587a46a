//! doccano's JSONL of sequence labelling, with and without relations.
//!
//! Exports from before version 1.1 have an annotator on each annotation, and labels by their numbers.
//!
//! doccano makes its offsets in the browser, in UTF-16 units (its issue 2290), unless a project
//! counts grapheme clusters, and keeps no text of a span to verify them by.

use crate::TextIndex;
use crate::import::answer::Answer;
use crate::import::document::{ImportedDocument, ImportedWork};
use crate::import::findings::Findings;
use crate::import::findings::note::Note;
use crate::import::spans::{Unit, measure};
use crate::json::reading::{Cut, Record, Shape};
use crate::json::value::at::At;
use crate::json::value::node::{Kept, Node};
use crate::json::value::spans::RecordSpans;

pub(crate) const SHAPE: Shape =
    Shape { read, cut: Cut::Values, kept: Kept::AllBut(&[]), cut_texts: false };

const LABELS_EXPECTED: &str = "a list of [start, end, label]";
const ANNOTATIONS_EXPECTED: &str =
    "a list of objects with start_offset, end_offset, label and user";
const USER_EXPECTED: &str = "the name or the number of the annotator";
const ENTITIES_EXPECTED: &str = "a list of objects with start_offset, end_offset and label";

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let text = root.get("text");
    // Before version 1.5 the text of an export stood in "data".
    let text = if text.is_absent() { root.get("data") } else { text };
    let Some(text) = text.text(findings) else { return Vec::new() };
    let index = TextIndex::new(text);
    let unit = unit(&index, &root);
    let mut spans = RecordSpans::new(&index, unit, record.line);
    let mut doubtful = 0;
    let mut add = |start: &At<'_>, end: &At<'_>, label: &At<'_>, findings: &mut Findings| {
        if let Some((_, end)) = spans.add([start, end, label], None, findings) {
            doubtful += usize::from(index.utf16(end) != Some(end));
        }
    };
    root.refuse_our_fields("doccano JSONL", findings);
    for key in ["label", "labels"] {
        let list = root.get(key);
        for item in list.items(LABELS_EXPECTED, findings) {
            if item.count() == 3 {
                add(&item.entry(0), &item.entry(1), &item.entry(2), findings);
            } else {
                item.refuse::<()>("a list of start, end and label", findings);
            }
        }
    }
    let entities = root.get("entities");
    for item in entities.items(ENTITIES_EXPECTED, findings) {
        let (start, end) = (item.get("start_offset"), item.get("end_offset"));
        add(&start, &end, &item.get("label"), findings);
    }
    let spans = spans.finish(findings);
    let mut raters: Vec<(String, RecordSpans<'_>)> = Vec::new();
    for item in root.get("annotations").items(ANNOTATIONS_EXPECTED, findings) {
        let Some(user) = item.get("user").name_or_number(USER_EXPECTED, findings) else { continue };
        let place = raters.iter().position(|(rater, _)| *rater == user);
        let place = place.unwrap_or_else(|| {
            raters.push((user, RecordSpans::new(&index, unit, record.line)));
            raters.len() - 1
        });
        if let Some((_, spans)) = raters.get_mut(place) {
            let ends = [&item.get("start_offset"), &item.get("end_offset"), &item.get("label")];
            let place = spans.add(ends, None, findings);
            doubtful += usize::from(place.is_some_and(|(_, end)| index.utf16(end) != Some(end)));
        }
    }
    let note = if unit == Unit::Utf16 { Note::Utf16Offsets } else { Note::CodePointOffsets };
    findings.note(note, doubtful);
    findings.pass_over("relations", root.get("relations").count());
    let (id, name) = (root.get("id").identifier(), root.get("name").identifier());
    // Before version 1.5 an export said who approved an example, if anybody did.
    let approver = root.get("annotation_approver");
    let judged = !matches!(approver.node, Node::Null) || findings.counts(Answer::Unapproved, 1);
    let raters = raters.into_iter().filter(|_| judged);
    let work: Vec<_> = raters
        .map(|(rater, spans)| ImportedWork::of_spans(rater, spans.finish(findings)))
        .collect();
    // What no annotator has labelled is exported as of this name.
    let is_unknown = record.stem() == "unknown" && spans.is_empty();
    let judged = judged && work.is_empty() && !is_unknown;
    vec![record.document(id, name, text, (spans, judged), work)]
}

/// What the offsets of a record count: UTF-16 units, unless only in code points no span begins or ends
/// within a word or at white space.
fn unit(index: &TextIndex<'_>, root: &At<'_>) -> Unit {
    // Only our own files name documents, in UTF-16 units.
    if index.utf16_count() == index.scalar_count() || !root.get("name").is_absent() {
        return Unit::Utf16;
    }
    let mut places: Vec<(u64, u64)> = Vec::new();
    let mut ignored = Findings::default();
    let mut add = |start: At<'_>, end: At<'_>| {
        places.extend(start.offset(&mut ignored).zip(end.offset(&mut ignored)));
    };
    for key in ["label", "labels"] {
        let list = root.get(key);
        (0..list.count())
            .map(|at| list.entry(at))
            .for_each(|item| add(item.entry(0), item.entry(1)));
    }
    for key in ["entities", "annotations"] {
        let list = root.get(key);
        (0..list.count())
            .map(|at| list.entry(at))
            .for_each(|item| add(item.get("start_offset"), item.get("end_offset")));
    }
    let fits = |unit| {
        let whole = |(start, end): &(u64, u64)| {
            measure(index, unit, *start, *end).is_ok_and(|place| is_of_words(index, place))
        };
        places.iter().all(whole)
    };
    let is_placed = |(start, end): &(u64, u64)| measure(index, Unit::Utf16, *start, *end).is_ok();
    if places.iter().all(is_placed) && !fits(Unit::Utf16) && fits(Unit::Scalars) {
        Unit::Scalars
    } else {
        Unit::Utf16
    }
}

/// Whether a span begins and ends with what is no white space, and not within a word.
fn is_of_words(index: &TextIndex<'_>, (start, end): (usize, usize)) -> bool {
    let scalar = |at: usize| index.slice(at, at + 1).and_then(|slice| slice.chars().next());
    let is_cut = |at: usize| {
        let before = at.checked_sub(1).and_then(scalar);
        before
            .zip(scalar(at))
            .is_some_and(|(left, right)| left.is_alphanumeric() && right.is_alphanumeric())
    };
    let is_blank = |at: usize| scalar(at).is_some_and(char::is_whitespace);
    !is_blank(start) && !is_blank(end - 1) && !is_cut(start) && !is_cut(end)
}
