//! JSON Lines: each line is an object with a text and, if known, its spans.

use std::collections::HashMap;
use std::io::BufRead;
use std::vec;

use super::document::{ImportedDocument, ImportedSpan};
use super::error::{ImportError, Problem, shorten};
use super::format::stem;
use super::json_lines_raw::{Loose, RawDocument, RawSpan, Scalar};
use super::lines::Lines;

/// The most problems that are told of one line: enough to see the pattern.
const MAX_PROBLEMS_PER_LINE: usize = 20;

const OBJECT_EXPECTED: &str = "one object a line, such as {\"text\": \"EU rejects\"}";
const TEXT_EXPECTED: &str = "a string with the document's text";
const ID_EXPECTED: &str = "a string or a whole number";
const LABEL_EXPECTED: &str = "a string with the label's name";
const OFFSET_EXPECTED: &str = "a whole number from 0, counting Unicode code points";
const SPANS_EXPECTED: &str = "a list of objects with start, end and label";
const SPAN_EXPECTED: &str = "an object with start, end and label";

/// Yields the documents and problems of a JSON Lines file.
#[derive(Debug)]
pub(super) struct JsonLines<R> {
    lines: Lines<R>,
    file: String,
    waiting: vec::IntoIter<ImportError>,
    empty: bool,
}

impl<R: BufRead> JsonLines<R> {
    pub(super) fn new(file_name: &str, reader: R) -> Self {
        Self {
            lines: Lines::new(reader),
            file: file_name.to_owned(),
            waiting: Vec::new().into_iter(),
            empty: true,
        }
    }
}

impl<R: BufRead> Iterator for JsonLines<R> {
    type Item = Result<ImportedDocument, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(error) = self.waiting.next() {
                return Some(Err(error));
            }
            let Some((number, line)) = self.lines.next() else {
                let file = self.file.clone();
                let problem = Problem::EmptyFile;
                return std::mem::take(&mut self.empty).then_some(Err(ImportError {
                    file,
                    line: None,
                    field: None,
                    problem,
                }));
            };
            let mut findings = Findings::default();
            let document = match line {
                Ok(line) if line.trim().is_empty() => continue,
                Ok(line) => read_document(&line, number, &self.file, &mut findings),
                Err(problem) => findings.refuse(None, problem),
            };
            self.empty = false;
            match document {
                Some(document) if findings.0.is_empty() => return Some(Ok(document)),
                _ => self.waiting = findings.into_errors(&self.file, number),
            }
        }
    }
}

/// The problems of one line; a line with any of them yields no document.
#[derive(Debug, Default)]
struct Findings(Vec<(Option<String>, Problem)>);

impl Findings {
    /// Notes a problem and stands in for the value that is missing because of it.
    fn refuse<T>(&mut self, field: Option<&str>, problem: Problem) -> Option<T> {
        if self.0.len() < MAX_PROBLEMS_PER_LINE {
            self.0.push((field.map(str::to_owned), problem));
        }
        None
    }

    fn into_errors(self, file: &str, line: usize) -> vec::IntoIter<ImportError> {
        let name = |(field, problem)| ImportError {
            file: file.to_owned(),
            line: Some(line),
            field,
            problem,
        };
        self.0.into_iter().map(name).collect::<Vec<_>>().into_iter()
    }
}

fn read_document(
    line: &str,
    number: usize,
    file: &str,
    findings: &mut Findings,
) -> Option<ImportedDocument> {
    let raw: RawDocument = match serde_json::from_str(line) {
        Ok(Loose::Value(raw)) => raw,
        Ok(Loose::Other(found)) => {
            return findings.refuse(None, Problem::WrongType { expected: OBJECT_EXPECTED, found });
        }
        Ok(Loose::Absent) => {
            return findings.refuse(None, Problem::MissingField { expected: OBJECT_EXPECTED });
        }
        Err(error) => return findings.refuse(None, invalid_json(&error)),
    };
    let text = required_text(raw.text, "text", TEXT_EXPECTED, Problem::EmptyText, findings);
    let id = optional_name(raw.id, "id", findings);
    let name = optional_name(raw.name, "name", findings)
        .or_else(|| id.clone())
        .unwrap_or_else(|| format!("{}-{number}", stem(file)));
    let length = text.as_ref().map(|text| text.chars().count());
    let raw_spans = raw.spans.optional().unwrap_or_else(|found| {
        findings.refuse(Some("spans"), Problem::WrongType { expected: SPANS_EXPECTED, found })
    });
    let mut first_of: HashMap<(usize, usize, String), usize> = HashMap::new();
    let mut spans = Vec::new();
    for (index, raw_span) in raw_spans.unwrap_or_default().into_iter().enumerate() {
        let field = format!("spans[{index}]");
        let Some(span) = read_span(raw_span, &field, length, number, findings) else { continue };
        let key = (span.start, span.end, span.label.clone());
        if let Some(first) = first_of.get(&key) {
            findings.refuse::<()>(Some(&field), Problem::DuplicateSpan { first: *first });
        } else {
            first_of.insert(key, index);
            spans.push(span);
        }
    }
    Some(ImportedDocument { id, name, text: text?, spans, work: Vec::new(), line: number })
}

