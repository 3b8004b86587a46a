//! What stands beside the walk: agreement as it is now, and the guidelines.

use domain::{Measured, ProjectId, Revision, SeveralMeasure, Switches, TimeSubject, WalkAgreement};

use crate::pages::components::prelude::*;

#[component]
pub(super) fn Beside(
    project: ProjectId,
    switches: Switches,
    /// The revision that the numbers are of.
    revision: Revision,
    agreement: Vec<WalkAgreement>,
    /// The present guidelines as safe HTML.
    guidelines: String,
    /// The matrix.
    children: Children,
) -> impl IntoView {
    let matrix = query::matrix_address(project, switches);
    let heads = agreement.iter().map(|column| {
        let counted = match column.subject {
            TimeSubject::Labelers => display::count(column.n, "position"),
            TimeSubject::Reviewers => display::count(column.n, "comparison"),
        };
        let subject = naming::time_subject(column.subject);
        view! { <th scope="col" class="number">{subject}<span class="soft counted-of">{counted}</span></th> }
    });
    let heads = heads.collect_view();
    let rows = SeveralMeasure::ALL.iter().map(|&measure| {
        let values = agreement.iter().map(|column| {
            let value = column.values.iter().find(|(of, _)| *of == measure);
            view! { <td class="number">{value.map(|(_, measured)| value_or_reason(*measured))}</td> }
        });
        view! { <tr><th scope="row">{name(measure)}</th>{values.collect_view()}</tr> }
    });
    let rows = rows.collect_view();
    // Whatever is answered: numbers and sets have measures of their own in the matrix.
    let nominal = switches.filter.question.is_some().then(|| {
        view! { <p class="soft">"Nominal: answers are equal or not."</p> }
    });
    let guidelines = if guidelines.trim().is_empty() {
        view! { <p class="soft">"No guidelines yet."</p> }
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
                {children()}
                {nominal}
                <Table labelled_by="walk-agreement" class="rows walk-agreement">
                    <caption class="visually-hidden">"Current agreement"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Measure"</th>
                            {heads}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </Table>
                <p><a href=matrix>"Open full matrix"</a></p>
            </section>
            <details class="card walk-guidelines">
                <summary>"Guidelines"</summary>
                {guidelines}
            </details>
        </aside>
    }
}

/// A value, or why there is none.
fn value_or_reason(measured: Measured) -> AnyView {
    match measured {
        Measured::Value { .. } => {
            view! { <strong class="number">{display::coefficient(measured)}</strong> }
        }
        Measured::Undefined(reason) => view! {
            <span aria-hidden="true">"– "</span><small class="reason">{naming::undefined(reason)}</small>
        },
    }
}

/// What a measure is called; of two raters in each comparison, Fleiss' κ is Scott's π.
fn name(measure: SeveralMeasure) -> String {
    let [one, other] = [TimeSubject::Labelers, TimeSubject::Reviewers]
        .map(|subject| naming::several_measure(measure, subject));
    if one == other { one.to_owned() } else { format!("{one}, {other}") }
}
