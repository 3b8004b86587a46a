//! What is marked and answered in a record, each once: by the raters whom it names, and by nobody.

use std::collections::HashMap;

use crate::export::annotated::{AnnotatedSpan, AnswerWords};
use crate::import::document::{ImportedAnswer, ImportedSpan, ImportedWork};
use crate::import::findings::Findings;
use crate::import::findings::repair::Repair;
use crate::import::limits::MAX_RECORD_BYTES;
use crate::import::options::SecondAnnotation;
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;

/// What one annotation has: spans, and answers about them and about the document.
pub(crate) type Annotated = (Vec<ImportedSpan>, Vec<ImportedAnswer>);

/// The work of a document so far.
#[derive(Debug, Default)]
pub(crate) struct Works {
    work: Vec<ImportedWork>,
    /// Where each rater's work is, and how many annotations it had.
    places: HashMap<String, (usize, usize)>,
}

impl Works {
    /// Adds an annotation of a rater, of whom there may be one already.
    pub(crate) fn add(
        &mut self,
        rater: String,
        (spans, answers): Annotated,
        findings: &mut Findings,
    ) {
        let Some((place, count)) = self.places.get_mut(&rater) else {
            self.places.insert(rater.clone(), (self.work.len(), 1));
            self.work.push(ImportedWork { rater, spans, answers });
            return;
        };
        findings.repair(Repair::SecondAnnotation(findings.options.second), 1);
        match findings.options.second {
            SecondAnnotation::First => {}
            SecondAnnotation::Last => {
                if let Some(work) = self.work.get_mut(*place) {
                    (work.spans, work.answers) = (spans, answers);
                }
            }
            SecondAnnotation::Each => {
                *count += 1;
                let mut another = format!("{rater} ({count})");
                while self.places.contains_key(&another) {
                    another.push('*');
                }
                self.places.insert(another.clone(), (self.work.len(), 1));
                self.work.push(ImportedWork { rater: another, spans, answers });
            }
        }
    }

    pub(crate) fn finish(self) -> Vec<ImportedWork> {
        self.work
    }
}

/// The answers of one annotation, each question once of a span or of the document.
#[derive(Debug, Default)]
pub(crate) struct AnswerSet {
    found: Vec<ImportedAnswer>,
    places: HashMap<(Option<AnnotatedSpan>, String), usize>,
    /// The length of all that is said.
    bytes: usize,
}

impl AnswerSet {
    /// Adds what is answered, to what is answered to the same question already: those are several
    /// choices. What is blank says nothing; nor is there a question without a visible character.
    pub(crate) fn add(
        &mut self,
        span: Option<&AnnotatedSpan>,
        question: &str,
        answer: &AnswerWords,
        line: usize,
    ) {
        let is_said = |words: &str| !words.is_empty() && !words.contains('\0');
        let question = question.trim();
        let words = answer.words().iter().map(|words| words.trim());
        let words: Vec<&str> = words.filter(|words| is_said(words)).collect();
        let Some(first) = words.first().filter(|_| is_said(question)) else { return };
        let label = span.map_or(0, |span| span.label.len());
        self.bytes += size_of::<ImportedAnswer>() + label + question.len();
        self.bytes += words.iter().map(|words| words.len()).sum::<usize>();
        if self.bytes > MAX_RECORD_BYTES {
            return;
        }
        let place =
            *self.places.entry((span.cloned(), question.to_owned())).or_insert(self.found.len());
        let Some(known) = self.found.get_mut(place) else {
            let answer = match answer {
                AnswerWords::One(_) => AnswerWords::One((*first).to_owned()),
                AnswerWords::Number(_) => AnswerWords::Number((*first).to_owned()),
                AnswerWords::Several(_) => AnswerWords::Several(each_once(&[], &words)),
            };
            let (span, question) = (span.cloned(), question.to_owned());
            self.found.push(ImportedAnswer { span, question, answer, line });
            return;
        };
        if words.iter().any(|words| known.answer.words().iter().all(|it| it != words)) {
            known.answer = AnswerWords::Several(each_once(known.answer.words(), &words));
        }
    }

    /// The answers in the order in which their questions turned up, unless they are too long.
    pub(crate) fn finish(self) -> Result<Vec<ImportedAnswer>, Problem> {
        if self.bytes > MAX_RECORD_BYTES {
            return Err(ExchangeProblem::TooMany("bytes of answers", MAX_RECORD_BYTES).into());
        }
        Ok(self.found)
    }
}

fn each_once(known: &[String], more: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for words in known.iter().map(String::as_str).chain(more.iter().copied()) {
        if all.iter().all(|it| it != words) {
            all.push(words.to_owned());
        }
    }
    all
}
