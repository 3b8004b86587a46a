//! spaCy's JSON: texts with their entities, documents of `Doc.to_json`, training data of version 2.
//!
//! Offsets count Unicode code points, as Python does (`Doc.char_span`).

use crate::TextIndex;
use crate::import::document::ImportedDocument;
use crate::import::findings::Findings;
use crate::import::spans::Unit;
use crate::json::reading::{Cut, Record, Shape};
use crate::json::spacy::training;
use crate::json::value::at::At;
use crate::json::value::node::{Kept, Node};
use crate::json::value::spans::RecordSpans;

pub(crate) const SHAPE: Shape =
    Shape { read, cut: Cut::Values, kept: Kept::AllBut(&SKIPPED), cut_texts: false };

/// What pipelines say of tokens and documents, beside spans.
const SKIPPED: [&str; 13] = [
    "_", "brackets", "cats", "dep", "head", "lemma", "links", "morph", "pos", "sents", "spaces",
    "tag", "words",
];

const RECORD_EXPECTED: &str =
    "[text, {\"entities\": [[start, end, label]]}], or an object with text and ents";
const ENTITIES_EXPECTED: &str = "a list of [start, end, label]";
const GROUPS_EXPECTED: &str = "an object with lists of spans";
const ENTS_EXPECTED: &str = "a list of objects with start, end and label";

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    match root.node {
        Node::List(_) if root.count() == 2 => {
            let (text, notes) = (root.entry(0), root.entry(1));
            tuple(record, &text, &notes, findings)
        }
        Node::Object(_) if !root.get("paragraphs").is_absent() => training::read(record, findings),
        Node::Object(_) if root.get("annotations").is_list() => annotated(record, findings),
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

/// Texts in a list below `annotations`, as annotators for spaCy write them: empty entries are what nobody
/// has annotated.
fn annotated(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let list = record.root.get("annotations");
    let mut documents = Vec::new();
    for (number, entry) in (1..).zip(list.items(RECORD_EXPECTED, findings)) {
        if entry.is_absent() {
            findings.pass_over("entries without a text", 1);
            continue;
        }
        let (text, notes) = (entry.entry(0), entry.entry(1));
        let found = tuple(record, &text, &notes, findings);
        documents.extend(found.into_iter().map(|document| {
            let name = format!("{}-{number}", record.stem());
            ImportedDocument { name, ..document }
        }));
    }
    documents
}

/// A text and its annotations: `entities`, and `spans` by group, as lists.
fn tuple(
    record: &Record<'_>,
    text: &At<'_>,
    annotations: &At<'_>,
    findings: &mut Findings,
) -> Vec<ImportedDocument> {
    let groups = annotations.get("spans");
    if !groups.is_absent() && !groups.is_object() {
        groups.refuse::<()>(GROUPS_EXPECTED, findings);
    }
    let entities = annotations.get("entities");
    document(record, text, annotations, [&entities, &groups], (ENTITIES_EXPECTED, listed), findings)
}

/// A document as `Doc.to_json` writes it: `ents`, and `spans` by group, as objects.
fn doc(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    root.refuse_our_fields("spaCy JSON", findings);
    let (entities, groups) = (root.get("ents"), root.get("spans"));
    document(
        record,
        &root.get("text"),
        &root,
        [&entities, &groups],
        (ENTS_EXPECTED, named),
        findings,
    )
}

/// How a list is told to be wrong, and what adds an entry of it.
type List = (&'static str, fn(&At<'_>, &mut RecordSpans<'_>, &mut Findings));

fn document(
    record: &Record<'_>,
    text: &At<'_>,
    annotations: &At<'_>,
    [entities, groups]: [&At<'_>; 2],
    (expected, add): List,
    findings: &mut Findings,
) -> Vec<ImportedDocument> {
    let Some(text) = text.text(findings) else { return Vec::new() };
    let index = TextIndex::new(text);
    let mut spans = RecordSpans::new(&index, Unit::Scalars, record.line);
    for item in entities.items(expected, findings) {
        add(&item, &mut spans, findings);
    }
    let repeated = spans.take_repeated();
    findings.repeated(repeated);
    for (_, group) in groups.fields() {
        for item in group.items(expected, findings) {
            add(&item, &mut spans, findings);
        }
    }
    // A span that is an entity and in a group is one span, so this is not noted.
    spans.take_repeated();
    let meta = annotations.get("meta");
    let (id, name) = (meta.get("id").identifier(), meta.get("name").identifier());
    vec![record.document(id, name, text, (spans.finish(findings), true), Vec::new())]
}

fn listed(item: &At<'_>, spans: &mut RecordSpans<'_>, findings: &mut Findings) {
    // Further entries are the id of an entity in a knowledge base.
    if item.is_object() {
        named(item, spans, findings);
    } else if item.count() < 3 {
        item.refuse::<()>("a list of start, end and label", findings);
    } else {
        spans.add([&item.entry(0), &item.entry(1), &item.entry(2)], None, findings);
    }
}

fn named(item: &At<'_>, spans: &mut RecordSpans<'_>, findings: &mut Findings) {
    let label = item.get("label");
    if label.as_text() == Some("") {
        findings.pass_over("spans without a label", 1);
    } else {
        spans.add([&item.get("start"), &item.get("end"), &label], None, findings);
    }
}
