//! Which label is unreliable: each against everything else.

use std::sync::Arc;

use domain::{Label, LabelPart, LabelSet};

use crate::pages::components::{agreement::disagreements::chips::LabelChips, prelude::*};

/// How many labels a label is said to be taken for.
const CONFUSIONS: usize = 3;

#[component]
pub(super) fn Labels(parts: Vec<LabelPart>, labels: Arc<[Label]>) -> impl IntoView {
    if parts.is_empty() {
        return ().into_any();
    }
    let rows = parts.into_iter().map(|part| view! { <Row part labels=labels.clone()/> });
    let rows = rows.collect_view();
    view! {
        <Section title_id="labels-title" title="Labels">
            <p class="soft">
                "Each label against everything else, least reliable first (Krippendorff’s α, all people)."
            </p>
            <Table labelled_by="labels-title">
                {heads([Text("Label"), Number("α"), Number("Positions"), Number("In dispute"), Text("Others said")])}
                <tbody>{rows}</tbody>
            </Table>
        </Section>
    }
}

#[component]
fn Row(part: LabelPart, labels: Arc<[Label]>) -> impl IntoView {
    let taken_for = part.confusions.into_iter().take(CONFUSIONS).map(|(set, positions)| {
        let said = if set.is_empty() {
            view! { <span class="soft">"∅"</span> }
        } else {
            view! { <LabelChips set labels=labels.clone()/> }
        };
        view! { <li>{said}" "<span class="number soft">{display::thousands(positions)}</span></li> }
    });
    let taken_for = taken_for.collect_view();
    view! {
        <tr>
            <th scope="row"><LabelChips set=LabelSet::one(part.label) labels/></th>
            <td class="number">
                {display::coefficient(part.alpha)}
                <span class="interval">{display::confidence(part.confidence)}</span>
            </td>
            <td class="number">{display::thousands(part.positions)}</td>
            <td class="number">{display::thousands(part.disputed)}</td>
            <td><ul class="plain-list">{taken_for}</ul></td>
        </tr>
    }
}
