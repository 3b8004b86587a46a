//! What raters are compared on: their labels, or what they chose of an attribute.

use domain::{AttributeId, Filter, Measure, ProjectView, Switches};

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
    let meaning = if question.is_some() { OF_CHOICES } else { OF_LABELS };
    (choices.len() > 1).then(|| view! { <Switch name=QUESTION choices meaning/> })
}

/// What the switch is called.
pub(crate) const QUESTION: &str = "Question";

const OF_LABELS: &str = "Which label a span has.";

const OF_CHOICES: &str = "What was chosen. Whoever did not mark the span, or chose nothing, has not \
                          judged it; reviewers decide on labels alone.";

/// The switches with another question, and all its answers: on exact positions, since choices are on no others.
pub(crate) fn asking(switches: Switches, question: Option<AttributeId>) -> Switches {
    let switches = switches.of_exact_positions();
    let measure = match question {
        None if switches.measure.is_graded() => Measure::default(),
        _ => switches.measure,
    };
    Switches { filter: Filter { question, label: None, ..switches.filter }, measure, ..switches }
}
