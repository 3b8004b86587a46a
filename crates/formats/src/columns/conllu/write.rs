//! CoNLL-U with spans as tags of words.

use std::io::Write;

use crate::TextIndex;
use crate::columns::conll::write::tag_label;
use crate::columns::tag_spans::{Place, TagSpans};
use crate::export::annotated::AnnotatedDocument;
use crate::export::error::ExportError;
use crate::export::loss::{Loss, LossReason, Losses};
use crate::export::tokens::{Token, tokens};

/// Writes the spans of no named rater as CoNLL-U, and returns what the file does not hold.
///
/// ```text
/// # newdoc id = 7
/// # document_name = news-1
/// # text = EU rejects.
/// 1 EU _ _ _ _ _ _ _ NE=B-ORG
/// 2 rejects _ _ _ _ _ _ _ SpaceAfter=No
/// 3 . _ _ _ _ _ _ _ _
/// ```
///
/// (With tabs between columns.) Tags are IOB2, in `MISC` under `NE`, where spaCy's converter looks for them.
/// Tokens and spans are those of [`crate::write_conll`], and so are the losses, but that the text is held
/// exactly: whitespace that is neither one space nor, between sentences, a line feed stands in `SpacesAfter`
/// and `SpacesBefore`. Also `|` in labels becomes `_`, and so do `=` and `,`, at which readers cut values;
/// line ends in ids and names become spaces, and whitespace around those is left out.
pub fn write_conllu<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
) -> Result<Vec<Loss>, ExportError> {
    let mut losses = Losses::new(&document.name);
    losses.of_raters(document);
    losses.of_answers(None, document.answers.len());
    let tokens = tokens(&document.text);
    if tokens.is_empty() {
        losses.of_document(LossReason::NothingToWrite);
        return Ok(losses.into_sorted());
    }
    let index = TextIndex::new(&document.text);
    let kept = TagSpans::choose(&document.spans, index.scalar_count(), &tokens, &mut losses);
    for span in kept.iter() {
        let written = misc_label(&span.label);
        if written != span.label {
            losses.of_span(span, LossReason::LabelRewritten(written));
        }
    }
    write_head(out, document, &mut losses)?;

    let places: Vec<(&Token<'_>, Place<'_>)> =
        tokens.iter().map(|token| (token, kept.place(token))).collect();
    let starts = |(token, place): &(&Token<'_>, Place<'_>)| {
        token.starts_line && !matches!(place, Place::Further(_))
    };
    let mut before = 0;
    let mut rest = places.as_slice();
    while let Some((first, further)) = rest.split_first() {
        let more = further.iter().position(starts).unwrap_or(further.len());
        let (sentence, after) = rest.split_at_checked(more + 1).unwrap_or((rest, &[]));
        let gaps: Vec<&str> = sentence
            .iter()
            .zip(rest.iter().skip(1).map(|(next, _)| next.start).chain([index.scalar_count()]))
            .map(|((token, _), next)| index.slice(token.end, next).unwrap_or_default())
            .collect();
        let leading = if before == 0 { first.0.start } else { 0 };
        let leading = index.slice(0, leading).unwrap_or_default();
        write_sentence(out, leading, sentence, &gaps, after.is_empty())?;
        before += sentence.len();
        rest = after;
    }
    Ok(losses.into_sorted())
}

fn write_head<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
    losses: &mut Losses<'_>,
) -> Result<(), ExportError> {
    let id = document.id.as_deref().map(one_line);
    let name = one_line(&document.name);
    if id.as_ref() != document.id.as_ref() {
        losses.of_document(LossReason::IdRewritten(id.clone().unwrap_or_default()));
    }
    if name != document.name {
        losses.of_document(LossReason::NameRewritten(name.clone()));
    }
    match &id {
        Some(id) => writeln!(out, "# newdoc id = {id}")?,
        None => writeln!(out, "# newdoc")?,
    }
    if id.as_ref() != Some(&name) {
        writeln!(out, "# document_name = {name}")?;
    }
    Ok(())
}

/// Writes a sentence with the whitespace before it and after each of its tokens.
fn write_sentence<W: Write>(
    out: &mut W,
    leading: &str,
    tokens: &[(&Token<'_>, Place<'_>)],
    gaps: &[&str],
    is_last: bool,
) -> Result<(), ExportError> {
    write!(out, "# text = ")?;
    for (at, ((token, _), gap)) in tokens.iter().zip(gaps).enumerate() {
        let space = if gap.is_empty() || at + 1 == tokens.len() { "" } else { " " };
        write!(out, "{}{space}", token.text)?;
    }
    writeln!(out)?;
    for (at, ((token, place), gap)) in tokens.iter().zip(gaps).enumerate() {
        let mut misc = Vec::new();
        match place {
            Place::Outside => {}
            Place::First(span) => misc.push(format!("NE=B-{}", misc_label(&span.label))),
            Place::Further(span) => misc.push(format!("NE=I-{}", misc_label(&span.label))),
        }
        // What is read where nothing is said.
        let usual = match (at + 1 == tokens.len(), is_last) {
            (false, _) => " ",
            (true, false) => "\n",
            (true, true) => "",
        };
        if *gap == usual {
        } else if gap.is_empty() {
            misc.push("SpaceAfter=No".to_owned());
        } else {
            misc.push(format!("SpacesAfter={}", escaped(gap)));
        }
        if at == 0 && !leading.is_empty() {
            misc.push(format!("SpacesBefore={}", escaped(leading)));
        }
        let misc = if misc.is_empty() { "_".to_owned() } else { misc.join("|") };
        writeln!(out, "{}\t{}\t_\t_\t_\t_\t_\t_\t_\t{misc}", at + 1, token.text)?;
    }
    writeln!(out)?;
    Ok(())
}

/// The label as a value of `MISC` can hold it.
fn misc_label(label: &str) -> String {
    tag_label(label).replace(['|', '=', ','], "_")
}

/// The value as a comment can hold it.
fn one_line(value: &str) -> String {
    value.replace(['\n', '\r'], " ").trim().to_owned()
}

/// Whitespace with the escapes of UDPipe.
fn escaped(whitespace: &str) -> String {
    let mut escaped = String::new();
    for scalar in whitespace.chars() {
        match scalar {
            ' ' => escaped.push_str("\\s"),
            '\t' => escaped.push_str("\\t"),
            '\r' => escaped.push_str("\\r"),
            '\n' => escaped.push_str("\\n"),
            other => escaped.push(other),
        }
    }
    escaped
}
