//! How long people take for documents.

use domain::{PersonTime, ProjectId, TimeBoard};

use crate::pages::components::{prelude::*, text::time_spent::minutes};

#[component]
pub(super) fn Times(project: ProjectId, board: TimeBoard) -> impl IntoView {
    let TimeBoard { is_measured, people } = board;
    let settings = format!("/projects/{project}/settings#time");
    let state = if is_measured {
        view! {
            <p class="soft">
                "Active whole minutes. Medians cover submitted documents (for reviewers: finished reviews), without repeats. "
                <a href=settings>"Settings"</a>
            </p>
        }
    } else {
        view! {
            <p class="soft">
                "Not measured at present. "
                <a href=settings>"Settings"</a>
            </p>
        }
    };
    let rows: Vec<_> = people.iter().map(row).collect();
    view! {
        <Section title_id="time-title" title="Time on task" id="time">
            {state}
            <Table label="Time on task by person">
                <caption class="visually-hidden">"Time per document by person"</caption>
                {heads([
                    Text("Person"), Text("Role"), Number("Total"),
                    Number("Finished documents (n)"), Number("Median per document"),
                    Number("Median per 1,000 characters"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        </Section>
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
