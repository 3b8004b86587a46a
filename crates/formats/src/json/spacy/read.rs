//! spaCy's JSON: texts with their entities, documents of `Doc.to_json`, training data of version 2.
//!
//! Offsets count Unicode code points, as Python does (`Doc.char_span`).

use crate::TextIndex;
use crate::import::document::ImportedDocument;
use crate::import::findings::Findings;
use crate::import::spans::{GivenSpan, SpanPart, SpanSet, Unit};
use crate::json::at::At;
use crate::json::node::{Kept, Node};
use crate::json::reading::{Cut, Record, Shape};
use crate::json::spacy::training;

pub(crate) const SHAPE: Shape = Shape { read, cut: Cut::Values, kept: Kept::AllBut(&SKIPPED) };

/// What pipelines say of tokens and documents, beside spans.
const SKIPPED: [&str; 11] =
    ["_", "brackets", "cats", "dep", "head", "lemma", "links", "morph", "pos", "sents", "tag"];

const RECORD_EXPECTED: &str =
    "[text, {\"entities\": [[start, end, label]]}], or an object with text and ents";
const ENTITIES_EXPECTED: &str = "a list of [start, end, label]";
const GROUPS_EXPECTED: &str = "an object with lists of spans";
const ENTS_EXPECTED: &str = "a list of objects with start, end and label";
const LABEL_EXPECTED: &str = "a string with the label's name";

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    match root.node {
        Node::List(_) if root.count() == 2 => {
            let (text, notes) = (root.entry(0), root.entry(1));
            tuple(record, &text, &notes, findings)
        }
        Node::Object(_) if !root.get("paragraphs").is_absent() => training::read(record, findings),
        Node::Object(_) if !root.get("entities").is_absent() => {
            tuple(record, &root.get("text"), &root, findings)
        }
        Node::Object(_) => doc(record, findings),
        _ => {
            root.refuse::<()>(RECORD_EXPECTED, findings);
            Vec::new()
        }
    }
}

/// A text and its annotations: `entities`, and `spans` by group, as lists.
fn tuple(
    record: &Record<'_>,
    text: &At<'_>,
    annotations: &At<'_>,
    findings: &mut Findings,
) -> Vec<ImportedDocument> {
    let Some(text) = text.text(findings) else { return Vec::new() };
    let index = TextIndex::new(text);
    let mut spans = SpanSet::default();
    let entities = annotations.get("entities");
    for item in entities.items(ENTITIES_EXPECTED, findings) {
        listed(&index, &item, record.line, &mut spans, findings);
    }
    let found = spans.finish(findings);
    let groups = annotations.get("spans");
    if !groups.is_absent() && !matches!(groups.node, Node::Object(_)) {
        groups.refuse::<()>(GROUPS_EXPECTED, findings);
    }
    let mut spans = SpanSet::with(found);
    for (_, group) in groups.fields() {
        for item in group.items(ENTITIES_EXPECTED, findings) {
            listed(&index, &item, record.line, &mut spans, findings);
        }
    }
    finish(record, annotations, text, spans)
}

/// A document as `Doc.to_json` writes it: `ents`, and `spans` by group, as objects.
fn doc(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let text = root.get("text");
    let Some(text) = text.text(findings) else { return Vec::new() };
    let index = TextIndex::new(text);
    let mut spans = SpanSet::default();
    let ents = root.get("ents");
    for item in ents.items(ENTS_EXPECTED, findings) {
        named(&index, &item, record.line, &mut spans, findings);
    }
    let mut spans = SpanSet::with(spans.finish(findings));
    root.refuse_our_fields("spaCy JSON", findings);
    let groups = root.get("spans");
    for (_, group) in groups.fields() {
        for item in group.items(ENTS_EXPECTED, findings) {
            named(&index, &item, record.line, &mut spans, findings);
        }
    }
    finish(record, &root, text, spans)
}

/// The document. A span that is an entity and in a group is one span, so this is not noted.
fn finish(
    record: &Record<'_>,
    annotations: &At<'_>,
    text: &str,
    spans: SpanSet,
) -> Vec<ImportedDocument> {
    let meta = annotations.get("meta");
    let (id, name) = (meta.get("id").identifier(), meta.get("name").identifier());
    vec![record.document(id, name, text, spans.into_spans(), Vec::new())]
}

fn listed(
    index: &TextIndex<'_>,
    item: &At<'_>,
    line: usize,
    spans: &mut SpanSet,
    findings: &mut Findings,
) {
    // Further entries are the id of an entity in a knowledge base.
    if item.count() < 3 {
        item.refuse::<()>("a list of start, end and label", findings);
        return;
    }
    let (start, end, label) = (item.entry(0), item.entry(1), item.entry(2));
    span(index, [&start, &end, &label], line, spans, findings);
}

fn named(
    index: &TextIndex<'_>,
    item: &At<'_>,
    line: usize,
    spans: &mut SpanSet,
    findings: &mut Findings,
) {
    let (start, end, label) = (item.get("start"), item.get("end"), item.get("label"));
    if matches!(label.node, Node::Text(label) if label.is_empty()) {
        findings.pass_over("spans without a label", 1);
        return;
    }
    span(index, [&start, &end, &label], line, spans, findings);
}

fn span(
    index: &TextIndex<'_>,
    [start, end, label]: [&At<'_>; 3],
    line: usize,
    spans: &mut SpanSet,
    findings: &mut Findings,
) {
    let (from, to) = (start.offset(findings), end.offset(findings));
    let name = label.name(LABEL_EXPECTED, findings);
    let (Some(from), Some(to), Some(name)) = (from, to, name) else { return };
    let given = GivenSpan { start: from, end: to, label: name, quote: None };
    let field = |part| match part {
        SpanPart::Label => label.to_string(),
        SpanPart::End | SpanPart::Quote => end.to_string(),
    };
    spans.add(index, Unit::Scalars, given, line, field, findings);
}
