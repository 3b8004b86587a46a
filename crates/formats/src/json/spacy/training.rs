//! spaCy's training data of version 2: documents of paragraphs of sentences of tokens with BILUO
//! tags. Each paragraph is a document; without a `raw` text it is its tokens with single spaces.

use crate::import::document::{ImportedDocument, check_text};
use crate::import::findings::Findings;
use crate::import::spans::SpanSet;
use crate::json::hugging_face::token_scan::TokenScan;
use crate::json::reading::Record;
use crate::json::value::at::At;
use crate::json::value::node::Node;
use crate::problem::exchange::ExchangeProblem;

const PARAGRAPHS_EXPECTED: &str = "a list of paragraphs";
const SENTENCES_EXPECTED: &str = "a list of sentences";
const TOKENS_EXPECTED: &str = "a list of tokens";
const ORTH_EXPECTED: &str = "a string with the token";
const TAG_EXPECTED: &str = "a BILUO tag: O, -, B-LABEL, I-LABEL, L-LABEL or U-LABEL";

pub(crate) fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let paragraphs = root.get("paragraphs");
    let (id, alone) = (root.get("id").identifier(), paragraphs.count() == 1);
    let items = paragraphs.items(PARAGRAPHS_EXPECTED, findings);
    let mut documents = Vec::new();
    for (number, paragraph) in items.enumerate() {
        let id = id.as_ref().map(|id| if alone { id.clone() } else { format!("{id}-{number}") });
        documents.extend(read_paragraph(record, id, &paragraph, findings));
    }
    documents
}

fn read_paragraph(
    record: &Record<'_>,
    id: Option<String>,
    paragraph: &At<'_>,
    findings: &mut Findings,
) -> Option<ImportedDocument> {
    let raw = paragraph.get("raw");
    let text = match raw.as_text() {
        Some(_) => raw.text(findings)?.to_owned(),
        None => joined(paragraph, findings)?,
    };
    let mut spans = SpanSet::default();
    let mut scan = Scan { tokens: TokenScan::new(&text), open: None };
    let sentences = paragraph.get("sentences");
    for sentence in sentences.items(SENTENCES_EXPECTED, findings) {
        let tokens = sentence.get("tokens");
        for token in tokens.items(TOKENS_EXPECTED, findings) {
            let orth = token.get("orth");
            // Tokens may be whitespace.
            let Some(orth_text) = orth.as_text().filter(|text| !text.is_empty()) else {
                return orth.refuse(ORTH_EXPECTED, findings);
            };
            let Some((start, end)) = scan.tokens.find(orth_text) else {
                let problem = ExchangeProblem::TokenNotInText(orth_text.to_owned());
                return orth.wrong(problem, findings);
            };
            let tag = token.get("ner");
            match tag.node {
                Node::Absent | Node::Null => {}
                Node::Text(name) if name == "O" || name == "-" || name.is_empty() => {
                    if scan.open.is_some() {
                        tag.refuse::<()>(TAG_EXPECTED, findings);
                    }
                }
                Node::Text(name) => {
                    scan.tag(name, start, end, record.line, &mut spans, &tag, findings);
                }
                _ => {
                    tag.refuse::<()>(TAG_EXPECTED, findings);
                }
            }
        }
    }
    if scan.open.is_some() {
        sentences.refuse::<()>("every B- to be closed by its L-", findings);
    }
    let spans = spans.finish(findings);
    Some(record.document(id, None, &text, (spans, true), Vec::new()))
}

/// The tokens of a paragraph with single spaces.
fn joined(paragraph: &At<'_>, findings: &mut Findings) -> Option<String> {
    let mut tokens = Vec::new();
    let sentences = paragraph.get("sentences");
    for sentence in sentences.items(SENTENCES_EXPECTED, findings) {
        let list = sentence.get("tokens");
        for token in list.items(TOKENS_EXPECTED, findings) {
            tokens.extend(token.get("orth").as_text().map(str::to_owned));
        }
    }
    let text = tokens.join(" ");
    match check_text(&text) {
        Ok(()) => Some(text),
        Err(problem) => sentences.wrong(problem, findings),
    }
}

/// A walk over the text, token by token.
struct Scan<'text> {
    tokens: TokenScan<'text>,
    /// The span that B- opened: its start and label.
    open: Option<(usize, String)>,
}

impl Scan<'_> {
    #[expect(clippy::too_many_arguments, reason = "a step of one loop, with the loop's own state")]
    fn tag(
        &mut self,
        name: &str,
        start: usize,
        end: usize,
        line: usize,
        spans: &mut SpanSet,
        tag: &At<'_>,
        findings: &mut Findings,
    ) {
        let is_label = |label: &str| !label.trim().is_empty() && !label.contains('\0');
        match (name.split_once('-'), self.open.take()) {
            (Some(("B", label)), None) if is_label(label) => {
                self.open = Some((start, label.to_owned()));
            }
            (Some(("U", label)), None) if is_label(label) => spans.keep(start, end, label, line),
            (Some(("I", label)), Some((from, open))) if label == open => {
                self.open = Some((from, open));
            }
            (Some(("L", label)), Some((from, open))) if label == open => {
                spans.keep(from, end, label, line);
            }
            _ => {
                tag.refuse::<()>(TAG_EXPECTED, findings);
            }
        }
    }
}
