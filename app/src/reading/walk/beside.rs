//! What stands beside the walk: agreement as it is now, and the guidelines.

use domain::{Measured, ProjectId, Revision, SeveralMeasure, Switches, TimeSubject, WalkAgreement};
use leptos::prelude::*;

use crate::{
    display,
    reading::{
        components::live_line::LiveLine,
        over_time::{measure_name, subject_name, undefined},
        query,
    },
    view::view,
};

#[component]
pub(super) fn Beside(
    project: ProjectId,
    switches: Switches,
    /// The revision that the numbers are of.
    revision: Revision,
    agreement: Vec<WalkAgreement>,
    /// The present guidelines as safe HTML.
    guidelines: String,
) -> impl IntoView {
    let matrix = query::matrix_address(project, switches);
    let rows = agreement.into_iter().map(|row| view! { <Subject row/> }).collect_view();
    let guidelines = if guidelines.trim().is_empty() {
        view! { <p class="soft">"There are no guidelines yet."</p> }
    } else {
        view! { <div class="prose" dir="auto" inner_html=guidelines></div> }
    };
    view! {
        <aside class="stack walk-beside" aria-label="Agreement and guidelines">
            <section class="card stack" aria-labelledby="walk-agreement">
                <div class="row spread">
                    <h2 id="walk-agreement">"Agreement now"</h2>
                    <LiveLine project switches revision/>
                </div>
                <table class="rows walk-agreement">
                    <caption class="visually-hidden">"Agreement as it is now"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Measure"</th>
                            <th scope="col" class="number">"Value"</th>
                        </tr>
                    </thead>
                    {rows}
                </table>
                <p><a href=matrix>"The whole matrix"</a></p>
            </section>
            <details class="card walk-guidelines">
                <summary>"Guidelines"</summary>
                {guidelines}
            </details>
        </aside>
    }
}

/// The values of all labelers, or of labelers and reviewers.
#[component]
fn Subject(row: WalkAgreement) -> impl IntoView {
    let WalkAgreement { subject, values, n } = row;
    let counted = match subject {
        TimeSubject::Labelers => display::count(n, "position"),
        TimeSubject::Reviewers => display::count(n, "comparison"),
    };
    let values = values
        .into_iter()
        .map(|(measure, measured)| view! { <Value measure measured subject/> })
        .collect_view();
    view! {
        <tbody>
            <tr>
                <th scope="rowgroup" colspan="2">
                    {subject_name(subject)}" "<span class="soft number">{counted}</span>
                </th>
            </tr>
            {values}
        </tbody>
    }
}

#[component]
fn Value(measure: SeveralMeasure, measured: Measured, subject: TimeSubject) -> impl IntoView {
    let value = match measured {
        Measured::Value { .. } => {
            view! { <strong class="number">{display::coefficient(measured)}</strong> }
        }
        Measured::Undefined(reason) => view! {
            <span aria-hidden="true">"– "</span><small class="reason">{undefined(reason)}</small>
        },
    };
    view! {
        <tr>
            <th scope="row">{measure_name(measure, subject)}</th>
            <td class="number">{value}</td>
        </tr>
    }
}
