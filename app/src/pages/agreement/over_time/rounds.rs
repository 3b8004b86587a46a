//! The rounds as a table: under which guidelines each was done, what it came to, and what has
//! changed.

use domain::{ProjectId, RoundPoint, ScaleChoice, TimeView};

use super::wording::{change, value_cell, word};
use crate::pages::components::prelude::*;

/// One row for each round, the latest first.
#[component]
pub(super) fn RoundsTable(view: TimeView) -> impl IntoView {
    // Before the first values are there, that nothing can be compared would be a guess.
    let is_known = !(view.pending && view.days.is_empty());
    let TimeView { project, switches, rounds, .. } = view;
    let name = naming::several_measure(switches.measure, switches.subject);
    let rows = rounds
        .into_iter()
        .rev()
        .map(|point| row(project, point, switches.scale, is_known))
        .collect_view();
    view! {
        <Section title_id="rounds-title" title="By round">
            <Lead line="A change is more than chance where its interval leaves out 0." about="rounds">
                <p>"A round is work under one version of the guidelines. Each document belongs to one round only, so the change has an interval of its own."</p>
            </Lead>
            <Table label="Agreement by round">
                <caption class="visually-hidden">{format!("{name} by round, latest first")}</caption>
                {heads([
                    Text("Round"), Text("Started"), Text("Guidelines"),
                    Number("Compared documents"), Number("Positions"), Number("Value"),
                    Text("Meaning"), Number("Change"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        </Section>
    }
}

fn row(project: ProjectId, point: RoundPoint, scale: ScaleChoice, is_known: bool) -> AnyView {
    let RoundPoint { round, value, change: since } = point;
    let version = round.guidelines_version;
    let address = format!("/projects/{project}/settings/guidelines/{version}");
    let note = (!round.note.is_empty())
        .then(|| view! { <p class="soft round-note" dir="auto">{round.note.clone()}</p> });
    let by = round.started_by.clone().map(|name| view! { <br/><bdi>{name}</bdi> });
    let changed = since.map(|since| {
        view! {
            {change(&since)}
            <br/>
            <small>{display::confidence(since.confidence)}</small>
        }
    });
    let values = if is_known {
        view! {
            <td class="number">{format!("{} of {}", value.documents, round.documents)}</td>
            <td class="number">{display::thousands(value.n)}</td>
            <td class="number">{value_cell(&value)}</td>
        }
        .into_any()
    } else {
        let cell = || view! { <td class="number">"…"</td> };
        view! { {cell()} {cell()} {cell()} }.into_any()
    };
    view! {
        <tr>
            <th scope="row" class="round-name"><bdi>{round.name()}</bdi>{note}</th>
            <td class="time"><Moment at=round.started_at/>{by}</td>
            <td><a href=address>{format!("Version {version}")}</a></td>
            {values}
            <td>{word(&value, scale)}</td>
            <td class="number">{changed}</td>
        </tr>
    }
}
