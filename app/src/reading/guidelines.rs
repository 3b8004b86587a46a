//! A project's guidelines: what every member reads before marking anything.

use domain::{
    ProjectView,
    policy::{Action as Act, Standpoint, offers},
};
use leptos::prelude::*;
use leptos_meta::Title;

use crate::{components::loaded::Loaded, pages::project::ProjectContext, view::view};

#[component]
pub(crate) fn GuidelinesPage() -> impl IntoView {
    let ProjectContext(project) = expect_context();
    view! {
        <Title text="Guidelines"/>
        <Loaded resource=project view=|project| view! { <Guidelines project/> }/>
    }
}

#[component]
fn Guidelines(project: ProjectView) -> impl IntoView {
    let standpoint = Standpoint::Member { role: project.role, owns: false };
    let edit = offers(Act::ManageProject, standpoint).then(|| {
        let settings = format!("/projects/{}/settings", project.id);
        view! { <a class="button" href=settings>"Edit in settings"</a> }
    });
    let labels = project
        .labels
        .into_iter()
        .map(|label| {
            let class = format!("chip colour-{}", label.colour.number());
            let key = label.hotkey.map(|key| view! { <kbd>{key.to_uppercase().to_string()}</kbd> });
            view! { <li class=class><bdi>{label.name}</bdi> {key}</li> }
        })
        .collect_view();
    let text = if project.guidelines_html.trim().is_empty() {
        view! { <p class="empty">"There are no guidelines yet."</p> }
    } else {
        view! { <div class="card prose" dir="auto" inner_html=project.guidelines_html></div> }
    };
    view! {
        <div class="page">
            <div class="page-head">
                <h1>"Guidelines"</h1>
                <span class="row">
                    <span class="badge">"Version " {project.guidelines_version}</span>
                    {edit}
                </span>
            </div>
            <ul class="plain-list row" aria-label="Labels">{labels}</ul>
            {text}
        </div>
    }
}