/// What serde says without its place, which the error gives in its own words.
fn invalid_json(error: &serde_json::Error) -> Problem {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let reason = shorten(said.strip_suffix(&place).unwrap_or(&said));
    Problem::InvalidJson { column: error.column(), reason }
}

fn read_span(
    raw: Loose<RawSpan>,
    field: &str,
    length: Option<usize>,
    line: usize,
    findings: &mut Findings,
) -> Option<ImportedSpan> {
    let raw = match raw {
        Loose::Value(raw) => raw,
        Loose::Other(found) => {
            let problem = Problem::WrongType { expected: SPAN_EXPECTED, found };
            return findings.refuse(Some(field), problem);
        }
        Loose::Absent => {
            return findings.refuse(Some(field), Problem::MissingField { expected: SPAN_EXPECTED });
        }
    };
    let end_field = format!("{field}.end");
    let label_field = format!("{field}.label");
    let start = required_offset(raw.start, &format!("{field}.start"), findings);
    let end = required_offset(raw.end, &end_field, findings);
    let label = required_text(raw.label, &label_field, LABEL_EXPECTED, Problem::Blank, findings);
    let (start, end) = (start?, end?);
    if end < start {
        return findings.refuse(Some(&end_field), Problem::SpanEndsBeforeStart { start, end });
    }
    if end == start {
        return findings.refuse(Some(&end_field), Problem::EmptySpan { at: start });
    }
    // Without a text there is nothing to measure against, and the text's own problem is told.
    let length = length?;
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(start), Ok(end)) if end <= length => {
            Some(ImportedSpan { start, end, label: label?, line })
        }
        _ => findings.refuse(Some(&end_field), Problem::SpanPastEnd { end, length }),
    }
}

fn required_offset(raw: Loose<Scalar>, field: &str, findings: &mut Findings) -> Option<u64> {
    let found = match raw {
        Loose::Value(Scalar::Whole(offset)) => return Some(offset),
        Loose::Value(other) => other.kind(),
        Loose::Other(found) => found,
        Loose::Absent => {
            return findings
                .refuse(Some(field), Problem::MissingField { expected: OFFSET_EXPECTED });
        }
    };
    findings.refuse(Some(field), Problem::WrongType { expected: OFFSET_EXPECTED, found })
}

fn required_text(
    raw: Loose<Scalar>,
    field: &str,
    expected: &'static str,
    blank: Problem,
    findings: &mut Findings,
) -> Option<String> {
    let found = match raw {
        Loose::Value(Scalar::Text(text)) => return storable(text, field, blank, findings),
        Loose::Value(other) => other.kind(),
        Loose::Other(found) => found,
        Loose::Absent => {
            return findings.refuse(Some(field), Problem::MissingField { expected });
        }
    };
    findings.refuse(Some(field), Problem::WrongType { expected, found })
}

fn optional_name(raw: Loose<Scalar>, field: &str, findings: &mut Findings) -> Option<String> {
    match raw.optional() {
        Ok(Some(Scalar::Text(text))) => storable(text, field, Problem::Blank, findings),
        Ok(Some(Scalar::Whole(number))) => Some(number.to_string()),
        Ok(Some(Scalar::Negative(number))) => Some(number.to_string()),
        Ok(None) => None,
        Err(found) => {
            findings.refuse(Some(field), Problem::WrongType { expected: ID_EXPECTED, found })
        }
    }
}

/// The value, if it has something visible and nothing that a database refuses.
fn storable(value: String, field: &str, blank: Problem, findings: &mut Findings) -> Option<String> {
    if value.contains('\0') {
        return findings.refuse(Some(field), Problem::ContainsNul);
    }
    if value.trim().is_empty() {
        return findings.refuse(Some(field), blank);
    }
    Some(value)
}
