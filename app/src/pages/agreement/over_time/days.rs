//! The days as a table: what each came to, what all up to it came to, and the documents behind it.

use domain::{
    DayPoint, DisagreementFilter, DisagreementQuery, DocumentId, ProjectId, TimeSwitches, TimeView,
};

use super::wording::{value_cell, word};
use crate::pages::components::prelude::*;

/// One row for each day on which the comparison of a document was completed.
#[component]
pub(super) fn DaysTable(view: TimeView) -> impl IntoView {
    let TimeView { project, switches, days, .. } = view;
    let name = naming::several_measure(switches.measure, switches.subject);
    let who = naming::time_subject(switches.subject);
    let rows = days
        .into_iter()
        .rev()
        .map(|point| {
            let DayPoint { day, of_day, up_to, documents, left } = point;
            let count = display::count(of_day.documents, "document");
            let links = documents
                .into_iter()
                .map(|(id, name)| {
                    let address = disagreements(project, id, switches);
                    view! { <li><a dir="auto" href=address>{name}</a></li> }
                })
                .collect_view();
            let more = (left > 0).then(|| {
                let more = format!("and {} more", display::thousands(left));
                view! { <li class="soft">{more}</li> }
            });
            view! {
                <tr id=format!("day-{day}")>
                    <th scope="row" class="day">{day.to_string()}</th>
                    <td>
                        <details>
                            <summary class="number">{count}</summary>
                            <ul class="day-documents">{links}{more}</ul>
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
        <Section title_id="days-title" title="By day">
            <Lead line="Each document counts on the day (UTC) of its last save." about="days">
                <p>"It is the latest save among the compared assignments, so changing one later moves the document to that day. Documents of a day open the positions on which raters differ."</p>
            </Lead>
            <Table label="Agreement by day">
                <caption class="visually-hidden">{format!("{name} by day, {who}, latest first")}</caption>
                {heads([
                    Text("Day"), Text("Documents"), Number("This day"), Number("Positions"),
                    Number("All until this day"), Text("Meaning"), Number("Positions"),
                    Number("Documents"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        </Section>
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
