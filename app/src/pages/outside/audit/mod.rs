//! The audit trail: what was done, by whom and when, as far back as one likes.

mod filters;
mod query;
mod rows;

use domain::{AuditQuery, AuditView};

use self::{filters::Filters, query::Trail, rows::Rows};
use crate::pages::{account::administration::Sections, components::prelude::*};

/// What every trail says of itself.
const TERMS: &str = "Append-only and signed: “concord verify” finds tampering.";

#[component]
pub(crate) fn AuditPage() -> impl IntoView {
    let project = use_project_id();
    let query = query::read(in_query);
    let trail = load_with(move |services, actor| async move {
        services::outside::audit::load(&services, &actor, project, query).await
    });
    view! {
        <PageBody title="Audit trail" class="page audit-trail">
            <p class="soft">{TERMS}</p>
            <Loaded resource=trail titled=true view=|view| view! { <View view/> }/>
        </PageBody>
    }
}

#[component]
pub(crate) fn ServerAuditPage() -> impl IntoView {
    let query = query::read(in_query);
    let trail = load_with(move |services, actor| async move {
        services::outside::audit::load_of_server(&services, &actor, query).await
    });
    view! {
        <PageBody title="Audit trail" class="page audit-trail">
            <Sections/>
            <p class="soft">"Actions outside projects. "{TERMS}</p>
            <Loaded resource=trail titled=true view=|view| view! { <View view/> }/>
        </PageBody>
    }
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
        view! { <p class="empty">"No matching entries."</p> }
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
