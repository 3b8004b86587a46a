//! How often each label is gold.

use domain::{GoldQuery, Label, LabelId, ProjectId};
use leptos::prelude::*;

use crate::{
    display,
    pages::components::table::{Number, Table, Text, heads},
    query,
    view::view,
};

#[component]
pub(super) fn Labels(
    project: ProjectId,
    labels: Vec<Label>,
    /// Spans of each label, and in how many documents.
    by_label: Vec<(LabelId, u64, u64)>,
    asked: GoldQuery,
) -> impl IntoView {
    let rows: Vec<_> = by_label
        .into_iter()
        .filter_map(|(id, spans, documents)| {
            let label = labels.iter().find(|label| label.id == id)?;
            let class = format!("chip colour-{}", label.colour.number());
            let narrowed = GoldQuery {
                label: Some(id),
                sorting: domain::Sorting { page: 0, ..asked.sorting },
                ..asked
            };
            let address = format!("{}#documents", query::gold_address(project, &narrowed));
            let words = format!("{} documents with {}", display::thousands(documents), label.name);
            let documents = if documents == 0 {
                view! { <span class="soft">"0"</span> }
            } else {
                view! { <a href=address aria-label=words>{display::thousands(documents)}</a> }
            };
            Some(view! {
                <tr>
                    <th scope="row"><span class=class dir="auto">{label.name.clone()}</span></th>
                    <td class="number">{display::thousands(spans)}</td>
                    <td class="number">{documents}</td>
                </tr>
            })
        })
        .collect();
    view! {
        <section class="stack" aria-labelledby="labels-title">
            <h2 id="labels-title">"By label"</h2>
            <Table label="Gold spans by label">
                <caption class="visually-hidden">"Gold spans of each label; a position with two labels is a span of each"</caption>
                {heads([Text("Label"), Number("Spans"), Number("Documents")])}
                <tbody>{rows}</tbody>
            </Table>
        </section>
    }
}
