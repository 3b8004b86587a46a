//! brat's standoff format: a text, and beside it its annotations, one a line.

use std::collections::HashMap;

use crate::TextIndex;
use crate::export::annotated::{AnnotatedSpan, AnswerWords};
use crate::import::document::{ImportedAnswer, ImportedDocument, ImportedSpan};
use crate::import::findings::note::{ImportNote, Note};
use crate::import::findings::repair::Repair;
use crate::import::format::stem;
use crate::import::lines::Lines;
use crate::import::options::{Discontinuous, ReadOptions};
use crate::import::plain_text::read_text;
use crate::import::spans::{SpanBudget, once, placed};
use crate::import::works::AnswerSet;
use crate::problem::brat::BratProblem;
use crate::problem::quoted::shorten;
use crate::problem::{ImportError, Problem};

/// The most problems that are told of one file: enough to see the pattern.
const MAX_PROBLEMS: usize = 100;

/// What ends a line for brat, which reads its files with Python.
const LINE_ENDS: [char; 10] =
    ['\n', '\r', '\u{B}', '\u{C}', '\u{1C}', '\u{1D}', '\u{1E}', '\u{85}', '\u{2028}', '\u{2029}'];

/// Whether brat takes the scalar for the end of a line.
pub(crate) fn ends_line(scalar: char) -> bool {
    LINE_ENDS.contains(&scalar)
}

/// A file's name and its bytes.
#[derive(Debug, Clone, Copy)]
pub struct NamedBytes<'bytes> {
    /// The name, for errors and for the document's own.
    pub name: &'bytes str,
    /// What the file holds.
    pub bytes: &'bytes [u8],
}

