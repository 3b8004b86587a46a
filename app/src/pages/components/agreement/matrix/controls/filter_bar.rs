//! What the numbers are narrowed down to: a form whose state is the page's address.

use domain::{Filter, ProjectView, Switches};

use super::question_menu::{QuestionMenu, answers, asking};
use crate::{pages::components::prelude::*, query::hidden_fields};

/// The fields of the form.
const FIELDS: [&str; 2] = ["only_label", "only_round"];

/// Question, round and label to choose; a document that was chosen elsewhere can be let go of.
#[component]
pub(crate) fn FilterBar<F>(
    switches: Switches,
    /// What there is to choose from.
    project: ProjectView,
    /// The page's address under other switches.
    address: F,
) -> impl IntoView
where
    F: Fn(Switches) -> String,
{
    let filter = switches.filter;
    let labels = project.categories(filter.question);
    let (field, all, note) = match filter.question {
        None => ("Label", "all labels", OF_LABEL),
        Some(_) => ("Choice", "all choices", OF_CHOICE),
    };
    let to_question = |question| address(asking(switches, question, &project));
    let questions = view! {
        <QuestionMenu question=filter.question project=project.clone() address=to_question/>
    };
    let are_numbers =
        matches!(answers(filter.question, &project), Some(domain::AnswerKind::Number(_)));
    let rounds = project.rounds;
    let chosen = [
        filter
            .round
            .and_then(|id| rounds.iter().find(|round| round.id == id))
            .map(|it| it.name.clone()),
        filter
            .label
            .and_then(|id| labels.iter().find(|label| label.id == id))
            .map(|it| it.name.clone()),
        filter.document.map(|_| "one document".to_owned()),
    ];
    let chosen: Vec<_> = chosen.into_iter().flatten().collect();
    let chosen = if chosen.is_empty() { "all".to_owned() } else { chosen.join(", ") };
    let has_rounds = rounds.len() > 1;
    let rounds = rounds.into_iter().map(|round| {
        let (id, name) = (round.id, round.name);
        let is_chosen = filter.round == Some(id);
        view! { <option value=id.to_string() selected=is_chosen>{name}</option> }
    });
    let rounds = has_rounds.then(|| {
        view! {
            <div class="field">
                <label for="filter-round">"Round"</label>
                <select id="filter-round" name="only_round">
                    <option value="">"all rounds"</option>
                    {rounds.collect_view()}
                </select>
            </div>
        }
    });
    let labels = labels.into_iter().map(|label| {
        let (id, name) = (label.id, label.name);
        let is_chosen = filter.label == Some(id);
        view! { <option value=id.to_string() selected=is_chosen dir="auto">{name}" against the rest"</option> }
    });
    let of_label = (!are_numbers).then(|| {
        view! {
            <div class="field">
                <label for="filter-label">{field}</label>
                <select id="filter-label" name="only_label">
                    <option value="">{all}</option>
                    {labels.collect_view()}
                </select>
            </div>
        }
    });
    let present = address(switches);
    let action = path_of(&present).to_owned();
    let kept = hidden_fields(&present, &FIELDS);
    let one_document = filter.document.map(|_| {
        let filter = Filter { document: None, ..filter };
        let all = address(Switches { filter, ..switches });
        view! { <a class="button small" href=all data-noscroll="">"One document only · all documents"</a> }
    });
    let note = filter.label.map(|_| view! { <p class="hint">{note}</p> });
    let form = view! {
        <form class="filters" method="get" action=action aria-label="Filters" data-instant="">
            {rounds}
            {of_label}
            {kept}
            <div class="actions">
                {one_document}
                <button class="small send">"Apply"</button>
            </div>
            {note}
        </form>
    };
    view! {
        {questions}
        <Menu name="Filter" chosen>{form}</Menu>
    }
}

const OF_LABEL: &str =
    "This label against everything else, no label included. Positions stay those of all labels.";

const OF_CHOICE: &str = "This choice against everything else. Positions stay those of all choices.";

fn path_of(address: &str) -> &str {
    address.split_once('?').map_or(address, |(path, _)| path)
}
