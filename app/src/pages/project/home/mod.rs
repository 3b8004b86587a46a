//! The first page of a project: the manager's overview, or the way to one's own work.

mod overview;

use domain::Role;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::Redirect;

use crate::{
    loading::load, pages::components::loaded::Loaded, pages::project::ProjectContext, view::view,
};
use overview::{Overview, load_progress};

/// Where the project's address itself leads: the manager's overview, or the viewer's own work.
#[component]
pub(crate) fn ProjectHomePage() -> impl IntoView {
    let ProjectContext(project) = expect_context();
    let home = load(async move {
        let project = project.await?;
        let progress = match project.role {
            Role::Manager => Some(load_progress(project.id).await?),
            Role::Labeler | Role::Reviewer => None,
        };
        Ok((project, progress))
    });
    view! {
        <Title text="Overview"/>
        <Loaded resource=home view=|(project, progress)| match (project.role, progress) {
            (Role::Manager, Some(progress)) => view! { <Overview project progress/> },
            (Role::Reviewer, _) => {
                view! { <Redirect path=format!("/projects/{}/reviews", project.id)/> }
            }
            (Role::Labeler | Role::Manager, _) => {
                view! { <Redirect path=format!("/projects/{}/work", project.id)/> }
            }
        }/>
    }
}
