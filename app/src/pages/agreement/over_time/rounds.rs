//! The rounds as a table: under which guidelines each was done, what it came to, and what has
//! changed.

use domain::{ProjectId, RoundPoint, ScaleChoice, TimeView};
use leptos::prelude::*;

use super::wording::{change, measure_name, value_cell, word};
use crate::{
    display,
    pages::components::table::{Number, Table, Text, heads},
    view::view,
};

/// One row for each round, the latest first.
#[component]
pub(super) fn RoundsTable(view: TimeView) -> impl IntoView {
    let TimeView { project, switches, rounds, .. } = view;
    let name = measure_name(switches.measure, switches.subject);
    let rows =
        rounds.into_iter().rev().map(|point| row(project, point, switches.scale)).collect_view();
    view! {
        <section class="stack" aria-labelledby="rounds-title">
            <h2 id="rounds-title">"By round"</h2>
            <p class="soft">
                "A round is a stretch of work under one version of the guidelines. No document belongs to two rounds, "
                "so the change has an interval of its own: where it leaves out 0, the change is more than chance."
            </p>
            <Table label="Agreement by round">
                <caption class="visually-hidden">{format!("{name} by round, the latest first")}</caption>
                {heads([
                    Text("Round"), Text("Started"), Text("Guidelines"),
                    Number("Compared documents"), Number("Positions"), Number("Value"),
                    Text("In words"), Number("Change"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        </section>
    }
}

fn row(project: ProjectId, point: RoundPoint, scale: ScaleChoice) -> AnyView {
    let RoundPoint { round, value, change: since } = point;
    let version = round.guidelines_version;
    let address = format!("/projects/{project}/guidelines/{version}");
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
    let compared = format!("{} of {}", value.documents, round.documents);
    view! {
        <tr>
            <th scope="row" class="round-name"><bdi>{round.name()}</bdi>{note}</th>
            <td class="time">{display::time(round.started_at)}{by}</td>
            <td><a href=address>{format!("Version {version}")}</a></td>
            <td class="number">{compared}</td>
            <td class="number">{display::thousands(value.n)}</td>
            <td class="number">{value_cell(&value)}</td>
            <td>{word(&value, scale)}</td>
            <td class="number">{changed}</td>
        </tr>
    }
}
