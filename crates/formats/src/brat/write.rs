//! brat's standoff format: a text, its annotations beside it, and which labels there are.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use crate::TextIndex;
use crate::brat::read::ends_line;
use crate::export::annotated::{AnnotatedAnswer, AnnotatedDocument, AnnotatedSpan, AnswersBySpan};
use crate::export::answer_names::{AnswerNames, Naming};
use crate::export::error::ExportError;
use crate::export::held::{Written, relabelled};
use crate::export::loss::{Loss, LossReason, Losses};

/// Writes the text of a document, for the `.txt` file, exactly as it is.
pub fn write_brat_text<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
) -> Result<(), ExportError> {
    Ok(out.write_all(document.text.as_bytes())?)
}

/// Writes the spans of no named rater, for the `.ann` file, and returns what it does not hold.
///
/// ```text
/// T1    ORG 0 2    EU
/// A1    Certainty T1 high
/// ```
///
/// (With tabs after the id and before the text.) Offsets are Unicode scalar values. A span across
/// lines is written in parts, a line each, as brat does; one that begins or ends with the end of a
/// line is written in one part, with spaces for the ends of lines in its quote. Of a label letters,
/// digits, `-` and `_` are kept, and all else becomes `_`, since brat's types are made of these.
/// The files have no id, and their name is the document's, so name them after it. The work of one
/// rater is written with [`AnnotatedDocument::of_rater`].
///
/// An answer about a span is an attribute of it, under the question's name as `config` has it, which learns
/// of everything written. Of an answer, too, only
/// letters, digits, `-`, `_` and `.` are kept. An attribute has one value: several choices are left
/// out, and so is what is answered about the document, which has no place here.
pub fn write_brat_annotations<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
    config: &mut BratConfig,
) -> Result<Vec<Loss>, ExportError> {
    let mut losses = Losses::new(&document.name);
    losses.of_raters(document);
    losses.of_id(document);
    let index = TextIndex::new(&document.text);
    let misfit = |span: &AnnotatedSpan| {
        let within = span.start < span.end && span.end <= index.scalar_count();
        (!within).then_some(LossReason::OutsideText)
    };
    let answers = AnswersBySpan::new(&document.answers);
    config.add(&document.spans, &answers, &mut losses);
    let (mut left_out, mut attributes) = (answers.of_document.len(), 0_usize);
    let written = relabelled(&document.spans, misfit, brat_label, &mut losses);
    for (number, Written { span, label }) in written.into_iter().enumerate() {
        let text = index.slice(span.start, span.end).unwrap_or_default();
        let parts = parts(text, span.start);
        let offsets: Vec<String> =
            parts.iter().map(|(start, end, _)| format!("{start} {end}")).collect();
        let quotes: Vec<&str> = parts.iter().map(|(_, _, quote)| *quote).collect();
        let quote = quotes.join(" ").replace(ends_line, " ");
        let number = number + 1;
        writeln!(out, "T{number}\t{label} {}\t{quote}", offsets.join(";"))?;
        for answer in answers.of(span) {
            let Some((name, value)) = config.names.of(answer).zip(brat_value(answer)) else {
                left_out += 1;
                continue;
            };
            attributes += 1;
            writeln!(out, "A{attributes}\t{name} T{number} {value}")?;
            if value != answer.answer.to_string() {
                let question = answer.question.clone();
                let reason = LossReason::AnswerRewritten { question, answer: value };
                losses.of_span(span, reason);
            }
        }
    }
    losses.of_answers(None, left_out);
    Ok(losses.into_sorted())
}

/// The value of an attribute that is an answer; none if brat has none for it.
fn brat_value(answer: &AnnotatedAnswer) -> Option<String> {
    let [value] = answer.answer.words() else { return None };
    let value = value.replace(is_not_of_value, "_");
    (!value.is_empty()).then_some(value)
}

/// How brat calls questions.
#[derive(Debug)]
pub(crate) struct Attributes;

impl Naming for Attributes {
    const KNOWS_NUMBERS: bool = false;

    fn allowed(question: &str) -> String {
        brat_label(question)
    }

    fn is_reserved(name: &str) -> bool {
        name.is_empty()
    }
}

/// Whether brat has no such character in a value: spaces and `|` part these.
fn is_not_of_value(scalar: char) -> bool {
    !is_of_name(scalar) && scalar != '.'
}

/// `annotation.conf`, which tells brat the labels and the attributes of a folder and those below it.
#[derive(Debug, Default)]
pub struct BratConfig {
    labels: BTreeSet<String>,
    /// With the labels that have an attribute, and its values.
    attributes: BTreeMap<String, [BTreeSet<String>; 2]>,
    /// The attributes in which questions about spans are answered.
    names: AnswerNames<Attributes>,
}

impl BratConfig {
    /// Takes what the spans of no named rater in a document have.
    fn add(
        &mut self,
        spans: &[AnnotatedSpan],
        answers: &AnswersBySpan<'_>,
        losses: &mut Losses<'_>,
    ) {
        self.labels.extend(spans.iter().map(|span| brat_label(&span.label)));
        let with_value = |answer: &AnnotatedAnswer| brat_value(answer).is_some();
        self.names.add(answers.of_spans().filter(|answer| with_value(answer)), losses);
        for answer in answers.of_spans() {
            let Some(span) = &answer.span else { continue };
            let Some((name, value)) = self.names.of(answer).zip(brat_value(answer)) else {
                continue;
            };
            let [labels, values] = self.attributes.entry(name.to_owned()).or_default();
            labels.insert(brat_label(&span.label));
            values.insert(value);
        }
    }

    /// Writes it.
    pub fn write<W: Write>(&self, out: &mut W) -> Result<(), ExportError> {
        writeln!(out, "[entities]\n")?;
        for label in &self.labels {
            writeln!(out, "{label}")?;
        }
        writeln!(out, "\n[relations]\n\n[events]\n\n[attributes]")?;
        let joined = |names: &BTreeSet<String>| {
            names.iter().map(String::as_str).collect::<Vec<_>>().join("|")
        };
        for (name, [labels, values]) in &self.attributes {
            writeln!(out, "{name}\tArg:{}, Value:{}", joined(labels), joined(values))?;
        }
        Ok(())
    }
}

/// The parts of a span that lie in one line each, with what they hold; or the span as it is, if
/// its ends would be lost so.
fn parts(text: &str, start: usize) -> Vec<(usize, usize, &str)> {
    let mut parts = Vec::new();
    let mut at = start;
    for line in text.split(ends_line) {
        let end = at + line.chars().count();
        if !line.is_empty() {
            parts.push((at, end, line));
        }
        at = end + 1;
    }
    let whole = start + text.chars().count();
    let held = parts.first().map(|part| part.0).zip(parts.last().map(|part| part.1));
    if held == Some((start, whole)) { parts } else { vec![(start, whole, text)] }
}

/// The label, or the question, as a name of brat's.
pub(crate) fn brat_label(label: &str) -> String {
    label.replace(|scalar| !is_of_name(scalar), "_")
}

fn is_of_name(scalar: char) -> bool {
    scalar.is_alphanumeric() || scalar == '-' || scalar == '_'
}
