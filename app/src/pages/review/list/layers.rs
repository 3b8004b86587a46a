//! Deciding by layer: one label at a time, across documents.

use domain::{LayerCard, ProjectId, WalkList};
use leptos::prelude::*;

use crate::{
    ApiError,
    context::{answer, request},
    display,
    pages::components::table::{Hidden, Number, Table, Text, heads},
    query,
    view::view,
};

pub(super) async fn load_layers(project: ProjectId) -> Result<Vec<LayerCard>, ApiError> {
    let (services, actor) = request()?;
    answer(services::review::walk::load_layers(&services, &actor, project).await)
}

/// The labels, each with the way through its positions.
#[component]
pub(super) fn Layers(project: ProjectId, layers: Vec<LayerCard>) -> impl IntoView {
    let content = if layers.is_empty() {
        view! { <p class="empty">"This project has no labels yet, so there is no layer to decide."</p> }
    } else {
        let rows: Vec<_> = layers.into_iter().map(|layer| row(project, layer)).collect();
        view! {
            <Table label="Layers">
                <caption class="visually-hidden">"The positions that any labeler gave a label"</caption>
                {heads([Text("Label"), Hidden("Way on"), Number("Positions"), Number("For you to decide")])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <section class="stack" id="layers" aria-labelledby="layers-title">
            <h2 id="layers-title">"By layer"</h2>
            <p class="soft">
                "One label at a time, across all documents: the positions that any labeler gave it, beginning with the first that is undecided. With one question in mind, decisions stay alike."
            </p>
            {content}
        </section>
    }
}

fn row(project: ProjectId, layer: LayerCard) -> AnyView {
    let LayerCard { label, positions, undecided } = layer;
    let address = query::walk_address(project, &WalkList::Layer(label.id), None, None);
    let way_on = match (positions, undecided) {
        (0, _) => view! { <span class="soft">"no labeler gave it"</span> },
        (_, 0) => {
            let name = format!("Look at {}", label.name);
            view! { <span class="soft">"all decided "</span><a href=address aria-label=name>"Look"</a> }
        }
        _ => {
            let name = format!("Decide {}", label.name);
            view! { <a class="button small" href=address aria-label=name>"Decide"</a> }
        }
    };
    let class = format!("chip colour-{}", label.colour.number());
    view! {
        <tr>
            <th scope="row"><span class=class dir="auto">{label.name}</span></th>
            <td>{way_on}</td>
            <td class="number">{display::thousands(positions)}</td>
            <td class="number">{display::thousands(undecided)}</td>
        </tr>
    }
}
