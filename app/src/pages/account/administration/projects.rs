//! All projects of the server, from outside.

use domain::KeptProject;

use super::{List, list_page};
use crate::pages::components::{form::keeping::Kept, prelude::*};

/// Where the projects are.
const ADDRESS: &str = "/admin/projects";

#[component]
pub(crate) fn AllProjectsPage() -> impl IntoView {
    list_page(
        List { title: "All projects", address: ADDRESS, label: "Name", noun: "project" },
        |services, actor, query| async move {
            services::account::administration::list_projects(&services, &actor, &query).await
        },
        |note| view! { <Kept note/> },
        |rows| {
            let rows = rows.into_iter().map(|project| view! { <Row project/> }).collect_view();
            view! { <Rows rows/> }
        },
    )
}

#[component]
fn Rows(rows: Vec<AnyView>) -> impl IntoView {
    view! {
        <Table label="All projects" class="rows blocks">
            {heads([Text("Name"), Number("Members"), Number("Documents"), Text("Created")])}
            <tbody>{rows}</tbody>
        </Table>
    }
}

#[component]
fn Row(project: KeptProject) -> impl IntoView {
    let KeptProject { id, name, created_at, archived_at, members, documents } = project;
    let archived = archived_at.map(|_| view! { " " <span class="badge">"archived"</span> });
    view! {
        <tr>
            <th scope="row">
                <a href=format!("{ADDRESS}/{id}") dir="auto">{name}</a>
                {archived}
            </th>
            <td class="number" data-head="Members">{display::thousands(members)}</td>
            <td class="number" data-head="Documents">{display::thousands(documents)}</td>
            <td class="time" data-head="Created">{created_at.date_naive().to_string()}</td>
        </tr>
    }
}
