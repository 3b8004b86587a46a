//! A document with what each rater marked and answered in it: what every format of other tools is
//! written from.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

/// One document to write. Reading what was written gives it again, but for what the format cannot
/// hold, which its writer lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedDocument {
    /// The id of the document; a format without ids leaves it out.
    pub id: Option<String>,
    /// The name of the document.
    pub name: String,
    /// The text as it was imported.
    pub text: String,
    /// Spans of no named rater: a gold standard, or one rater's in a format that names nobody.
    pub spans: Vec<AnnotatedSpan>,
    /// Answers of no named rater, about these spans and about the document.
    pub answers: Vec<AnnotatedAnswer>,
    /// What each rater marked, also those who judged the document and marked nothing.
    pub work: Vec<AnnotatedWork>,
}

/// What one rater marked in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnotatedWork {
    /// The rater's name.
    pub rater: String,
    /// The rater's spans.
    pub spans: Vec<AnnotatedSpan>,
    /// The rater's answers, about these spans and about the document.
    pub answers: Vec<AnnotatedAnswer>,
}

/// One labelled span.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AnnotatedSpan {
    /// Where the span starts, in Unicode scalar values.
    pub start: usize,
    /// Where the span ends, exclusive, in Unicode scalar values; greater than `start`.
    pub end: usize,
    /// The label.
    pub label: String,
}

/// What is answered to a question about a span, or about the document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AnnotatedAnswer {
    /// The span, which stands among those of whoever answers; none where the document is asked about.
    pub span: Option<AnnotatedSpan>,
    /// What the question is called; of one span, as of the document, each question is there once.
    pub question: String,
    /// What is answered.
    pub answer: AnswerWords,
}

/// An answer in words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerWords {
    /// One choice.
    One(String),
    /// One or more choices of a question that several may be chosen of, each once.
    Several(Vec<String>),
    /// A number on a scale, in decimal digits.
    Number(String),
}

/// The choices of several have commas between.
impl fmt::Display for AnswerWords {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(words) | Self::Number(words) => out.write_str(words),
            Self::Several(words) => out.write_str(&words.join(", ")),
        }
    }
}

/// Answers by what they are about.
#[derive(Debug)]
pub(crate) struct AnswersBySpan<'document> {
    of_spans: BTreeMap<&'document AnnotatedSpan, Vec<&'document AnnotatedAnswer>>,
    pub(crate) of_document: Vec<&'document AnnotatedAnswer>,
}

impl<'document> AnswersBySpan<'document> {
    pub(crate) fn new(answers: &'document [AnnotatedAnswer]) -> Self {
        let mut all = Self { of_spans: BTreeMap::new(), of_document: Vec::new() };
        for answer in answers {
            match &answer.span {
                Some(span) => all.of_spans.entry(span).or_default().push(answer),
                None => all.of_document.push(answer),
            }
        }
        all
    }

    pub(crate) fn of(&self, span: &AnnotatedSpan) -> &[&'document AnnotatedAnswer] {
        self.of_spans.get(span).map_or(&[], Vec::as_slice)
    }
}

impl AnnotatedDocument {
    /// The document with the work of one rater alone as spans of nobody, as formats have it that
    /// name no raters and are written in a file for each; none if the rater has no work in it.
    pub fn of_rater(&self, rater: &str) -> Option<Self> {
        let work = self.work.iter().find(|work| work.rater == rater)?;
        let (spans, answers) = (work.spans.clone(), work.answers.clone());
        Some(Self { spans, answers, work: Vec::new(), ..self.clone() })
    }
}
