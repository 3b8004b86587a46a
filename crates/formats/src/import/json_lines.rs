//! JSON Lines: each line is an object with a text and, if known, its spans and whose they are.

use std::collections::{HashMap, HashSet};
use std::io::BufRead;
use std::vec;

use super::document::{ImportedDocument, ImportedSpan, ImportedWork};
use super::error::{ImportError, Problem};
use super::exchange_problem::ExchangeProblem;
use super::findings::{Findings, Notes};
use super::format::{ImportFormat, stem};
use super::json_lines_foreign::Foreign;
use super::json_lines_raw::{Loose, RawSpan, RawWork, Scalar, parse};
use super::lines::Lines;
use super::note::ImportNote;

const OBJECT_EXPECTED: &str = "one object a line, such as {\"text\": \"EU rejects\"}";
const ELSEWHERE_EXPECTED: &str = "spans in \"spans\" and raters in \"work\"; in a file of another \
    tool a short text on the first line lets its beginning tell the format";
const TEXT_EXPECTED: &str = "a string with the document's text";
const ID_EXPECTED: &str = "a string or a whole number";
const LABEL_EXPECTED: &str = "a string with the label's name";
const OFFSET_EXPECTED: &str = "a whole number from 0, counting Unicode code points";
const SPANS_EXPECTED: &str = "a list of objects with start, end and label";
const WORK_EXPECTED: &str = "a list of objects with rater and spans";
const RATER_EXPECTED: &str = "a string or a whole number that names the rater";
const SPAN_EXPECTED: &str = "an object with start, end and label";

/// Yields the documents and problems of a JSON Lines file.
#[derive(Debug)]
pub(super) struct JsonLines<R> {
    lines: Lines<R>,
    file: String,
    waiting: vec::IntoIter<ImportError>,
    notes: Notes,
    empty: bool,
}

impl<R: BufRead> JsonLines<R> {
    pub(super) fn new(file_name: &str, reader: R) -> Self {
        Self {
            lines: Lines::new(reader),
            file: file_name.to_owned(),
            waiting: Vec::new().into_iter(),
            notes: Notes::default(),
            empty: true,
        }
    }

    /// What was passed over so far.
    pub(super) fn notes(&self) -> Vec<ImportNote> {
        self.notes.of_file(&self.file)
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
                Some(document) if findings.is_clean() => {
                    self.notes.collect(number, &mut findings);
                    return Some(Ok(document));
                }
                _ => self.waiting = findings.into_errors(&self.file, Some(number)),
            }
        }
    }
}

fn read_document(
    line: &str,
    number: usize,
    file: &str,
    findings: &mut Findings,
) -> Option<ImportedDocument> {
    let raw = match parse(line) {
        Ok(Loose::Value(raw)) => raw,
        Ok(Loose::Other(found)) => {
            return findings.refuse(None, Problem::WrongType { expected: OBJECT_EXPECTED, found });
        }
        Ok(Loose::Absent) => {
            return findings.refuse(None, Problem::MissingField { expected: OBJECT_EXPECTED });
        }
        Err(problem) => return findings.refuse(None, problem),
    };
    let names_raters = !matches!(raw.work, Loose::Absent);
    for Foreign { field, is_list_of_spans } in raw.foreign {
        // Spans and raters that would get lost are no remark.
        if is_list_of_spans || field.starts_with('_') && !names_raters {
            let problem = ExchangeProblem::OtherFormat {
                format: ImportFormat::JsonLines.name(),
                expected: ELSEWHERE_EXPECTED,
            };
            findings.refuse::<()>(Some(field), problem.into());
        } else {
            findings.pass_over(&format!("the field \"{field}\", which says nothing here"), 1);
        }
    }
    let text = required_text(raw.text, "text", TEXT_EXPECTED, Problem::EmptyText, findings);
    let id = optional_name(raw.id, "id", ID_EXPECTED, findings);
    let name = optional_name(raw.name, "name", ID_EXPECTED, findings)
        .or_else(|| id.clone())
        .unwrap_or_else(|| format!("{}-{number}", stem(file)));
    let length = text.as_ref().map(|text| text.chars().count());
    let spans = read_spans(raw.spans, "spans", length, number, findings);
    let work = read_work(raw.work, length, number, findings);
    Some(ImportedDocument { id, name, text: text?, spans, work, line: number })
}

fn read_spans(
    raw: Loose<Vec<Loose<RawSpan>>>,
    field: &str,
    length: Option<usize>,
    number: usize,
    findings: &mut Findings,
) -> Vec<ImportedSpan> {
    let raw_spans = raw.optional().unwrap_or_else(|found| {
        findings.refuse(Some(field), Problem::WrongType { expected: SPANS_EXPECTED, found })
    });
    let mut first_of: HashMap<(usize, usize, String), usize> = HashMap::new();
    let mut spans = Vec::new();
    for (index, raw_span) in raw_spans.unwrap_or_default().into_iter().enumerate() {
        let field = format!("{field}[{index}]");
        let Some(span) = read_span(raw_span, &field, length, number, findings) else { continue };
        let key = (span.start, span.end, span.label.clone());
        if let Some(first) = first_of.get(&key) {
            findings.refuse::<()>(Some(&field), Problem::DuplicateSpan { first: *first });
        } else {
            first_of.insert(key, index);
            spans.push(span);
        }
    }
    spans
}

fn read_work(
    raw: Loose<Vec<Loose<RawWork>>>,
    length: Option<usize>,
    number: usize,
    findings: &mut Findings,
) -> Vec<ImportedWork> {
    let raw_work = raw.optional().unwrap_or_else(|found| {
        findings.refuse(Some("work"), Problem::WrongType { expected: WORK_EXPECTED, found })
    });
    let mut raters = HashSet::new();
    let mut work = Vec::new();
    for (index, raw_work) in raw_work.unwrap_or_default().into_iter().enumerate() {
        let field = format!("work[{index}]");
        let expected = WORK_EXPECTED;
        let raw = match raw_work {
            Loose::Value(raw) => raw,
            Loose::Other(found) => {
                findings.refuse::<()>(Some(&field), Problem::WrongType { expected, found });
                continue;
            }
            Loose::Absent => continue,
        };
        let rater_field = format!("{field}.rater");
        let rater = match raw.rater {
            Loose::Absent => findings
                .refuse(Some(&rater_field), Problem::MissingField { expected: RATER_EXPECTED }),
            given => optional_name(given, &rater_field, RATER_EXPECTED, findings),
        };
        let spans = read_spans(raw.spans, &format!("{field}.spans"), length, number, findings);
        let Some(rater) = rater else { continue };
        if raters.insert(rater.clone()) {
            work.push(ImportedWork { rater, spans });
        } else {
            findings.refuse::<()>(
                Some(&rater_field),
                Problem::Exchange(ExchangeProblem::RepeatedRater { rater }),
            );
        }
    }
    work
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

fn optional_name(
    raw: Loose<Scalar>,
    field: &str,
    expected: &'static str,
    findings: &mut Findings,
) -> Option<String> {
    match raw.optional() {
        Ok(Some(Scalar::Text(text))) => storable(text, field, Problem::Blank, findings),
        Ok(Some(Scalar::Whole(number))) => Some(number.to_string()),
        Ok(Some(Scalar::Negative(number))) => Some(number.to_string()),
        Ok(None) => None,
        Err(found) => findings.refuse(Some(field), Problem::WrongType { expected, found }),
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
