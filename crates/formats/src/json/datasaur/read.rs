//! Datasaur's schema: one document a file, in rows of cells of tokens.
//!
//! A position is a token of a row, the end inclusive, and a character within the token, of which
//! Datasaur's pages do not say what it counts; where that matters, the file is refused.

use std::collections::HashMap;

use crate::import::document::ImportedDocument;
use crate::import::findings::Findings;
use crate::import::limits::count64;
use crate::import::spans::SpanSet;
use crate::json::datasaur::places::{Cell, End, KEYS, place, tokens};
use crate::json::datasaur::sentences;
use crate::json::reading::{Cut, Record, Shape};
use crate::json::value::at::At;
use crate::json::value::node::Kept;
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;

pub(crate) const SHAPE: Shape = Shape {
    read,
    cut: Cut::Values,
    kept: Kept::AllBut(&["metadata", "comments"]),
    cut_texts: false,
};

const ROWS_EXPECTED: &str = "a list of rows, each a list of cells with content and tokens";
const LABELS_EXPECTED: &str = "a list of span labels";
const LABEL_EXPECTED: &str = "a string with the label's name";

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let data = root.get("data");
    let data = if data.is_absent() { root } else { data };
    if root.get("sentences").is_list() {
        return sentences::read(record, findings);
    }
    let rows = data.get("rows");
    if !rows.is_list() {
        rows.refuse::<()>(ROWS_EXPECTED, findings);
        return Vec::new();
    }
    let Some((text, cells)) = read_rows(&rows, findings) else { return Vec::new() };
    if text.trim().is_empty() {
        rows.wrong::<()>(Problem::EmptyText, findings);
        return Vec::new();
    }
    let mut spans = SpanSet::default();
    let mut undecided = 0;
    let known = label_items(&data);
    let labels = data.get("spanLabels");
    for label in labels.items(LABELS_EXPECTED, findings) {
        if label.get("labeledBy").as_text() == Some("CONFLICT") {
            undecided += 1;
            continue;
        }
        let position = label.get("textPosition");
        let start = place(&cells, &position.get("start"), KEYS, End::Start, findings);
        let end_at = position.get("end");
        let end = place(&cells, &end_at, KEYS, End::End, findings);
        let name = label_name(&data, &known, &label, findings);
        let (Some(start), Some(end), Some(name)) = (start, end, name) else { continue };
        if start < end {
            spans.keep(start, end, &name, record.line);
        } else {
            let (start, end) = (count64(start), count64(end));
            end_at.wrong::<()>(Problem::SpanEndsBeforeStart { start, end }, findings);
        }
    }
    let spans = spans.finish(findings);
    findings.pass_over("labels in conflict, which nobody has decided", undecided);
    findings.pass_over("relations", data.get("arrowLabels").count());
    let name = root.get("name").identifier().or_else(|| data.get("name").identifier());
    let name = name.unwrap_or_else(|| record.stem().to_owned());
    let id = root.get("id").identifier().or_else(|| data.get("id").identifier());
    vec![record.document(id, Some(name), &text, (spans, true), Vec::new())]
}

/// The text, with a line feed between rows and a tab between cells, and the tokens of every cell.
fn read_rows(rows: &At<'_>, findings: &mut Findings) -> Option<(String, Vec<Vec<Cell>>)> {
    let mut text = String::new();
    let mut scalar = 0;
    let mut all = Vec::new();
    for (number, row) in rows.items(ROWS_EXPECTED, findings).enumerate() {
        if number > 0 {
            text.push('\n');
            scalar += 1;
        }
        let mut cells = Vec::new();
        let count = row.count();
        if !row.is_list() {
            return row.refuse(ROWS_EXPECTED, findings);
        }
        for column in 0..count {
            if column > 0 {
                text.push('\t');
                scalar += 1;
            }
            let cell = row.entry(column);
            let content_at = cell.get("content");
            let Some(content) = content_at.as_text() else {
                return content_at.refuse("a string with the text of the cell", findings);
            };
            if content.contains('\0') {
                return content_at.wrong(Problem::ContainsNul, findings);
            }
            cells.push(tokens(&cell, content, scalar, findings)?);
            text.push_str(content);
            scalar += content.chars().count();
        }
        all.push(cells);
    }
    Some((text, all))
}

/// The label set and the item in it, by the item's id.
type LabelItems = HashMap<String, (usize, usize)>;

/// Where the items of the label sets are; of several with one id the first.
fn label_items(data: &At<'_>) -> LabelItems {
    let mut known = LabelItems::new();
    let sets = data.get("labelSets");
    for set in 0..sets.count() {
        let set_at = sets.entry(set);
        let items = set_at.get("labelItems");
        for item in 0..items.count() {
            if let Some(id) = items.entry(item).get("id").identifier() {
                known.entry(id).or_insert((set, item));
            }
        }
    }
    known
}

/// The label's name: what the label says, or its item in the label sets.
fn label_name(
    data: &At<'_>,
    known: &LabelItems,
    label: &At<'_>,
    findings: &mut Findings,
) -> Option<String> {
    let item = label.get("labelItem");
    let name = item.get("labelName");
    if !name.is_absent() {
        return name.name(LABEL_EXPECTED, findings).map(str::to_owned);
    }
    let reference = label.get("labelSetItemId");
    let Some(wanted) = reference.identifier() else {
        return name.name(LABEL_EXPECTED, findings).map(str::to_owned);
    };
    if let Some((set, item)) = known.get(&wanted) {
        let sets = data.get("labelSets");
        let set = sets.entry(*set);
        let items = set.get("labelItems");
        return items
            .entry(*item)
            .get("labelName")
            .name(LABEL_EXPECTED, findings)
            .map(str::to_owned);
    }
    let problem = ExchangeProblem::DanglingReference { what: "label item", reference: wanted };
    reference.wrong(problem, findings)
}
