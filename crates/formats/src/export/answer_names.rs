//! What questions are called where files of a format are answered in.

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

use crate::export::annotated::{AnnotatedAnswer, AnswerWords};
use crate::export::loss::{LossReason, Losses};

/// How a format calls questions.
pub trait Naming {
    /// Whether a number is no text to the format.
    const KNOWS_NUMBERS: bool;

    /// The question as a name that the format allows.
    fn allowed(question: &str) -> String;

    /// Whether the format has a name for something else.
    fn is_reserved(name: &str) -> bool;
}

/// The names of questions in the files of an export, each of its own.
///
/// Questions of one name whose answers are of two kinds, or that are asked of spans and of documents, are
/// two: under a name there is room for answers of one kind.
#[derive(Debug, Clone)]
pub struct AnswerNames<N> {
    names: BTreeMap<Asked, String>,
    taken: BTreeSet<String>,
    naming: PhantomData<N>,
}

impl<N> Default for AnswerNames<N> {
    fn default() -> Self {
        Self { names: BTreeMap::new(), taken: BTreeSet::new(), naming: PhantomData }
    }
}

/// What makes a question another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Asked {
    question: String,
    kind: AnswersAre,
    of_document: bool,
}

/// The kind of a question's answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AnswersAre {
    Text,
    List,
    Number,
}

impl Asked {
    fn by<N: Naming>(answer: &AnnotatedAnswer) -> Self {
        let kind = match answer.answer {
            AnswerWords::Several(_) => AnswersAre::List,
            AnswerWords::Number(_) if N::KNOWS_NUMBERS => AnswersAre::Number,
            AnswerWords::One(_) | AnswerWords::Number(_) => AnswersAre::Text,
        };
        Self { question: answer.question.clone(), kind, of_document: answer.span.is_none() }
    }
}

impl<N: Naming> AnswerNames<N> {
    /// Takes the questions that are answered, and notes which of them are called otherwise.
    pub(crate) fn add<'answer>(
        &mut self,
        answers: impl IntoIterator<Item = &'answer AnnotatedAnswer>,
        losses: &mut Losses<'_>,
    ) {
        let mut renamed = BTreeSet::new();
        for answer in answers {
            let question = &answer.question;
            let name = self.make(Asked::by::<N>(answer));
            if name != *question && renamed.insert(name.clone()) {
                let question = question.clone();
                losses.of_document(LossReason::QuestionRewritten { question, name });
            }
        }
    }

    fn make(&mut self, asked: Asked) -> String {
        if let Some(known) = self.names.get(&asked) {
            return known.clone();
        }
        let allowed = N::allowed(&asked.question);
        let mut name = allowed.clone();
        let mut number = 2_usize;
        while N::is_reserved(&name) || !self.taken.insert(name.clone()) {
            name = format!("{allowed}_{number}");
            number += 1;
        }
        self.names.insert(asked, name.clone());
        name
    }

    /// What the question of an answer that was [taken](Self::add) is called.
    pub(crate) fn of(&self, answer: &AnnotatedAnswer) -> Option<&str> {
        self.names.get(&Asked::by::<N>(answer)).map(String::as_str)
    }

    /// Every name in the order of the questions, with the kind of its answers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, AnswersAre)> {
        self.names.iter().map(|(asked, name)| (name.as_str(), asked.kind))
    }
}
