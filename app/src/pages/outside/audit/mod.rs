//! The audit trail: what was done, by whom and when, as far back as one likes.

mod filters;
mod query;
mod rows;

use domain::{AuditQuery, AuditView, ProjectId};
use leptos::prelude::*;
use leptos_meta::Title;

use self::{filters::Filters, query::Trail, rows::Rows};
use crate::{
    ApiError,
    context::{answer, request},
    loading::load,
    pages::{
        account::administration::Sections, base::address::in_query, components::loaded::Loaded,
        project::use_project_id,
    },
    view::view,
};

/// What every trail says of itself.
const TERMS: &str =
    "Rows are only added, and signed: “concord verify” finds what was tampered with.";

#[component]
pub(crate) fn AuditPage() -> impl IntoView {
    let project = use_project_id();
    let trail = load(load_trail(project, query::read(in_query)));
    view! {
        <Title text="Audit trail"/>
        <div class="page audit-trail">
            <p><a href=format!("/projects/{project}/settings")>"← Settings"</a></p>
            <h1>"Audit trail"</h1>
            <p class="soft">{TERMS}</p>
            <Loaded resource=trail titled=true view=|view| view! { <View view/> }/>
        </div>
    }
}

async fn load_trail(project: ProjectId, query: AuditQuery) -> Result<AuditView, ApiError> {
    let (services, actor) = request()?;
    answer(services::outside::audit::load(&services, &actor, project, query).await)
}

#[component]
pub(crate) fn ServerAuditPage() -> impl IntoView {
    let trail = load(load_server_trail(query::read(in_query)));
    view! {
        <Title text="Audit trail"/>
        <div class="page audit-trail">
            <h1>"Audit trail"</h1>
            <Sections/>
            <p class="soft">"What was done outside the projects. "{TERMS}</p>
            <Loaded resource=trail titled=true view=|view| view! { <View view/> }/>
        </div>
    }
}

async fn load_server_trail(query: AuditQuery) -> Result<AuditView, ApiError> {
    let (services, actor) = request()?;
    answer(services::outside::audit::load_of_server(&services, &actor, query).await)
}

#[component]
fn View(view: AuditView) -> impl IntoView {
    let AuditView { project, query, rows, goes_on, people } = view;
    let trail = Trail(project);
    let latest = query.before.map(|_| {
        let address = trail.address(&AuditQuery { before: None, ..query });
        view! { <a class="button small" rel="prev" href=address>"Latest"</a> }
    });
    let earlier = rows.last().filter(|_| goes_on).map(|last| {
        let address = trail.address(&AuditQuery { before: Some(last.place), ..query });
        view! { <a class="button small" rel="next" href=address>"Earlier"</a> }
    });
    let pager = (latest.is_some() || earlier.is_some())
        .then(|| view! { <nav class="row" aria-label="Pages">{latest}{earlier}</nav> });
    let content = if rows.is_empty() {
        view! { <p class="empty">"Nothing like that was noted."</p> }
    } else {
        view! { <Rows rows/> }
    };
    view! {
        <Filters trail query people/>
        {content}
        {pager}
        <p><a class="button" href=trail.file() download="">"Download all as JSON Lines"</a></p>
    }
}
