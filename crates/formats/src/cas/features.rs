//! The features of the layer of spans that hold answers: what they are called and what values they have.

use crate::export::answer_names::{AnswerNames, Naming};

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

/// The features in which questions about spans are answered.
///
/// A name is one of Java's, as UIMA wants it: letters, digits and `_`.
pub type AnswerFeatures = AnswerNames<Features>;

/// How a CAS calls questions.
#[derive(Debug, Clone, Copy)]
pub struct Features;

impl Naming for Features {
    const KNOWS_NUMBERS: bool = false;

    fn allowed(question: &str) -> String {
        feature_name(question)
    }

    fn is_reserved(name: &str) -> bool {
        is_reserved(name)
    }
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
    use crate::export::loss::Losses;
    use crate::{AnnotatedAnswer, AnnotatedSpan, AnswerWords};

    #[test]
    fn every_question_has_a_feature_of_its_own() {
        let span = AnnotatedSpan { start: 0, end: 1, label: "PER".to_owned() };
        let several = |words: &str| AnswerWords::Several(vec![words.to_owned()]);
        let one = |words: &str| AnswerWords::One(words.to_owned());
        let asked = [
            ("a b", one("x"), "a_b"),
            ("a_b", one("x"), "a_b_2"),
            ("a_b", several("x"), "a_b_3"),
            ("a_b", AnswerWords::Number("1".to_owned()), "a_b_2"),
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
        // Each is called otherwise.
        assert_eq!(losses.into_sorted().len(), 7);
    }
}
