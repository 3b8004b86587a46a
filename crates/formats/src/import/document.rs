//! What an importer makes of a file: documents with the spans that came along.

use std::collections::{HashMap, HashSet};

use super::limits::MAX_DOCUMENT_BYTES;
use crate::export::annotated::{AnnotatedSpan, AnswerWords};
use crate::problem::Problem;

/// One document of an imported file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedDocument {
    /// The id as the file gives it; a number becomes its decimal digits.
    pub id: Option<String>,
    /// The name to show: what the file gives, or one made of the file's name.
    pub name: String,
    /// The text exactly as it came, never blank and without NUL.
    pub text: String,
    /// The spans of which the file does not say whose they are, in its order; each within the
    /// text, none twice.
    pub spans: Vec<ImportedSpan>,
    /// Answers of which the file does not say whose they are, about these spans and about the
    /// document, each question once.
    pub answers: Vec<ImportedAnswer>,
    /// What each rater whom the file names has marked and answered, in its order, each rater once.
    /// One who judged the document and marked nothing is here too, without spans.
    pub work: Vec<ImportedWork>,
    /// Whether the spans of nobody are what somebody judged, be it that there are none. They are not
    /// where a model made them, the file says that nobody is done, or its format knows no spans.
    pub judged: bool,
    /// The line, counted from 1, on which the document starts.
    pub line: usize,
}

impl ImportedDocument {
    /// Takes what another piece of the same document holds: a file may have a line for each rater
    /// ([`crate::ImportFormat::comes_in_pieces`]). Gives the piece back where its text is another,
    /// or a rater of both has marked something else in each.
    pub fn merge(&mut self, piece: Self) -> Result<(), Box<Self>> {
        let pieces: HashMap<&str, &ImportedWork> =
            piece.work.iter().map(|work| (work.rater.as_str(), work)).collect();
        let contradicts = |own: &ImportedWork| {
            pieces.get(own.rater.as_str()).is_some_and(|work| !is_same_work(own, work))
        };
        if self.text != piece.text || self.work.iter().any(contradicts) {
            return Err(Box::new(piece));
        }
        let own: HashSet<_> = self.spans.iter().map(key).collect();
        let is_new = |span: &ImportedSpan| !own.contains(&key(span));
        let spans: Vec<_> = piece.spans.into_iter().filter(is_new).collect();
        let own: HashSet<_> = self.work.iter().map(|work| work.rater.as_str()).collect();
        let is_new = |work: &ImportedWork| !own.contains(work.rater.as_str());
        let work: Vec<_> = piece.work.into_iter().filter(is_new).collect();
        self.spans.extend(spans);
        add_answers(&mut self.answers, piece.answers);
        self.judged |= piece.judged;
        self.work.extend(work);
        Ok(())
    }
}

/// A text as all copies of a document have it, by which they are told to be one: tools make white
/// space of one kind another, and drop or add it at the end. Where spans are stays the same.
pub fn comparable_text(text: &str) -> String {
    let same = |scalar: char| if scalar.is_whitespace() { ' ' } else { scalar };
    text.trim_end().chars().map(same).collect()
}

/// Whether two pieces have the same work of a rater.
fn is_same_work(left: &ImportedWork, right: &ImportedWork) -> bool {
    same(&left.spans, &right.spans) && answered(left) == answered(right)
}

/// What somebody has answered, without the lines.
fn answered(work: &ImportedWork) -> HashSet<(Option<&AnnotatedSpan>, &str, &AnswerWords)> {
    work.answers.iter().map(|it| (it.span.as_ref(), &*it.question, &it.answer)).collect()
}

/// Adds answers to questions that are not answered yet.
pub(crate) fn add_answers(own: &mut Vec<ImportedAnswer>, more: Vec<ImportedAnswer>) {
    let key = |it: &ImportedAnswer| (it.span.clone(), it.question.clone());
    let known: HashSet<_> = own.iter().map(key).collect();
    own.extend(more.into_iter().filter(|answer| !known.contains(&key(answer))));
}

/// Whether two lists, which have each span once, hold the same, in any order and on any lines.
fn same(left: &[ImportedSpan], right: &[ImportedSpan]) -> bool {
    let known: HashSet<_> = left.iter().map(key).collect();
    left.len() == right.len() && right.iter().all(|span| known.contains(&key(span)))
}

/// What makes two spans the same.
fn key(span: &ImportedSpan) -> (usize, usize, &str) {
    (span.start, span.end, &span.label)
}

/// What one rater, named by the file, has marked in a document and answered about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedWork {
    /// The rater as the file names them, never blank.
    pub rater: String,
    /// The rater's spans in the order of the file; each within the text, none twice.
    pub spans: Vec<ImportedSpan>,
    /// The rater's answers to questions about these spans and about the document, each once.
    pub answers: Vec<ImportedAnswer>,
}

impl ImportedWork {
    /// That of a file which knows no questions.
    pub(crate) const fn of_spans(rater: String, spans: Vec<ImportedSpan>) -> Self {
        Self { rater, spans, answers: Vec::new() }
    }
}

/// What one rater has answered to a question about a span or about the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedAnswer {
    /// The span, which stands among those of whoever answers; none where the document is asked about.
    pub span: Option<AnnotatedSpan>,
    /// The question as the file calls it, or named after the file.
    pub question: String,
    /// The answer as the file has it: a list of choices, a number, or something in words, which may
    /// be several choices with commas between. No words are blank or have white space at their ends.
    pub answer: AnswerWords,
    /// The line, counted from 1, on which the answer starts.
    pub line: usize,
}

/// One labelled span of an imported document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedSpan {
    /// Where the span starts, in Unicode scalar values.
    pub start: usize,
    /// Where the span ends, exclusive, in Unicode scalar values; greater than `start`.
    pub end: usize,
    /// The label as the file gives it, never blank.
    pub label: String,
    /// The line, counted from 1, on which the span starts.
    pub line: usize,
}

/// What is wrong with the text of a document, if anything is.
pub(crate) fn check_text(text: &str) -> Result<(), Problem> {
    match text {
        _ if text.len() > MAX_DOCUMENT_BYTES => Err(Problem::DocumentTooLarge),
        _ if text.contains('\0') => Err(Problem::ContainsNul),
        _ if text.trim().is_empty() => Err(Problem::EmptyText),
        _ => Ok(()),
    }
}