/// Reads a document of brat from its `.txt` and its `.ann` file.
///
/// Offsets are Unicode scalar values, as brat's are code points (its `client/src/util.js` counts
/// them so). The quote at the end of each line is held against the text; ends of lines in it may
/// be spaces. Parts of a span between which only lines end are one span: so brat writes spans
/// across lines. For others see [`Discontinuous`]. A byte order mark belongs to the text, since
/// brat counts it.
///
/// Attributes `A` and `M` of spans are answers to questions of their names; one without a value is
/// answered with `true`, as brat has it, and values of several attributes of one name are several
/// choices. Lines that are neither (relations `R` and `*`, events `E`, normalisations `N`, notes `#`,
/// and attributes of these) are passed over and counted in notes, and so are spans that are there
/// twice and spans without a quote, whose offsets could not be verified.
pub fn read_brat(
    text: NamedBytes<'_>,
    annotations: NamedBytes<'_>,
    options: &ReadOptions,
) -> Result<(ImportedDocument, Vec<ImportNote>), Vec<ImportError>> {
    let name = stem(text.name).to_owned();
    let text = read_text(text.bytes, true).map_err(|(line, problem)| {
        vec![ImportError { file: text.name.to_owned(), line, field: None, problem }]
    })?;
    let mut reading = Reading {
        index: TextIndex::new(&text),
        discontinuous: options.discontinuous,
        spans: Vec::new(),
        by_id: HashMap::new(),
        attributes: Vec::new(),
        budget: SpanBudget::default(),
        counts: Vec::new(),
        apart: 0,
        edges: 0,
        empty: 0,
        unverified: 0,
    };
    let mut problems = Vec::new();
    for (number, line) in Lines::new(annotations.bytes) {
        let read = match line {
            Ok(line) => reading.read_line(number, &line),
            Err(problem) => Err((None, problem)),
        };
        if let Err((field, problem)) = read {
            let (file, field) = (annotations.name.to_owned(), field.map(str::to_owned));
            problems.push(ImportError { file, line: Some(number), field, problem });
            if problems.len() == MAX_PROBLEMS {
                break;
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let answers = reading.answers().map_err(|problem| {
        let (file, line, field) = (annotations.name.to_owned(), None, None);
        vec![ImportError { file, line, field, problem }]
    })?;
    let repeated = once(&mut reading.spans);
    let notes = reading.notes(annotations.name, repeated);
    let spans = reading.spans;
    let (id, work, judged) = (None, Vec::new(), true);
    Ok((ImportedDocument { id, name, text, spans, answers, work, judged, line: 1 }, notes))
}

/// A span's line, taken apart.
struct SpanLine<'line> {
    label: &'line str,
    /// The offsets as given.
    offsets: &'line str,
    parts: Vec<(u64, u64)>,
    /// What follows the second tab.
    quote: Option<&'line str>,
}

impl<'line> SpanLine<'line> {
    fn read(rest: &'line str) -> Option<Self> {
        let (data, quote) = match rest.split_once('\t') {
            Some((data, quote)) => (data, Some(quote)),
            None => (rest, None),
        };
        let (label, offsets) = data.split_once(' ')?;
        let part = |part: &str| {
            let (start, end) = part.trim_end().split_once(' ')?;
            let number = |digits: &str| {
                let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
                is_number.then(|| digits.parse().ok()).flatten()
            };
            number(start).zip(number(end))
        };
        let parts: Vec<_> = offsets.split(';').map(part).collect::<Option<_>>()?;
        let quote = quote.filter(|quote| !quote.is_empty());
        (!label.is_empty()).then_some(Self { label, offsets, parts, quote })
    }
}

/// A line that says something of what another one has.
struct Attribute {
    name: String,
    target: String,
    value: String,
    line: usize,
}

impl Attribute {
    fn read(rest: &str, line: usize) -> Option<Self> {
        let (name, rest) = rest.split_once(' ')?;
        let (target, value) = rest.trim_end().split_once(' ').unwrap_or((rest.trim_end(), "true"));
        let said = |part: &str| (!part.trim().is_empty()).then(|| part.trim().to_owned());
        let (name, target) = (said(name)?, said(target)?);
        Some(Self { name, target, value: value.to_owned(), line })
    }
}

struct Reading<'text> {
    index: TextIndex<'text>,
    discontinuous: Discontinuous,
    spans: Vec<ImportedSpan>,
    /// The places of spans by their ids.
    by_id: HashMap<String, usize>,
    attributes: Vec<Attribute>,
    budget: SpanBudget,
    /// What was passed over: the kind, the first line and how many.
    counts: Vec<(&'static str, usize, usize)>,
    /// Spans with text between their parts.
    apart: usize,
    edges: usize,
    empty: usize,
    unverified: usize,
}

impl Reading<'_> {
    fn read_line(
        &mut self,
        number: usize,
        line: &str,
    ) -> Result<(), (Option<&'static str>, Problem)> {
        if line.trim().is_empty() {
            return Ok(());
        }
        let refused = || (None, BratProblem::Line(shorten(line)).into());
        let (id, rest) = line.split_once('\t').ok_or_else(refused)?;
        let kind = match id.chars().next() {
            Some('T') => {
                let span = SpanLine::read(rest).ok_or_else(refused)?;
                return self.add((id, &span), number);
            }
            Some('R' | '*') => "relations",
            Some('E') => "events",
            Some('A' | 'M') => {
                let attribute = Attribute::read(rest, number).ok_or_else(refused)?;
                self.budget.count_span(rest).map_err(|problem| (None, problem))?;
                self.attributes.push(attribute);
                return Ok(());
            }
            Some('N') => "normalisations",
            Some('#') => "notes of annotators",
            _ => return Err(refused()),
        };
        self.pass_over(kind, number);
        Ok(())
    }

    fn pass_over(&mut self, kind: &'static str, line: usize) {
        match self.counts.iter_mut().find(|(known, ..)| *known == kind) {
            Some((_, _, count)) => *count += 1,
            None => self.counts.push((kind, line, 1)),
        }
    }

    /// What the attributes of spans say.
    fn answers(&mut self) -> Result<Vec<ImportedAnswer>, Problem> {
        let mut answers = AnswerSet::default();
        for Attribute { name, target, value, line } in std::mem::take(&mut self.attributes) {
            let place = self.by_id.get(&target);
            let Some(span) = place.and_then(|place| self.spans.get(*place)) else {
                self.pass_over("attributes", line);
                continue;
            };
            let ImportedSpan { start, end, label, .. } = span;
            let span = AnnotatedSpan { start: *start, end: *end, label: label.clone() };
            answers.add(Some(&span), &name, &AnswerWords::One(value), line);
        }
        answers.finish()
    }

    fn add(
        &mut self,
        (id, line): (&str, &SpanLine<'_>),
        number: usize,
    ) -> Result<(), (Option<&'static str>, Problem)> {
        let at_offsets = |problem| (Some("offsets"), problem);
        let mut texts = Vec::new();
        let mut ends: Option<(usize, usize)> = None;
        let mut apart = false;
        // brat keeps parts in the order in which they were added.
        let mut parts: Vec<(usize, &(u64, u64))> = line.parts.iter().enumerate().collect();
        parts.sort_by_key(|(_, part)| **part);
        for (place, (start, end)) in parts {
            let (start, end) = match placed(*start, *end, self.index.scalar_count()) {
                Err(Problem::EmptySpan(_)) => {
                    self.empty += usize::from(line.parts.len() == 1);
                    continue;
                }
                placed => placed.map_err(at_offsets)?,
            };
            let first = match ends {
                None => start,
                Some((first, before)) => {
                    let between = self.index.slice(before, start);
                    apart |= !between.is_some_and(|between| between.chars().all(ends_line));
                    if between.is_none() {
                        let found = shorten(line.offsets);
                        return Err(at_offsets(BratProblem::Overlap(found).into()));
                    }
                    first
                }
            };
            ends = Some((first, end));
            // Spans may be as long as the text, so it is looked up only where it is needed.
            if line.quote.is_some() {
                texts.push((place, self.index.slice(start, end).unwrap_or_default()));
            }
        }
        let Some((start, end)) = ends else { return Ok(()) };
        match line.quote {
            None => self.unverified += 1,
            Some(quote) => {
                let joined = |texts: &[(usize, &str)]| {
                    texts.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" ")
                };
                let found = joined(&texts);
                texts.sort_by_key(|(place, _)| *place);
                let given = joined(&texts);
                let is_whole = is_quote(quote, &found) || is_quote(quote, &given);
                self.edges += usize::from(!is_whole);
                let is_inside = |found: &str| is_quote(quote.trim(), found.trim());
                if !is_whole && !is_inside(&found) && !is_inside(&given) {
                    let (quote, found) = (shorten(quote), shorten(&found));
                    return Err((Some("text"), Problem::QuoteDiffers { quote, found }));
                }
            }
        }
        self.apart += usize::from(apart);
        if apart && self.discontinuous == Discontinuous::PassOver {
            return Ok(());
        }
        self.budget.count_span(line.label).map_err(|problem| (None, problem))?;
        let label = line.label.to_owned();
        self.by_id.insert(id.to_owned(), self.spans.len());
        self.spans.push(ImportedSpan { start, end, label, line: number });
        Ok(())
    }

    fn notes(&self, file: &str, repeated: usize) -> Vec<ImportNote> {
        let passed_over = self
            .counts
            .iter()
            .map(|(what, line, count)| (Some(*line), *count, Note::PassedOver((*what).to_owned())));
        let apart = match self.discontinuous {
            Discontinuous::Join => Note::Joined,
            Discontinuous::PassOver => Note::Repaired(Repair::Discontinuous),
        };
        let others = [
            (None, repeated, Note::Repeated),
            (None, self.apart, apart),
            (None, self.empty, Note::Repaired(Repair::EmptySpan)),
            (None, self.edges, Note::Repaired(Repair::QuoteEdges)),
            (None, self.unverified, Note::Unverified),
        ];
        let found = passed_over.chain(others).filter(|(_, count, _)| *count > 0);
        found.map(|(line, count, note)| ImportNote::new(file, line, count, note)).collect()
    }
}

/// Whether a line quotes this text, with spaces for the ends of lines.
fn is_quote(quote: &str, found: &str) -> bool {
    let same =
        |(quoted, found): (char, char)| quoted == found || (ends_line(found) && quoted == ' ');
    quote.chars().count() == found.chars().count() && quote.chars().zip(found.chars()).all(same)
}
