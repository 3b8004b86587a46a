//! The frame of a project's pages: its name, the tabs that the viewer's role has, and the project
//! itself, loaded once for all of them.

pub(crate) mod guidelines;
pub(crate) mod list;
pub(crate) mod members;
pub(crate) mod reasons;
pub(crate) mod settings;

use domain::{
    ProjectView, Role,
    base::policy::{Action as Act, Standpoint, offers},
};
use leptos_router::components::{A, Outlet};

use crate::{api::project::load_project, context::loading::Loading, pages::components::prelude::*};

/// The project that the page belongs to, as the viewer sees it; provided by [`ProjectFrame`].
#[derive(Clone)]
pub(crate) struct ProjectContext(pub(crate) Loading<ProjectView>);

/// What stands around every page of a project. Where the project cannot be loaded, the page
/// inside says why.
#[component]
pub(crate) fn ProjectFrame() -> impl IntoView {
    let project = load(load_project(use_project_id()));
    provide_context(ProjectContext(project.clone()));
    view! {
        <Loaded resource=project quiet=true view=|project| view! { <Head project/> }/>
        <Outlet/>
    }
}

/// The tabs of a project's pages: path, title, and what one must be permitted to see it.
const TABS: [(&str, &str, Act); 13] = [
    ("", "Overview", Act::ManageProject),
    ("/work", "My work", Act::ViewOwnWork),
    ("/reviews", "Reviews", Act::Review),
    ("/documents", "Documents", Act::ManageDocuments),
    ("/members", "Members", Act::ManageMembers),
    ("/agreement", "Agreement", Act::ViewAgreement),
    ("/time", "Trend", Act::ViewAgreement),
    ("/disagreements", "Disagreements", Act::ViewAgreement),
    ("/comments", "Comments", Act::Discuss),
    ("/gold", "Gold standard", Act::ViewAgreement),
    ("/exports", "Export", Act::ViewProject),
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
    let archived = project.archived_at.map(|_| {
        view! { <p class="notice">"Archived: read-only."</p> }
    });
    view! {
        <div class="project-head">
            <p class="row">
                <a class="project-name" dir="auto" href=address.clone()>{project.name}</a>
                <span class="badge">{project.role.name()}</span>
            </p>
            {archived}
            <nav aria-label="Project">
                <ul class="tabs">{tabs}</ul>
            </nav>
        </div>
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
        assert_eq!(titles(Role::Labeler), ["My work", "Export", "Guidelines"]);
        assert_eq!(
            titles(Role::Reviewer),
            [
                "Reviews",
                "Agreement",
                "Trend",
                "Disagreements",
                "Comments",
                "Gold standard",
                "Export",
                "Guidelines"
            ]
        );
        assert_eq!(
            titles(Role::Manager),
            [
                "Overview",
                "Documents",
                "Members",
                "Agreement",
                "Trend",
                "Disagreements",
                "Comments",
                "Gold standard",
                "Export",
                "Guidelines",
                "Settings"
            ]
        );
    }
}
