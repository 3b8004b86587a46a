//! The days as a table: what each came to, what all up to it came to, and the documents behind it.

use domain::{
    DayPoint, DisagreementFilter, DisagreementQuery, DocumentId, ProjectId, TimeSwitches, TimeView,
};
use leptos::prelude::*;

use super::wording::{measure_name, subject_name, value_cell, word};
use crate::{
    display,
    pages::components::table::{Number, Table, Text, heads},
    query,
    view::view,
};

/// One row for each day on which the comparison of a document was completed.
#[component]
pub(super) fn DaysTable(view: TimeView) -> impl IntoView {
    let TimeView { project, switches, days, .. } = view;
    let name = measure_name(switches.measure, switches.subject);
    let who = subject_name(switches.subject);
    let rows = days
        .into_iter()
        .rev()
        .map(|point| {
            let DayPoint { day, of_day, up_to, documents } = point;
            let count = display::count(of_day.documents, "document");
            let links = documents
                .into_iter()
                .map(|(id, name)| {
                    let address = disagreements(project, id, switches);
                    view! { <li><a dir="auto" href=address>{name}</a></li> }
                })
                .collect_view();
            view! {
                <tr id=format!("day-{day}")>
                    <th scope="row" class="day">{day.to_string()}</th>
                    <td>
                        <details>
                            <summary class="number">{count}</summary>
                            <ul class="day-documents">{links}</ul>
                        </details>
                    </td>
                    <td class="number">{value_cell(&of_day)}</td>
                    <td class="number">{display::thousands(of_day.n)}</td>
                    <td class="number">{value_cell(&up_to)}</td>
                    <td>{word(&up_to, switches.scale)}</td>
                    <td class="number">{display::thousands(up_to.n)}</td>
                    <td class="number">{display::thousands(up_to.documents)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section class="stack" aria-labelledby="days-title">
            <h2 id="days-title">"By day"</h2>
            <p class="soft">
                "A document belongs to the day, in UTC, on which the last of its compared copies was saved last: "
                "whoever changes one later moves the document to that day. The documents of a day lead to the positions on which raters differ."
            </p>
            <Table label="Agreement by day">
                <caption class="visually-hidden">{format!("{name} by day, {who}, the latest day first")}</caption>
                {heads([
                    Text("Day"), Text("Documents"), Number("This day"), Number("Positions"),
                    Number("All up to this day"), Text("In words"), Number("Positions"),
                    Number("Documents"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        </section>
    }
}

/// Where raters differ in a document.
fn disagreements(project: ProjectId, document: DocumentId, switches: TimeSwitches) -> String {
    let filter = DisagreementFilter {
        documents: switches.of_matrix().counted_documents(),
        document: Some(document),
        ..DisagreementFilter::default()
    };
    query::disagreements_address(project, &DisagreementQuery { filter, ..Default::default() })
}
