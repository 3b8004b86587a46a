//! Datasaur's schema: a document in rows of tokens.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use serde::Serialize;
use serde_json::Value;

use crate::TextIndex;
use crate::export::annotated::AnnotatedDocument;
use crate::export::cut_tokens::{cut_tokens, tokens_of};
use crate::export::error::ExportError;
use crate::export::held::{held, id_value};
use crate::export::json_line::write_json_line;
use crate::export::loss::{Loss, LossReason, Losses};
use crate::export::tokens::Token;

#[derive(Serialize)]
struct File<'document> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    name: &'document str,
    data: Data<'document>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'document> {
    rows: Vec<[Cell<'document>; 1]>,
    label_sets: [LabelSet<'document>; 1],
    span_labels: Vec<SpanLabel<'document>>,
}

#[derive(Serialize)]
struct Cell<'document> {
    content: &'document str,
    tokens: Vec<&'document str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LabelSet<'document> {
    index: usize,
    label_items: Vec<LabelItem<'document>>,
}

#[derive(Serialize, Clone)]
#[serde(rename_all = "camelCase")]
struct LabelItem<'document> {
    id: String,
    label_name: &'document str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SpanLabel<'document> {
    id: String,
    label_item: LabelItem<'document>,
    text_position: TextPosition,
}

#[derive(Serialize)]
struct TextPosition {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Position {
    row: usize,
    column: usize,
    token_index: usize,
    char_index: usize,
}

/// Writes one document as a file of Datasaur's schema and returns what it could not hold: spans
/// that start or end at whitespace, and what named raters marked, because Datasaur's export has a
/// folder for each.
///
/// A row is a line of the text, without its line feed. Tokens are cut where spans start and end, so
/// that every span is made of whole ones; the last token and its last character (in UTF-16 units)
/// are inclusive.
pub fn write_datasaur<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
) -> Result<Vec<Loss>, ExportError> {
    let index = TextIndex::new(&document.text);
    let mut losses = Losses::new(&document.name);
    losses.of_raters(document);
    losses.of_answers(None, document.answers.len());
    let spans = held(&document.spans, &index, None, &mut losses);
    let tokens = cut_tokens(&document.text, &index, document.spans.iter());
    let (rows, places) = rows(&document.text, &tokens);
    let names: BTreeSet<&str> = spans.iter().map(|span| &*span.label).collect();
    let items: BTreeMap<&str, LabelItem<'_>> = names
        .into_iter()
        .enumerate()
        .map(|(number, label_name)| {
            (label_name, LabelItem { id: format!("l{number}"), label_name })
        })
        .collect();
    let mut span_labels = Vec::new();
    for (number, span) in spans.into_iter().enumerate() {
        let ends = tokens_of(&tokens, span).and_then(|(first, last)| {
            let start = position(&places, first, 0)?;
            let length = tokens.get(last)?.text.encode_utf16().count();
            Some(TextPosition { start, end: position(&places, last, length.saturating_sub(1))? })
        });
        match (ends, items.get(&*span.label)) {
            (Some(text_position), Some(item)) => {
                let id = format!("s{number}");
                span_labels.push(SpanLabel { id, label_item: item.clone(), text_position });
            }
            _ => losses.of_span(span, LossReason::NotOnTokenBoundary),
        }
    }
    let label_items = items.into_values().collect();
    let label_sets = [LabelSet { index: 0, label_items }];
    let data = Data { rows, label_sets, span_labels };
    let id = document.id.as_deref().map(id_value);
    write_json_line(out, &File { id, name: &document.name, data })?;
    Ok(losses.into_sorted())
}

/// The rows of a text, and the row and the number within it of every token.
fn rows<'text>(
    text: &'text str,
    tokens: &[Token<'text>],
) -> (Vec<[Cell<'text>; 1]>, Vec<(usize, usize)>) {
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    let mut left = tokens.iter().peekable();
    let mut end = 0;
    for (row, content) in text.split('\n').enumerate() {
        end += content.chars().count();
        let mut cell = Cell { content, tokens: Vec::new() };
        while let Some(token) = left.next_if(|token| token.end <= end) {
            places.push((row, cell.tokens.len()));
            cell.tokens.push(token.text);
        }
        end += 1;
        rows.push([cell]);
    }
    (rows, places)
}

fn position(places: &[(usize, usize)], token: usize, char_index: usize) -> Option<Position> {
    let (row, token_index) = *places.get(token)?;
    Some(Position { row, column: 0, token_index, char_index })
}
