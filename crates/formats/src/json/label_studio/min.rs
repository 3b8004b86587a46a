//! Label Studio's JSON-MIN: an object for each annotation, with the task's data at the top.

use crate::TextIndex;
use crate::import::document::{ImportedDocument, ImportedWork};
use crate::import::findings::Findings;
use crate::import::spans::{SpanSet, Unit};
use crate::json::at::At;
use crate::json::label_studio::read::rater;
use crate::json::label_studio::regions::{Tally, add, agrees, unit};
use crate::json::node::{Kept, Node};
use crate::json::reading::{Cut, Record, Shape};
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;

pub(crate) const SHAPE: Shape = Shape { read, cut: Cut::Values, kept: Kept::AllBut(&["history"]) };

/// Fields that Label Studio adds to the data of the task.
const OWN_FIELDS: [&str; 7] =
    ["id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement"];

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let lists: Vec<At<'_>> = root.fields().map(|(_, at)| at).filter(holds_regions).collect();
    let Some(text) = min_text(&root, findings) else { return Vec::new() };
    let index = TextIndex::new(text);
    let unit = unit(&index, |unit| {
        lists
            .iter()
            .all(|list| (0..list.count()).all(|entry| agrees(&index, unit, &list.entry(entry))))
    });
    if unit == Unit::Utf16 {
        let count = lists.iter().map(At::count).sum();
        findings.utf16_offsets(count);
    }
    let mut spans = SpanSet::default();
    for list in &lists {
        let mut tally = Tally::default();
        for entry in 0..list.count() {
            let value = list.entry(entry);
            add(&index, unit, &value, None, record.line, &mut spans, &mut tally, findings);
        }
        tally.tell(findings);
    }
    let spans = spans.finish(findings);
    let id = root.get("id").identifier();
    match rater(&root.get("annotator")) {
        Some(rater) => {
            let work = vec![ImportedWork { rater, spans }];
            vec![record.document(id, None, text, Vec::new(), work)]
        }
        None => vec![record.document(id, None, text, spans, Vec::new())],
    }
}

/// Whether a field holds regions: a list whose first entry has a start.
fn holds_regions(field: &At<'_>) -> bool {
    let first = field.entry(0);
    !first.get("start").is_absent() && !first.get("end").is_absent()
}

/// The text: the field `text`, or the only string that is not Label Studio's own.
fn min_text<'node>(root: &'node At<'node>, findings: &mut Findings) -> Option<&'node str> {
    if root.get("text").as_text().is_some() {
        return root.get("text").text(findings);
    }
    let strings: Vec<At<'node>> = root
        .fields()
        .filter(|(key, at)| !OWN_FIELDS.contains(key) && matches!(at.node, Node::Text(_)))
        .map(|(_, at)| at)
        .collect();
    match strings.as_slice() {
        [only] => only.text(findings),
        several => {
            let found = several.iter().map(ToString::to_string).collect();
            findings.refuse(None, Problem::Exchange(ExchangeProblem::NoTextField { found }))
        }
    }
}
