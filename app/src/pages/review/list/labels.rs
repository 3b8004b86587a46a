//! Deciding by layer: one label at a time, across documents.

use domain::{LabelCard, ProjectId, WalkList};

use crate::pages::components::prelude::*;

/// The labels, each with the way through its positions.
#[component]
pub(super) fn ByLabel(project: ProjectId, labels: Vec<LabelCard>) -> impl IntoView {
    let content = if labels.is_empty() {
        view! { <p class="empty">"No labels yet."</p> }
    } else {
        let rows: Vec<_> = labels.into_iter().map(|label_card| row(project, label_card)).collect();
        view! {
            <Table label="Labels">
                <caption class="visually-hidden">"Decisions by label"</caption>
                {heads([Text("Label"), Hidden("Continue"), Number("Decisions"), Number("To decide")])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <Section title_id="labels-title" title="By label" id="labels">
            <p class="soft">
                "Decide one label at a time across all documents, undecided positions first."
            </p>
            {content}
        </Section>
    }
}

fn row(project: ProjectId, label_card: LabelCard) -> AnyView {
    let LabelCard { label, decisions, undecided } = label_card;
    let address = query::walk_address(project, &WalkList::Label(label.id), None, None);
    let way_on = match (decisions, undecided) {
        (0, _) => view! { <span class="soft">"unused"</span> },
        (_, 0) => {
            let name = format!("Open {}", label.name);
            view! { <span class="soft">"all decided "</span><a href=address aria-label=name>"Open"</a> }
        }
        _ => {
            let name = format!("Decide {}", label.name);
            view! { <a class="button small" href=address aria-label=name>"Decide"</a> }
        }
    };
    let class = format!("chip colour-{}", label.colour.index());
    view! {
        <tr>
            <th scope="row"><span class=class dir="auto">{label.name}</span></th>
            <td>{way_on}</td>
            <td class="number">{display::thousands(decisions)}</td>
            <td class="number">{display::thousands(undecided)}</td>
        </tr>
    }
}
