//! WebAnno TSV 3.3, as INCEpTION and WebAnno read it.

use std::collections::BTreeSet;
use std::io::{self, Write};

use crate::TextIndex;
use crate::cas::features::AnswerFeatures;
use crate::columns::webanno::units::{TokenUnits, Value, as_value, units};
use crate::export::annotated::{AnnotatedAnswer, AnnotatedDocument, AnswerWords, AnswersBySpan};
use crate::export::error::ExportError;
use crate::export::loss::{Loss, LossReason, Losses};
use crate::export::tokens::{Token, tokens};

/// A layer and a feature that every project of INCEpTION and WebAnno has.
const LAYER: &str = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value";

/// Writes the spans of no named rater as WebAnno TSV 3.3, and returns what the file does not hold.
///
/// ```text
/// #FORMAT=WebAnno TSV 3.3
/// #T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value
///
///
/// #Text=Ms. Lind
/// 1-1    0-3    Ms.    PER[1]
/// 1-2    4-8    Lind    PER[1]
/// ```
///
/// Offsets are UTF-16 code units. Labels are values of the layer *Named entity*, which every
/// project has. A file is one document of one rater, and has neither its id nor its name, so name
/// the file after the document; the work of one rater is written with
/// [`AnnotatedDocument::of_rater`]. Overlapping spans and parts of tokens are held. Spans that
/// start or end on whitespace are left out. A line of the text is a sentence where no span crosses
/// its end. Of whitespace before the first token only how much it is is kept. A carriage return
/// in a label or an answer becomes `_`.
///
/// Answers about spans are further features of the layer, which are called as those of a CAS are
/// ([`crate::write_cas_xmi`]), in every file that is given `features`: projects have to have them. A
/// file names those that it uses. A feature holds one text, so that several
/// choices are written with commas between. What is answered about the document is left out.
pub fn write_webanno_tsv<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
    features: &mut AnswerFeatures,
) -> Result<Vec<Loss>, ExportError> {
    let mut losses = Losses::new(&document.name);
    losses.of_raters(document);
    losses.of_id(document);
    let index = TextIndex::new(&document.text);
    let tokens = tokens(&document.text);
    let Some(first) = tokens.first() else {
        losses.of_document(LossReason::NothingToWrite);
        return Ok(losses.into_sorted());
    };
    if index.slice(0, first.start).unwrap_or_default().contains(|scalar| scalar != ' ') {
        losses.of_document(LossReason::WhitespaceChanged);
    }
    let units = units(&document.spans, index.scalar_count(), &tokens, &mut losses);
    let answers = Answers::new(document, features, &units, &mut losses);
    write!(out, "#FORMAT=WebAnno TSV 3.3\n#T_SP={LAYER}")?;
    for feature in &answers.used {
        write!(out, "|{feature}")?;
    }
    write!(out, "\n\n")?;
    let sentences = sentences(document, &index, &tokens);
    let mut rows = tokens.iter().zip(&units);
    for (number, sentence) in sentences.iter().enumerate() {
        writeln!(out)?;
        for line in index.slice(sentence.start, sentence.end).unwrap_or_default().split('\n') {
            writeln!(out, "#Text={}", escaped_text(line))?;
        }
        for (token_number, (token, units)) in rows.by_ref().take(sentence.tokens).enumerate() {
            write_token(
                out,
                &format!("{}-{}", number + 1, token_number + 1),
                token,
                units,
                (&answers, &index),
            )?;
        }
    }
    Ok(losses.into_sorted())
}

/// A sentence: where its text is, in scalars, and how many tokens it has.
struct Sentence {
    start: usize,
    end: usize,
    tokens: usize,
}

