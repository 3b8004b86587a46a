//! Label Studio's JSON-MIN: an object for each annotation, with the task's data at the top.

use crate::TextIndex;
use crate::import::document::{ImportedDocument, ImportedWork};
use crate::import::findings::Findings;
use crate::import::findings::note::Note;
use crate::import::spans::Unit;
use crate::json::label_studio::read::{only_text, rater};
use crate::json::label_studio::regions::{Tally, agrees, unit};
use crate::json::reading::{Cut, Record, Shape};
use crate::json::spans::RecordSpans;
use crate::json::value::at::At;
use crate::json::value::node::Kept;

pub(crate) const SHAPE: Shape = Shape { read, cut: Cut::Values, kept: Kept::AllBut(&["history"]) };

/// Fields that Label Studio adds to the data of the task.
const OWN_FIELDS: [&str; 7] =
    ["id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement"];

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let lists: Vec<At<'_>> = root.fields().map(|(_, at)| at).filter(holds_regions).collect();
    let Some(text) = only_text(&root, &OWN_FIELDS, findings) else { return Vec::new() };
    let index = TextIndex::new(text);
    let unit = unit(&index, |unit| {
        lists
            .iter()
            .all(|list| (0..list.count()).all(|entry| agrees(&index, unit, &list.entry(entry))))
    });
    if unit == Unit::Utf16 {
        let count = lists.iter().map(At::count).sum();
        findings.note(Note::Utf16Offsets, count);
    }
    let mut spans = RecordSpans::new(&index, unit, record.line);
    for list in &lists {
        let mut tally = Tally::default();
        for entry in 0..list.count() {
            tally.add(&list.entry(entry), None, &mut spans, findings);
        }
        tally.tell(findings);
    }
    let spans = spans.finish(findings);
    let id = root.get("id").identifier();
    match rater(&root.get("annotator")) {
        Some(rater) => {
            let work = vec![ImportedWork::of_spans(rater, spans)];
            vec![record.document(id, None, text, (Vec::new(), false), work)]
        }
        None => vec![record.document(id, None, text, (spans, true), Vec::new())],
    }
}

/// Whether a field holds regions: a list whose first entry has a start.
fn holds_regions(field: &At<'_>) -> bool {
    let first = field.entry(0);
    !first.get("start").is_absent() && !first.get("end").is_absent()
}
