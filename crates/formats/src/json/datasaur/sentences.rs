//! Datasaur's other exports: sentences with their tokens, and labels beside them or in each.

use std::collections::HashMap;

use crate::import::document::ImportedDocument;
use crate::import::findings::Findings;
use crate::import::limits::count64;
use crate::import::spans::SpanSet;
use crate::json::datasaur::places::{Cell, End, Keys, place, tokens};
use crate::json::reading::Record;
use crate::json::value::at::At;
use crate::json::value::node::Node;
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;

const SENTENCES_EXPECTED: &str = "a list of sentences, each with content and tokens";
const LABELS_EXPECTED: &str = "a list of labels";
const NAME_EXPECTED: &str = "a string with the label's name";

/// Positions of labels that stand beside the sentences.
const STARTS: Keys = ["startCellLine", "startCellIndex", "startTokenIndex", "startCharIndex"];
const ENDS: Keys = ["endCellLine", "endCellIndex", "endTokenIndex", "endCharIndex"];

/// Positions of labels that stand in a sentence; there is no column.
const WITHIN: Keys = ["sentenceId", "", "tokenId", "charId"];

/// The document of such an export.
pub(super) fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let sentences = root.get("sentences");
    let (mut text, mut length, mut cells) = (String::new(), 0, Vec::<Vec<Cell>>::new());
    for (number, sentence) in sentences.items(SENTENCES_EXPECTED, findings).enumerate() {
        if number > 0 {
            text.push('\n');
            length += 1;
        }
        let content_at = sentence.get("content");
        let Some(content) = content_at.as_text().filter(|content| !content.contains('\0')) else {
            content_at.refuse::<()>(SENTENCES_EXPECTED, findings);
            return Vec::new();
        };
        let Some(cell) = tokens(&sentence, content, length, findings) else { return Vec::new() };
        cells.push(vec![cell]);
        text.push_str(content);
        length += content.chars().count();
    }
    if text.trim().is_empty() {
        sentences.wrong::<()>(Problem::EmptyText, findings);
        return Vec::new();
    }
    let names = names(&root);
    let (mut spans, mut left_out) = (SpanSet::default(), 0);
    let mut keep = |label: &At<'_>, ends: [Option<usize>; 2], findings: &mut Findings| {
        let name = name(&names, label, findings);
        if let ([Some(start), Some(end)], Some(name)) = (ends, name) {
            if start < end {
                spans.keep(start, end, &name, record.line);
            } else {
                label.wrong::<()>(Problem::EmptySpan(count64(start)), findings);
            }
        }
    };
    for label in root.get("labels").items(LABELS_EXPECTED, findings) {
        if is_span(&label) {
            let start = place(&cells, &label, STARTS, End::Start, findings);
            let end = place(&cells, &label, ENDS, End::End, findings);
            keep(&label, [start, end], findings);
        } else {
            left_out += 1;
        }
    }
    for sentence in sentences.items(SENTENCES_EXPECTED, findings) {
        for label in sentence.get("labels").items(LABELS_EXPECTED, findings) {
            if is_span(&label) {
                let start = place(&cells, &label.get("start"), WITHIN, End::Start, findings);
                let end = place(&cells, &label.get("end"), WITHIN, End::End, findings);
                keep(&label, [start, end], findings);
            } else {
                left_out += 1;
            }
        }
    }
    findings.pass_over("labels in conflict, taken back, or of something else than text", left_out);
    let spans = spans.finish(findings);
    let name = Some(record.stem().to_owned());
    vec![record.document(None, name, &text, (spans, true), Vec::new())]
}

/// Whether a label is of a stretch of text, and holds.
fn is_span(label: &At<'_>) -> bool {
    let says = |key: &str, value: &str| label.get(key).as_text() == Some(value);
    let is_deleted = matches!(label.get("deleted").node, Node::Bool(true));
    (label.get("type").is_absent() || says("type", "SPAN"))
        && !(is_deleted || says("labeledBy", "CONFLICT") || says("status", "REJECTED"))
}

/// The names of labels by their ids.
fn names(root: &At<'_>) -> HashMap<String, String> {
    let mut names = HashMap::new();
    let sets = root.get("labelSets");
    for set in 0..sets.count() {
        let set_at = sets.entry(set);
        let config = set_at.get("config");
        let options = config.get("options");
        for option in 0..options.count() {
            let option = options.entry(option);
            if let Some((id, name)) =
                option.get("id").identifier().zip(option.get("label").identifier())
            {
                names.insert(id, name);
            }
        }
    }
    names
}

/// What a label is called: as it says itself, or by the id of its item.
fn name(
    names: &HashMap<String, String>,
    label: &At<'_>,
    findings: &mut Findings,
) -> Option<String> {
    let said = label.get("labelText").identifier();
    let id_at = ["labelSetItemId", "l"].map(|key| label.get(key));
    let id = id_at.iter().find_map(At::identifier);
    let Some(wanted) = said.or_else(|| id.as_ref().and_then(|id| names.get(id)).cloned()) else {
        let Some(reference) = id else { return label.refuse(NAME_EXPECTED, findings) };
        let problem = ExchangeProblem::DanglingReference { what: "label item", reference };
        return label.wrong(problem, findings);
    };
    Some(wanted)
}