/// Ends a sentence where a line ends, no span goes on, and the next line begins with a token or
/// with spaces, since that is what its reader puts between sentences.
fn sentences(
    document: &AnnotatedDocument,
    index: &TextIndex<'_>,
    tokens: &[Token<'_>],
) -> Vec<Sentence> {
    let mut crossings: Vec<(usize, usize)> =
        document.spans.iter().map(|span| (span.start, span.end)).collect();
    crossings.sort_unstable();
    let mut crossings = crossings.into_iter().peekable();
    let mut covered_to = 0;
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut before: Option<&Token<'_>> = None;
    for token in tokens {
        while let Some((_, end)) = crossings.next_if(|(start, _)| *start < token.start) {
            covered_to = covered_to.max(end);
        }
        let gap = before.and_then(|before| index.slice(before.end, token.start));
        let cut = gap
            .filter(|_| covered_to <= token.start)
            .and_then(|gap| gap.rsplit_once('\n'))
            .filter(|(_, spaces)| spaces.chars().all(|scalar| scalar == ' '));
        match (sentences.last_mut(), cut) {
            (Some(sentence), None) => {
                sentence.tokens += 1;
                sentence.end = token.end;
            }
            (last, cut) => {
                if let (Some(sentence), Some((kept, _))) = (last, cut) {
                    sentence.end += kept.chars().count();
                }
                sentences.push(Sentence { start: token.start, end: token.end, tokens: 1 });
            }
        }
        before = Some(token);
    }
    if let Some(sentence) = sentences.last_mut() {
        sentence.end = index.scalar_count();
    }
    sentences
}

fn write_token<W: Write>(
    out: &mut W,
    number: &str,
    token: &Token<'_>,
    units: &TokenUnits<'_>,
    of: (&Answers<'_>, &TextIndex<'_>),
) -> io::Result<()> {
    write_unit(out, number, (token.start, token.end), &units.whole, of)?;
    for (part, (range, values)) in units.parts.iter().enumerate() {
        write_unit(out, &format!("{number}.{}", part + 1), *range, values, of)?;
    }
    Ok(())
}

fn write_unit<W: Write>(
    out: &mut W,
    number: &str,
    (start, end): (usize, usize),
    values: &[Value<'_>],
    (answers, index): (&Answers<'_>, &TextIndex<'_>),
) -> io::Result<()> {
    let offset = |scalar: usize| index.utf16(scalar).unwrap_or_default();
    let text = index.slice(start, end).unwrap_or_default();
    write!(out, "{number}\t{}-{}\t{text}\t", offset(start), offset(end))?;
    write_cell(out, values, |value| Some(value.label.clone()))?;
    for feature in &answers.used {
        write!(out, "\t")?;
        write_cell(out, values, |value| answers.of(value, feature))?;
    }
    writeln!(out, "\t")
}

/// Writes a cell of a feature: what the values have of it.
fn write_cell<W: Write>(
    out: &mut W,
    values: &[Value<'_>],
    words: impl Fn(&Value<'_>) -> Option<String>,
) -> io::Result<()> {
    if values.is_empty() {
        write!(out, "_")?;
    }
    for (place, value) in values.iter().enumerate() {
        let separator = if place == 0 { "" } else { "|" };
        let words = words(value).map_or_else(|| "*".to_owned(), |words| escaped_value(&words));
        write!(out, "{separator}{words}")?;
        if let Some(id) = value.id {
            write!(out, "[{id}]")?;
        }
    }
    Ok(())
}

/// What is answered about the spans of a file.
struct Answers<'document> {
    features: &'document AnswerFeatures,
    /// The features that the file has.
    used: BTreeSet<&'document str>,
    by_span: AnswersBySpan<'document>,
}

impl<'document> Answers<'document> {
    /// The answers about spans that are written, with what of them is not, or not as it is.
    fn new(
        document: &'document AnnotatedDocument,
        features: &'document mut AnswerFeatures,
        units: &[TokenUnits<'document>],
        losses: &mut Losses<'_>,
    ) -> Self {
        let by_span = AnswersBySpan::new(&document.answers);
        features.add(by_span.of_spans(), losses);
        let features = &*features;
        let used = by_span.of_spans().filter_map(|answer| features.of(answer)).collect();
        losses.of_answers(None, by_span.of_document.len());
        let values = units.iter().flat_map(|units| {
            units.whole.iter().chain(units.parts.values().flatten()).map(|value| value.span)
        });
        for span in values.collect::<BTreeSet<_>>() {
            for answer in by_span.of(span) {
                let (question, words) = (answer.question.clone(), held(answer));
                let is_joined =
                    matches!(&answer.answer, AnswerWords::Several(choices) if choices.len() > 1);
                if is_joined || words != answer.answer.to_string() {
                    let reason = LossReason::AnswerRewritten { question, answer: words };
                    losses.of_span(span, reason);
                }
            }
        }
        Self { features, used, by_span }
    }

    /// What is answered about the span of a value in a feature.
    fn of(&self, value: &Value<'_>, feature: &str) -> Option<String> {
        let mut answers = self.by_span.of(value.span).iter();
        answers.find(|answer| self.features.of(answer) == Some(feature)).map(|it| held(it))
    }
}

/// An answer as a value.
fn held(answer: &AnnotatedAnswer) -> String {
    as_value(&answer.answer.to_string())
}

fn escaped_value(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    let mut scalars = value.chars().peekable();
    while let Some(scalar) = scalars.next() {
        match scalar {
            '\t' => escaped.push_str("\\t"),
            '\n' => escaped.push_str("\\n"),
            '-' if scalars.peek() == Some(&'>') => escaped.push_str("\\-"),
            '\\' | '[' | ']' | '|' | '_' | ';' | '*' => escaped.extend(['\\', scalar]),
            other => escaped.push(other),
        }
    }
    escaped
}

fn escaped_text(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for scalar in text.chars() {
        match scalar {
            '\t' => escaped.push_str("\\t"),
            '\r' => escaped.push_str("\\r"),
            '\u{C}' => escaped.push_str("\\f"),
            '\u{8}' => escaped.push_str("\\b"),
            // A vertical tab is left as it is, as the format's own writer has it.
            '\u{B}' => escaped.push(scalar),
            '\\' | '\0'..='\u{1F}' => escaped.extend(['\\', scalar]),
            other => escaped.push(other),
        }
    }
    escaped
}
