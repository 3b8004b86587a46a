//! All projects of the server, from outside.

use domain::{KeptProject, Page, SearchQuery};
use leptos::prelude::*;
use leptos_meta::Title;

use super::{Found, Search, Sections};
use crate::{
    ApiError,
    context::{answer, request, take_note_at},
    display,
    loading::load,
    pages::{
        base::address::in_query,
        components::{
            keeping::Kept,
            loaded::Loaded,
            table::{Number, Table, Text, heads},
        },
    },
    query::read_page,
    view::view,
};

/// Where the projects are.
const ADDRESS: &str = "/admin/projects";

#[component]
pub(crate) fn AllProjectsPage() -> impl IntoView {
    let search = in_query("search").unwrap_or_default();
    let query = SearchQuery { search: search.trim().to_owned(), page: read_page(in_query) };
    let projects = load(load_projects(query));
    view! {
        <Title text="All projects"/>
        <div class="page">
            <h1>"All projects"</h1>
            <Sections/>
            <Loaded resource=projects titled=true view=move |(page, note): (Page<KeptProject>, Option<String>)| {
                let rows = page.rows.iter().cloned().map(|project| view! { <Row project/> }).collect_view();
                let rows = (!page.rows.is_empty()).then(|| view! { <Rows rows/> });
                view! {
                    <Kept note/>
                    <Search address=ADDRESS label="Name" search=search.clone()/>
                    <Found page noun="project" address=ADDRESS search rows/>
                }
            }/>
        </div>
    }
}

async fn load_projects(
    query: SearchQuery,
) -> Result<(Page<KeptProject>, Option<String>), ApiError> {
    let (services, actor) = request()?;
    let page = services::account::administration::list_projects(&services, &actor, &query).await;
    Ok((answer(page)?, take_note_at(ADDRESS)))
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
