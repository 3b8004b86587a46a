//! WebAnno TSV 3: tokens with offsets, a column for each feature of each layer.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use std::vec;

use crate::cas::label_feature::{Candidate, add_value, label_feature};
use crate::columns::webanno::cells::unescape_text;
use crate::columns::webanno::header::{Header, LabelColumn};
use crate::columns::webanno::sentence::{MAX_PROBLEMS, Mark, Placed, Sentence};
use crate::export::annotated::{AnnotatedSpan, AnswerWords};
use crate::import::document::{ImportedAnswer, ImportedDocument, ImportedSpan};
use crate::import::findings::count::Count;
use crate::import::findings::note::{ImportNote, Note};
use crate::import::findings::repair::Repair;
use crate::import::format::stem;
use crate::import::limits::{MAX_DOCUMENT_BYTES, MAX_LINE_BYTES};
use crate::import::lines::Lines;
use crate::import::options::ReadOptions;
use crate::import::spans::{SpanBudget, once};
use crate::import::works::AnswerSet;
use crate::problem::quoted::shorten;
use crate::problem::webanno::WebAnnoProblem;
use crate::problem::{ImportError, Problem};

pub(crate) const FORMAT: &str = "#FORMAT=WebAnno TSV ";
const TEXT: &str = "#Text=";

/// The most bytes of rows that one sentence may have.
const MAX_SENTENCE_BYTES: usize = 2 * MAX_LINE_BYTES;

/// Yields the one document of a file of WebAnno TSV, or its problems.
#[derive(Debug)]
pub(crate) struct WebAnnoTsv<R> {
    file: String,
    lines: Option<Lines<R>>,
    waiting: vec::IntoIter<ImportError>,
    options: ReadOptions,
    notes: Vec<ImportNote>,
}

impl<R: BufRead> WebAnnoTsv<R> {
    pub(crate) fn new(file_name: &str, reader: R, options: &ReadOptions) -> Self {
        Self {
            file: file_name.to_owned(),
            lines: Some(Lines::new(reader)),
            waiting: Vec::new().into_iter(),
            options: options.clone(),
            notes: Vec::new(),
        }
    }

    /// What was detected and passed over.
    pub(crate) fn notes(&self) -> Vec<ImportNote> {
        self.notes.clone()
    }

    /// Reads the file to its end.
    fn read(&mut self, lines: Lines<R>) -> Result<ImportedDocument, Vec<ImportError>> {
        let header = Header::new(&self.options);
        let mut reading = Reading { header, ..Reading::default() };
        for (number, line) in lines {
            let taken = match line {
                Ok(line) => reading.read_line(number, &line),
                Err(problem) => reading.fatal(number, problem),
            };
            let too_large = |(_, _, problem): &Placed| {
                matches!(problem, Problem::DocumentTooLarge | Problem::TooManySpans)
            };
            let ends = reading.problems.iter().any(too_large);
            if taken.is_none() || ends || reading.problems.len() >= MAX_PROBLEMS {
                break;
            }
        }
        if reading.problems.is_empty() {
            reading.finish_sentence();
        }
        reading.label_by_own_features();
        for (line, count, note) in reading.header.notes(&reading.counts, &reading.own) {
            self.notes.push(ImportNote::new(&self.file, Some(line), count, note));
        }
        self.notes.extend(reading.empty.note(&self.file, Repair::EmptySpan));
        self.notes.extend(reading.numbers.note(&self.file, Repair::CharacterNumbers));
        self.notes.extend(reading.restarted.note(&self.file, Repair::IdsRestart));
        if let Some(line) = reading.crossing.filter(|_| reading.restarted.is_some()) {
            reading.problems.push((line, None, WebAnnoProblem::IdsRestart.into()));
        }
        let answers = reading.answers();
        let count = once(&mut reading.spans);
        if count > 0 {
            self.notes.push(ImportNote::new(&self.file, None, count, Note::Repeated));
        }
        let mut problems = reading.problems;
        let answers = answers.unwrap_or_else(|problem| {
            problems.push((0, None, problem));
            Vec::new()
        });
        if problems.is_empty() {
            let nothing = if reading.started { Problem::EmptyText } else { Problem::EmptyFile };
            if !reading.text.trim().is_empty() {
                let (name, text) = (stem(&self.file).to_owned(), reading.text);
                let (id, spans, work) = (None, reading.spans, Vec::new());
                let judged = true;
                let line = 1;
                return Ok(ImportedDocument { id, name, text, spans, answers, work, judged, line });
            }
            problems.push((0, None, nothing));
        }
        let error = |(line, field, problem)| ImportError {
            file: self.file.clone(),
            line: (line > 0).then_some(line),
            field,
            problem,
        };
        Err(problems.into_iter().map(error).collect())
    }
}

