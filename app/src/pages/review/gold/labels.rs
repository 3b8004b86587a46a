//! How often each label is gold.

use domain::{GoldQuery, Label, LabelId, ProjectId};

use crate::pages::components::prelude::*;

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
            let class = format!("chip colour-{}", label.colour.index());
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
        <Section title_id="labels-title" title="By label">
            <Table label="Gold spans by label">
                <caption class="visually-hidden">"Gold spans by label; a position with two labels counts for both"</caption>
                {heads([Text("Label"), Number("Spans"), Number("Documents")])}
                <tbody>{rows}</tbody>
            </Table>
        </Section>
    }
}
