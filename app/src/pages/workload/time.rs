//! How long people take for documents.

use domain::{PersonTime, ProjectId, TimeBoard};
use leptos::prelude::*;

use crate::{
    ApiError,
    context::{answer, request},
    display,
    pages::components::{
        table::{Number, Table, Text, heads},
        time_spent::minutes,
    },
    view::view,
};

pub(super) async fn load_times(project: ProjectId) -> Result<TimeBoard, ApiError> {
    let (services, actor) = request()?;
    answer(services::work::focus::board(&services, &actor, project).await)
}

#[component]
pub(super) fn Times(project: ProjectId, board: TimeBoard) -> impl IntoView {
    let TimeBoard { is_measured, people } = board;
    let settings = format!("/projects/{project}/settings#time");
    let state = if is_measured {
        view! {
            <p class="soft">
                "Minutes in which a document was in front of somebody who worked on it, in whole minutes. Medians are of documents that are submitted (for reviewers: whose review is ended); repeats are left out. "
                <a href=settings>"Settings"</a>
            </p>
        }
    } else {
        view! {
            <p class="soft">
                "Time is not measured at present; what was measured before stays. "
                <a href=settings>"Settings"</a>
            </p>
        }
    };
    let rows: Vec<_> = people.iter().map(row).collect();
    view! {
        <section class="stack" id="time" aria-labelledby="time-title">
            <h2 id="time-title">"Time on task"</h2>
            {state}
            <Table label="Time on task by person">
                <caption class="visually-hidden">"How long each person takes for a document"</caption>
                {heads([
                    Text("Person"), Text("Role"), Number("In all"),
                    Number("Finished documents (n)"), Number("Median per document"),
                    Number("Median per 1,000 characters"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        </section>
    }
}

fn row(person: &PersonTime) -> AnyView {
    let medians = match person.time.medians {
        Err(reason) => view! {
            <td class="number">"0"</td>
            <td colspan="2" class="soft">{reason.words()}</td>
        },
        Ok(medians) => {
            let minutes = |value| format!("{} min", display::decimals(value, 1));
            view! {
                <td class="number">{display::thousands(medians.documents)}</td>
                <td class="number">{minutes(medians.per_document)}</td>
                <td class="number">{minutes(medians.per_thousand)}</td>
            }
        }
    };
    view! {
        <tr>
            <th scope="row"><bdi>{person.name.clone()}</bdi></th>
            <td>{person.role.name()}</td>
            <td class="number">{minutes(person.time.minutes)}</td>
            {medians}
        </tr>
    }
}