impl<R: BufRead> Iterator for WebAnnoTsv<R> {
    type Item = Result<ImportedDocument, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(lines) = self.lines.take() {
            match self.read(lines) {
                Ok(document) => return Some(Ok(document)),
                Err(problems) => self.waiting = problems.into_iter(),
            }
        }
        self.waiting.next().map(Err)
    }
}

/// A span that may go on under its id: its place, and the last token and sentence that it was on.
#[derive(Debug, Clone, Copy)]
struct Open {
    place: usize,
    token: usize,
    sentence: usize,
}

/// What was read of a file so far.
#[derive(Debug, Default)]
struct Reading {
    started: bool,
    header: Header,
    in_body: bool,
    /// The columns with labels, once the header has ended.
    labels: Option<Vec<LabelColumn>>,
    sentence: Option<Sentence>,
    sentence_bytes: usize,
    text: String,
    scalars: usize,
    utf16: usize,
    spans: Vec<ImportedSpan>,
    /// What is answered about the span at a place: the question, the answer and its line.
    answers: Vec<(usize, String, String, usize)>,
    budget: SpanBudget,
    empty: Count,
    /// How many spans each label column has.
    counts: Vec<usize>,
    /// The spans that go on under an id, by label column.
    open: HashMap<(usize, u64), Open>,
    /// How many sentences and tokens came before.
    sentences: usize,
    tokens: usize,
    /// Ids that mean another span in another sentence.
    restarted: Count,
    /// The line of a span that goes on in the next sentence.
    crossing: Option<usize>,
    /// Sentences with characters written as numbers.
    numbers: Count,
    /// The label column of each span.
    columns: Vec<usize>,
    /// The features that label the spans of layers by their values.
    own: HashMap<String, String>,
    problems: Vec<Placed>,
}

impl Reading {
    /// Notes a problem after which the rest cannot be understood.
    fn fatal(&mut self, line: usize, problem: impl Into<Problem>) -> Option<()> {
        self.problems.push((line, None, problem.into()));
        None
    }

    /// Takes a line; none if the rest of the file is of no use.
    fn read_line(&mut self, number: usize, line: &str) -> Option<()> {
        if !std::mem::replace(&mut self.started, true) {
            return match line.strip_prefix(FORMAT) {
                Some(version) if version.starts_with('3') => Some(()),
                Some(found) => {
                    let found = shorten(found);
                    self.fatal(number, WebAnnoProblem::Version(found))
                }
                None => self.fatal(number, WebAnnoProblem::NoFormatLine),
            };
        }
        if line.is_empty() {
            self.finish_sentence();
            self.in_body |= number > 2;
            return Some(());
        }
        if line.starts_with("#T_") && !self.in_body && self.sentence.is_none() {
            return match self.header.add(line, number) {
                Ok(()) => Some(()),
                Err(problem) => self.fatal(number, problem),
            };
        }
        self.sentence_bytes += line.len() + size_of::<(usize, String)>();
        if self.sentence_bytes > MAX_SENTENCE_BYTES {
            return self.fatal(number, Problem::DocumentTooLarge);
        }
        // A token begins with a digit, so that every other line with this span is a header's.
        if line.starts_with('#') {
            self.in_body = true;
            if self.sentence.as_ref().is_some_and(|sentence| !sentence.rows.is_empty()) {
                self.finish_sentence();
            }
            if let Some(text) = line.strip_prefix(TEXT) {
                match &mut self.sentence {
                    Some(sentence) => sentence.text.push('\n'),
                    none => *none = Some(Sentence { line: number, ..Sentence::default() }),
                }
                if let Some(sentence) = &mut self.sentence {
                    sentence.text.push_str(&unescape_text(text));
                }
            }
            return Some(());
        }
        match &mut self.sentence {
            Some(sentence) => sentence.rows.push((number, line.to_owned())),
            None => return self.fatal(number, WebAnnoProblem::NoSentence),
        }
        Some(())
    }

