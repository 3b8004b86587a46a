//! A document with what each rater marked and answered in it: what every format of other tools is
//! written from.

use std::collections::BTreeMap;

pub use domain::AnswerWords;
use serde::{Serialize, Serializer};
use serde_json::Number;

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
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct AnnotatedSpan {
    /// Where the span starts, in Unicode scalar values.
    pub start: usize,
    /// Where the span ends, exclusive, in Unicode scalar values; greater than `start`.
    pub end: usize,
    /// The label.
    pub label: String,
}

/// What is answered to a question about a span, or about the document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AnnotatedAnswer {
    /// The span, which stands among those of whoever answers; none where the document is asked about.
    #[serde(flatten)]
    pub span: Option<AnnotatedSpan>,
    /// What the question is called; of one span, as of the document, each question is there once.
    pub question: String,
    /// What is answered.
    #[serde(serialize_with = "plain")]
    pub answer: AnswerWords,
}

/// What is answered, as JSON has it: a string, a list of them, or a number.
fn plain<S: Serializer>(answer: &AnswerWords, serializer: S) -> Result<S::Ok, S::Error> {
    match answer {
        AnswerWords::One(words) => words.serialize(serializer),
        AnswerWords::Several(words) => words.serialize(serializer),
        AnswerWords::Number(digits) => match digits.parse::<Number>() {
            Ok(number) => number.serialize(serializer),
            Err(_) => digits.serialize(serializer),
        },
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

    /// What is answered about spans.
    pub(crate) fn of_spans(&self) -> impl Iterator<Item = &'document AnnotatedAnswer> {
        self.of_spans.values().flatten().copied()
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
