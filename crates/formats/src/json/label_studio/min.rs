//! Label Studio's JSON-MIN: an object for each annotation, with the task's data at the top.

use crate::TextIndex;
use crate::import::document::{ImportedDocument, ImportedWork};
use crate::import::findings::Findings;
use crate::import::findings::note::Note;
use crate::import::spans::{Unit, measure};
use crate::json::label_studio::offsets::{agrees, unit};
use crate::json::label_studio::read::rater;
use crate::json::label_studio::regions::Tally;
use crate::json::label_studio::text::only_text;
use crate::json::reading::{Cut, Record, Shape};
use crate::json::value::at::At;
use crate::json::value::node::Kept;
use crate::json::value::spans::RecordSpans;
use crate::problem::exchange::ExchangeProblem;

pub(crate) const SHAPE: Shape =
    Shape { read, cut: Cut::Values, kept: Kept::AllBut(&["history"]), cut_texts: false };

/// Fields that Label Studio adds to the data of the task.
const OWN_FIELDS: [&str; 7] =
    ["id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement"];

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let lists: Vec<At<'_>> = root.fields().map(|(_, at)| at).filter(holds_regions).collect();
    let Some(text_at) = only_text(&root, &OWN_FIELDS, None, findings) else { return Vec::new() };
    let Some(text) = text_at.text(findings) else { return Vec::new() };
    let index = TextIndex::new(text);
    let Some(lists) = on_text(lists, &text_at, &root, findings) else { return Vec::new() };
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

/// The lists of regions that are on the text: nothing names it, so that the quotes tell, or somebody does.
fn on_text<'root>(
    mut lists: Vec<At<'root>>,
    text: &At<'_>,
    root: &At<'_>,
    findings: &mut Findings,
) -> Option<Vec<At<'root>>> {
    let layers = findings.options.layers.clone();
    let is_asked = |list: &At<'_>| layers.iter().any(|layer| list.key() == Some(layer));
    let mut left = Vec::new();
    let is_settled = findings.options.text_field.is_some() && lists.iter().any(is_asked);
    if is_settled {
        (lists, left) = lists.into_iter().partition(is_asked);
    } else {
        if lists.iter().any(is_asked) {
            let others;
            (lists, others) = lists.into_iter().partition(is_asked);
            left.extend(others);
        }
        let is_other = |(key, value): &(&str, At<'_>)| {
            !OWN_FIELDS.contains(key) && text.key() != Some(key) && value.as_text().is_some()
        };
        let others: Vec<TextIndex<'_>> = root
            .fields()
            .filter(is_other)
            .filter_map(|(_, value)| value.as_text().map(TextIndex::new))
            .collect();
        let own = TextIndex::new(text.as_text().unwrap_or_default());
        let (mut unclear, mut on) = (Vec::new(), Vec::new());
        let several = lists.len() + left.len() > 1;
        for list in lists {
            let fits_other = others.iter().any(|index| fits(index, &list));
            match (fits(&own, &list), fits_other) {
                (false, true) => left.push(list),
                (true, true) if several => {
                    unclear.push(list.key().unwrap_or_default().to_owned());
                }
                _ => on.push(list),
            }
        }
        if !unclear.is_empty() {
            return root.wrong(ExchangeProblem::RegionsOfTexts(unclear), findings);
        }
        lists = on;
    }
    for list in left {
        let field = text.key().unwrap_or_default();
        findings.pass_over(
            &format!("regions of {list}, which are not on the text {field}"),
            list.count(),
        );
    }
    Some(lists)
}

/// Whether all regions of a list lie within a text and hold what they quote, in one unit or the other.
fn fits(index: &TextIndex<'_>, list: &At<'_>) -> bool {
    let fits_in = |unit| {
        let mut ignored = Findings::default();
        (0..list.count()).all(|entry| {
            let region = list.entry(entry);
            let start = region.get("start").offset(&mut ignored);
            let end = region.get("end").offset(&mut ignored);
            let placed =
                start.zip(end).map(|(start, end)| measure(index, unit, start, end).is_ok());
            placed == Some(true) && agrees(index, unit, &region)
        })
    };
    fits_in(Unit::Scalars) || fits_in(Unit::Utf16)
}

/// Whether a field holds regions: a list whose first entry has a start.
fn holds_regions(field: &At<'_>) -> bool {
    let first = field.entry(0);
    !first.get("start").is_absent() && !first.get("end").is_absent()
}