    /// Puts the sentence that has ended to the text, and its spans to the spans.
    fn finish_sentence(&mut self) {
        self.sentence_bytes = 0;
        let Some(mut sentence) = self.sentence.take() else { return };
        let begin = match sentence.begin(&self.header) {
            Ok(begin) => begin,
            Err(problem) => return self.problems.push(problem),
        };
        let place = usize::try_from(begin).unwrap_or(usize::MAX);
        let Some(gap) = place.checked_sub(self.utf16) else {
            let problem = WebAnnoProblem::SentenceBegin { begin, length: self.utf16 };
            return self.problems.push((sentence.line, None, problem.into()));
        };
        if sentence.write_out_numbers(place, &self.header) {
            self.numbers.add(sentence.line);
        }
        let room = MAX_DOCUMENT_BYTES.saturating_sub(self.text.len());
        if room.checked_sub(gap).is_none_or(|room| room < sentence.text.len()) {
            return self.problems.push((sentence.line, None, Problem::DocumentTooLarge));
        }
        if gap > 0 && !self.text.is_empty() {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n(' ', gap - 1));
        } else {
            self.text.extend(std::iter::repeat_n(' ', gap));
        }
        self.scalars += gap;
        let (marks, problems, empty) = {
            let labels = self.labels.get_or_insert_with(|| self.header.labels());
            sentence.marks(place, &self.header, labels)
        };
        self.problems.extend(problems);
        self.empty.add_all(empty, sentence.line);
        for mark in marks {
            if let Err((line, problem)) = self.add(mark) {
                self.problems.push((line, None, problem));
                break;
            }
        }
        self.sentences += 1;
        self.tokens += sentence.tokens();
        self.text.push_str(&sentence.text);
        self.scalars += sentence.text.chars().count();
        self.utf16 = place + sentence.text.encode_utf16().count();
    }

    /// Labels the spans of layers without a usual feature of labels by the one that has values.
    fn label_by_own_features(&mut self) {
        let own = |column: usize| {
            let columns = self.labels.as_ref();
            columns.and_then(|columns| columns.get(column)).and_then(|it| it.own.as_deref())
        };
        let mut candidates: BTreeMap<usize, Vec<Candidate>> = BTreeMap::new();
        for (place, question, text, _) in &self.answers {
            let Some(column) = self.columns.get(*place).filter(|at| own(**at).is_some()) else {
                continue;
            };
            add_value(candidates.entry(*column).or_default(), question, text);
        }
        for (column, candidates) in candidates {
            let Some(layer) = own(column).map(str::to_owned) else { continue };
            let asked = self.header.asked(&layer);
            match label_feature(&layer, asked, &candidates) {
                Ok(Some(feature)) => {
                    for (place, question, text, _) in &self.answers {
                        if question == feature
                            && self.columns.get(*place) == Some(&column)
                            && !text.trim().is_empty()
                            && let Some(span) = self.spans.get_mut(*place)
                        {
                            span.label.clone_from(text);
                        }
                    }
                    let columns = &self.columns;
                    self.answers.retain(|(place, question, ..)| {
                        question != feature || columns.get(*place) != Some(&column)
                    });
                    self.own.insert(layer, feature.to_owned());
                }
                Ok(None) => {}
                Err(problem) => self.problems.push((0, Some(shorten(&layer)), problem.into())),
            }
        }
    }

    /// What is answered, about spans as they are at the end.
    fn answers(&mut self) -> Result<Vec<ImportedAnswer>, Problem> {
        let mut answers = AnswerSet::default();
        for (place, question, text, line) in std::mem::take(&mut self.answers) {
            let Some(ImportedSpan { start, end, label, .. }) = self.spans.get(place) else {
                continue;
            };
            let span = AnnotatedSpan { start: *start, end: *end, label: label.clone() };
            answers.add(Some(&span), &question, &AnswerWords::One(text), line);
        }
        answers.finish()
    }

    /// Makes a span of a span, or goes on with the span that has its id; an error ends the
    /// document.
    fn add(&mut self, mark: Mark) -> Result<(), (usize, Problem)> {
        let Mark { column, id, label, line, answers, .. } = mark;
        let (start, end) = (mark.start + self.scalars, mark.end + self.scalars);
        let at = self.tokens + mark.token;
        let mut open = id.and_then(|id| Some((id, *self.open.get(&(column, id))?)));
        if let Some((_, Open { place, token, sentence })) = open
            && sentence != self.sentences
        {
            let is_other = self.spans.get(place).is_some_and(|span| span.label != label);
            if at > token + 1 || is_other {
                self.restarted.add(line);
                open = None;
            } else {
                self.crossing.get_or_insert(line);
            }
        }
        if let Some((id, Open { place, .. })) = open {
            let last = Open { place, token: at, sentence: self.sentences };
            self.open.insert((column, id), last);
            let Some(span) = self.spans.get_mut(place) else { return Ok(()) };
            if span.label != label {
                let (label, first_line) = (shorten(&label), span.line);
                let problem = WebAnnoProblem::OtherLabel { id, label, first_line };
                self.problems.push((line, None, problem.into()));
            }
            span.start = span.start.min(start);
            span.end = span.end.max(end);
            return Ok(());
        }
        self.budget.count_span(&label).map_err(|problem| (line, problem))?;
        if let Some(id) = id {
            let place = self.spans.len();
            self.open.insert((column, id), Open { place, token: at, sentence: self.sentences });
        }
        if self.counts.len() <= column {
            self.counts.resize(column + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(column) {
            *count += 1;
        }
        let of_span = answers.into_iter().map(|(question, text)| (question, text, line));
        let (place, labels) = (self.spans.len(), self.labels.as_ref());
        let questions = labels.and_then(|labels| labels.get(column)).map(|it| &it.questions);
        self.answers.extend(of_span.filter_map(|(question, text, line)| {
            let (_, name) = questions?.get(question)?;
            Some((place, name.clone(), text, line))
        }));
        self.columns.push(column);
        self.spans.push(ImportedSpan { start, end, label, line });
        Ok(())
    }
}
