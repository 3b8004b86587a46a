//! The frame of a project's pages: its name, the tabs that the viewer's role has, and the project
//! itself, loaded once for all of them; and the project's first page.

mod overview;
mod simulation;

use domain::{
    ProjectId, ProjectView, Role,
    policy::{Action as Act, Standpoint, offers},
};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::{
    components::{A, Outlet, Redirect},
    hooks::use_params_map,
};

use crate::{
    ApiError,
    api::projects::load_project,
    components::loaded::Loaded,
    loading::{Loading, load},
    pages::project::overview::{Overview, load_progress},
    view::view,
};

/// The project that the page belongs to, as the viewer sees it; provided by [`ProjectFrame`].
#[derive(Clone, Copy)]
pub(crate) struct ProjectContext(pub(crate) Loading<ProjectView>);

/// The project that the page's address names; an address that names none leads to "not found".
pub(crate) fn use_project_id() -> Memo<ProjectId> {
    let params = use_params_map();
    Memo::new(move |_| {
        params.read().get("project").and_then(|id| id.parse().ok()).unwrap_or_default()
    })
}

/// What stands around every page of a project. Where the project cannot be loaded, the page
/// inside says why.
#[component]
pub(crate) fn ProjectFrame() -> impl IntoView {
    let id = use_project_id();
    let project = load(move || id.get(), load_project);
    provide_context(ProjectContext(project));
    view! {
        <Loaded resource=project quiet=true view=|project| view! { <Head project/> }/>
        <Outlet/>
    }
}

/// The tabs of a project's pages: path, title, and what one must be permitted to see it.
const TABS: [(&str, &str, Act); 9] = [
    ("", "Overview", Act::ManageProject),
    ("/work", "My work", Act::ViewOwnWork),
    ("/reviews", "Reviews", Act::Review),
    ("/documents", "Documents", Act::ManageDocuments),
    ("/members", "Members", Act::ManageMembers),
    ("/agreement", "Agreement", Act::ViewAgreement),
    ("/disagreements", "Disagreements", Act::ViewAgreement),
    ("/guidelines", "Guidelines", Act::ViewProject),
    ("/settings", "Settings", Act::ManageProject),
];

/// The tabs that a role has: path and title.
fn tabs_of(role: Role) -> impl Iterator<Item = (&'static str, &'static str)> {
    TABS.into_iter()
        .filter(move |(_, _, action)| offers(*action, Standpoint::Member { role, owns: false }))
        .map(|(path, title, _)| (path, title))
}

/// The project's name and the tabs.
#[component]
fn Head(project: ProjectView) -> impl IntoView {
    let address = format!("/projects/{}", project.id);
    let tabs = tabs_of(project.role)
        .map(|(path, title)| {
            view! { <li><A href=format!("{address}{path}") exact=path.is_empty()>{title}</A></li> }
        })
        .collect_view();
    view! {
        <div class="project-head">
            <p class="row">
                <a class="project-name" dir="auto" href=address.clone()>{project.name}</a>
                <span class="badge">{project.role.name()}</span>
            </p>
            <nav aria-label="Project">
                <ul class="tabs">{tabs}</ul>
            </nav>
        </div>
    }
}

/// Where the project's address itself leads: the manager's overview, or the viewer's own work.
#[component]
pub(crate) fn ProjectHomePage() -> impl IntoView {
    let ProjectContext(project) = expect_context();
    let id = use_project_id();
    let home = load(
        move || id.get(),
        move |_| async move {
            let project = project.await?;
            let progress = match project.role {
                Role::Manager => Some(load_progress(project.id).await?),
                Role::Labeler | Role::Reviewer => None,
            };
            Ok::<_, ApiError>((project, progress))
        },
    );
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

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(role: Role) -> Vec<&'static str> {
        tabs_of(role).map(|(_, title)| title).collect()
    }

    #[test]
    fn a_role_has_only_the_tabs_that_it_may_open() {
        assert_eq!(titles(Role::Labeler), ["My work", "Guidelines"]);
        assert_eq!(titles(Role::Reviewer), ["Reviews", "Agreement", "Disagreements", "Guidelines"]);
        assert_eq!(
            titles(Role::Manager),
            [
                "Overview",
                "Documents",
                "Members",
                "Agreement",
                "Disagreements",
                "Guidelines",
                "Settings"
            ]
        );
    }
}
