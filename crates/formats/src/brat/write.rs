//! brat's standoff format: a text, its annotations beside it, and which labels there are.

use std::collections::BTreeSet;
use std::io::Write;

use crate::TextIndex;
use crate::brat::read::ends_line;
use crate::export::annotated::{AnnotatedDocument, AnnotatedSpan};
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
/// ```
///
/// (With tabs after the id and before the text.) Offsets are Unicode scalar values. A span across
/// lines is written in parts, a line each, as brat does; one that begins or ends with the end of a
/// line is written in one part, with spaces for the ends of lines in its quote. Of a label letters,
/// digits, `-` and `_` are kept, and all else becomes `_`, since brat's types are made of these.
/// The files have no id, and their name is the document's, so name them after it. The work of one
/// rater is written with [`AnnotatedDocument::of_rater`].
pub fn write_brat_annotations<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
) -> Result<Vec<Loss>, ExportError> {
    let mut losses = Losses::new(&document.name);
    losses.of_raters(document);
    losses.of_id(document);
    let index = TextIndex::new(&document.text);
    let misfit = |span: &AnnotatedSpan| {
        let within = span.start < span.end && span.end <= index.scalar_count();
        (!within).then_some(LossReason::OutsideText)
    };
    let written = relabelled(&document.spans, misfit, brat_label, &mut losses);
    for (number, Written { span, label }) in written.into_iter().enumerate() {
        let text = index.slice(span.start, span.end).unwrap_or_default();
        let parts = parts(text, span.start);
        let offsets: Vec<String> =
            parts.iter().map(|(start, end, _)| format!("{start} {end}")).collect();
        let quotes: Vec<&str> = parts.iter().map(|(_, _, quote)| *quote).collect();
        let quote = quotes.join(" ").replace(ends_line, " ");
        writeln!(out, "T{}\t{label} {}\t{quote}", number + 1, offsets.join(";"))?;
    }
    Ok(losses.into_sorted())
}

/// Writes `annotation.conf`, which tells brat the labels of a folder and those below it.
pub fn write_brat_config<'label, W: Write>(
    out: &mut W,
    labels: impl IntoIterator<Item = &'label str>,
) -> Result<(), ExportError> {
    let labels: BTreeSet<String> = labels.into_iter().map(brat_label).collect();
    writeln!(out, "[entities]\n")?;
    for label in labels {
        writeln!(out, "{label}")?;
    }
    Ok(writeln!(out, "\n[relations]\n\n[events]\n\n[attributes]")?)
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

/// The label as the name of a type in brat.
pub(crate) fn brat_label(label: &str) -> String {
    let kept = |scalar: char| scalar.is_alphanumeric() || scalar == '-' || scalar == '_';
    label.chars().map(|scalar| if kept(scalar) { scalar } else { '_' }).collect()
}
