//! Tokens with tags as data sets of Hugging Face have them: a record a line, or the rows of their viewer.

use std::borrow::Cow;

use crate::columns::scheme::TagScheme;
use crate::columns::tags::{Chain, Tag, TokenStep};
use crate::import::document::{ImportedDocument, ImportedSpan, check_text};
use crate::import::findings::Findings;
use crate::import::findings::note::Note;
use crate::import::findings::repair::Repair;
use crate::import::spans::SpanSet;
use crate::json::hugging_face::token_scan::TokenScan;
use crate::json::reading::{Cut, Record, Shape};
use crate::json::value::at::At;
use crate::json::value::node::{Kept, Node};
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;

pub(crate) const SHAPE: Shape =
    Shape { read, cut: Cut::Values, kept: Kept::AllBut(&[]), cut_texts: false };

/// What the tags of tokens are called, the likeliest first.
pub(crate) const TAG_FIELDS: [&str; 4] = ["ner_tags", "ner", "tags", "labels"];

const TOKENS_EXPECTED: &str = "a list of tokens";
const TOKEN_EXPECTED: &str = "a string with the token";
const TAGS_EXPECTED: &str = "a tag for each token";
const TAG_EXPECTED: &str = "the name of a tag, such as B-PER; numbers need their names, which the data \
    set has: features[\"ner_tags\"].feature.names";

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let rows = root.get("rows");
    if !rows.is_list() {
        return document(record, &root, &[], findings).into_iter().collect();
    }
    let features = root.get("features");
    let features: Vec<At<'_>> = (0..features.count()).map(|at| features.entry(at)).collect();
    let entries: Vec<At<'_>> = (0..rows.count()).map(|at| rows.entry(at)).collect();
    let read = |entry: &At<'_>| document(record, &entry.get("row"), &features, &mut *findings);
    entries.iter().filter_map(read).collect()
}

/// A document of a record; `features` describe its fields.
fn document(
    record: &Record<'_>,
    row: &At<'_>,
    features: &[At<'_>],
    findings: &mut Findings,
) -> Option<ImportedDocument> {
    let asked = findings.options.layers.clone();
    let mut fields: Vec<&str> = asked.iter().map(String::as_str).collect();
    if fields.is_empty() {
        fields.extend(TAG_FIELDS);
    }
    let tags = fields.iter().map(|field| row.get(field)).find(At::is_list);
    let tags = tags.unwrap_or_else(|| row.get("ner_tags"));
    let tokens = row.get("tokens");
    if !tokens.is_list() {
        return tokens.refuse(TOKENS_EXPECTED, findings);
    }
    if tags.count() != tokens.count() || !tags.is_list() {
        return tags.refuse(TAGS_EXPECTED, findings);
    }
    let words: Option<Vec<&str>> =
        (0..tokens.count()).map(|at| tokens.entry(at).as_text()).collect();
    let Some(words) = words else { return tokens.refuse(TOKEN_EXPECTED, findings) };
    let text = row.get("text");
    let text = match text.as_text() {
        Some(text) => text.to_owned(),
        None => words.join(" "),
    };
    if let Err(problem) = check_text(&text) {
        return tokens.wrong(problem, findings);
    }
    let names = names(&tags, features);
    let spans = spans(record.line, &text, (&tokens, &words), (&tags, &names), findings)?;
    let (id, name) = (row.get("id").identifier(), row.get("name").identifier());
    Some(record.document(id, name, &text, (spans, true), Vec::new()))
}

/// The names of tags that are numbers, as the features of a data set have them.
fn names(tags: &At<'_>, features: &[At<'_>]) -> Vec<String> {
    let is_feature = |feature: &&At<'_>| feature.get("name").as_text() == tags.key();
    let Some(feature) = features.iter().find(is_feature) else { return Vec::new() };
    let kind = feature.get("type");
    let kind = kind.get("feature");
    let names = kind.get("names");
    (0..names.count()).filter_map(|at| names.entry(at).as_text().map(str::to_owned)).collect()
}

/// The spans that the tags of a record make.
fn spans(
    line: usize,
    text: &str,
    (tokens, words): (&At<'_>, &[&str]),
    (tags, names): (&At<'_>, &[String]),
    findings: &mut Findings,
) -> Option<Vec<ImportedSpan>> {
    let mut cells: Vec<Cow<'_, str>> = Vec::new();
    for at in 0..tags.count() {
        let tag = tags.entry(at);
        let name = match tag.node {
            Node::Text(name) => Some(Cow::Borrowed(name.as_str())),
            Node::Whole(number) => usize::try_from(*number)
                .ok()
                .and_then(|number| names.get(number))
                .map(|name| Cow::Borrowed(name.as_str())),
            _ => None,
        };
        match name {
            Some(name) if name.contains('\0') => return tag.wrong(Problem::ContainsNul, findings),
            Some(name) => cells.push(name),
            None => return tag.refuse(TAG_EXPECTED, findings),
        }
    }
    let are_labels = Tag::are_labels(cells.iter().map(AsRef::as_ref));
    if are_labels {
        // Parts of speech look like labels, but no token is without.
        let is_outside = |cell: &Cow<'_, str>| Tag::is_outside(cell);
        if !tags.key().is_some_and(|key| key.starts_with("ner")) && !cells.iter().any(is_outside) {
            return tags.refuse(TAG_EXPECTED, findings);
        }
        findings.note(Note::TagScheme(TagScheme::Io), 1);
    }
    let (mut chain, mut scan) = (Chain::default(), TokenScan::new(text));
    let (mut found, mut open): (SpanSet, Option<(usize, usize, String)>) = Default::default();
    for (at, (word, cell)) in words.iter().zip(&cells).enumerate() {
        let token = tokens.entry(at);
        if word.is_empty() {
            return token.refuse(TOKEN_EXPECTED, findings);
        }
        let Some((start, end)) = scan.find(word) else {
            return token.wrong(ExchangeProblem::TokenNotInText((*word).to_owned()), findings);
        };
        let tag = match if are_labels { Tag::parse_label(cell) } else { Tag::parse(cell) } {
            Ok(tag) => tag,
            Err(problem) => return tags.entry(at).wrong(problem, findings),
        };
        match (chain.follow(tag, line), &mut open) {
            (TokenStep::Continues, Some((_, until, _))) => *until = end,
            (step, open) => {
                if let Some((from, until, label)) = open.take() {
                    found.keep(from, until, &label, line);
                }
                if step == TokenStep::Opens {
                    *open = Some((start, end, tag.label().unwrap_or_default().to_owned()));
                }
            }
        }
    }
    if let Some((from, until, label)) = open {
        found.keep(from, until, &label, line);
    }
    chain.break_off();
    findings.repair(Repair::OrphanTag, chain.orphans());
    Some(found.finish(findings))
}
