//! The features of the layer of spans that hold answers: what they are called and what values they have.

use std::collections::{BTreeMap, BTreeSet};

use crate::export::annotated::{AnnotatedAnswer, AnswerWords};
use crate::export::loss::{LossReason, Losses};

/// Features that say where an annotation is and what it belongs to, or are of no span.
pub(crate) const STRUCTURE: [&str; 9] = [
    "begin",
    "end",
    "sofa",
    "sofaID",
    "sofaString",
    "members",
    "documentTitle",
    "Governor",
    "Dependent",
];

/// Whether a feature of this name answers no question: it means something else.
pub(crate) fn is_reserved(name: &str) -> bool {
    STRUCTURE.contains(&name) || ["value", "label", "identifier", "PosValue"].contains(&name)
}

/// The features in which questions about spans are answered, each under a name of its own.
///
/// A name is one of Java's, as UIMA wants it: letters, digits and `_`. A question for several choices
/// has a feature of its own beside one of the same name for one, since it holds a list.
#[derive(Debug, Clone, Default)]
pub struct AnswerFeatures {
    names: BTreeMap<(String, bool), String>,
    taken: BTreeSet<String>,
}

impl AnswerFeatures {
    /// Takes the questions of answers about spans, and notes which of them are called otherwise.
    pub(crate) fn add(&mut self, answers: &[AnnotatedAnswer], losses: &mut Losses<'_>) {
        let mut told = BTreeSet::new();
        for answer in answers.iter().filter(|answer| answer.span.is_some()) {
            let question = &answer.question;
            let name = self.make(question, is_list(answer));
            if name != *question && told.insert(name.clone()) {
                let question = question.clone();
                losses.of_document(LossReason::QuestionRewritten { question, name });
            }
        }
    }

    fn make(&mut self, question: &str, is_list: bool) -> String {
        let key = (question.to_owned(), is_list);
        if let Some(known) = self.names.get(&key) {
            return known.clone();
        }
        let wanted = feature_name(question);
        let mut name = wanted.clone();
        let mut number = 2_usize;
        while is_reserved(&name) || !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        self.names.insert(key, name.clone());
        name
    }

    /// The feature of an answer whose question was [taken](Self::add).
    pub(crate) fn of(&self, answer: &AnnotatedAnswer) -> Option<&str> {
        self.names.get(&(answer.question.clone(), is_list(answer))).map(String::as_str)
    }

    /// Every feature in the order of their questions, with whether it holds a list.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, bool)> {
        self.names.iter().map(|((_, is_list), name)| (name.as_str(), *is_list))
    }
}

/// Whether several choices may be given.
const fn is_list(answer: &AnnotatedAnswer) -> bool {
    matches!(answer.answer, AnswerWords::Several(_))
}

/// The name of a question as that of a feature.
fn feature_name(question: &str) -> String {
    let kept = |scalar: char| if is_of_name(scalar) { scalar } else { '_' };
    let name: String = question.chars().map(kept).collect();
    let begins = name.chars().next().is_some_and(char::is_alphabetic);
    // A slot of WebAnno TSV begins so.
    if begins && !name.starts_with("ROLE_") { name } else { format!("q_{name}") }
}

/// Whether both Java and XML have the scalar in names.
fn is_of_name(scalar: char) -> bool {
    let is_letter = matches!(scalar, 'A'..='Z' | 'a'..='z' | '\u{C0}'..='\u{D6}'
        | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}' | '\u{3001}'..='\u{D7FF}');
    scalar == '_' || scalar.is_ascii_digit() || (is_letter && scalar.is_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnnotatedSpan;

    #[test]
    fn every_question_has_a_feature_of_its_own() {
        let span = AnnotatedSpan { start: 0, end: 1, label: "PER".to_owned() };
        let several = |words: &str| AnswerWords::Several(vec![words.to_owned()]);
        let one = |words: &str| AnswerWords::One(words.to_owned());
        let asked = [
            ("a b", one("x"), "a_b"),
            ("a_b", one("x"), "a_b_2"),
            ("a_b", several("x"), "a_b_3"),
            ("value", one("x"), "value_2"),
            ("ROLE_x", one("x"), "q_ROLE_x"),
            ("2nd", one("x"), "q_2nd"),
            ("Größe שם", one("x"), "Größe_שם"),
        ];
        let answers: Vec<AnnotatedAnswer> = asked
            .iter()
            .map(|(question, answer, _)| AnnotatedAnswer {
                span: Some(span.clone()),
                question: (*question).to_owned(),
                answer: answer.clone(),
            })
            .collect();
        let (mut features, mut losses) = (AnswerFeatures::default(), Losses::new("a"));
        features.add(&answers, &mut losses);
        for (answer, (_, _, name)) in answers.iter().zip(asked) {
            assert_eq!(features.of(answer), Some(name));
        }
        // All but the second are called otherwise.
        assert_eq!(losses.into_sorted().len(), 7);
    }
}
