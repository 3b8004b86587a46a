//! What raters are compared on: their labels, or what they chose of an attribute.

use domain::{AnswerKind, AttributeId, Filter, Measure, ProjectView, Switches};

use super::switch::{Choice, Switch};
use crate::pages::components::prelude::*;

/// A menu of questions; nothing where a project asks for labels alone.
#[component]
pub(crate) fn QuestionMenu<F>(
    question: Option<AttributeId>,
    project: ProjectView,
    /// The page's address under another question.
    address: F,
) -> impl IntoView
where
    F: Fn(Option<AttributeId>) -> String,
{
    let choice = |name: String, wanted| Choice {
        name: name.into(),
        is_current: wanted == question,
        address: address(wanted),
    };
    let attributes = project.attributes.iter();
    let asked = attributes.map(|it| choice(naming::question(it, &project.labels), Some(it.id)));
    let choices: Vec<_> = std::iter::once(choice("Label".to_owned(), None)).chain(asked).collect();
    let meaning = if question.is_some() { OF_ANSWERS } else { OF_LABELS };
    (choices.len() > 1).then(|| view! { <Switch name=QUESTION choices meaning/> })
}

/// What the switch is called.
pub(crate) const QUESTION: &str = "Question";

const OF_LABELS: &str = "Which label a span has.";

const OF_ANSWERS: &str = "What was answered. Whoever did not mark the span, or answered nothing, has \
                          not judged it. Reviewers take over what labelers answered alike, which \
                          counts as agreement.";

/// What answers to a question are; none of labels.
pub(crate) fn answers(question: Option<AttributeId>, project: &ProjectView) -> Option<AnswerKind> {
    let asked = project.attributes.iter().find(|attribute| Some(attribute.id) == question);
    asked.map(|attribute| attribute.answers.clone())
}

/// The switches with another question, and all its answers: on exact positions, since choices are on no others.
/// The measure stays if it suits them.
pub(crate) fn asking(
    switches: Switches,
    question: Option<AttributeId>,
    project: &ProjectView,
) -> Switches {
    let switches = switches.of_exact_positions();
    let measures = match answers(question, project) {
        Some(answers) => Measure::of_answers(&answers),
        None => Measure::OF_LABELS.to_vec(),
    };
    let measure = if measures.contains(&switches.measure) {
        switches.measure
    } else {
        measures.first().copied().unwrap_or_default()
    };
    Switches { filter: Filter { question, label: None, ..switches.filter }, measure, ..switches }
}
