//! Server functions for projects, their settings and labels.

pub mod labels;
pub mod members;
pub mod models;
pub mod reasons;
pub mod rounds;

use chrono::{DateTime, Utc};
use domain::{
    LabelId, PolicyChoice, ProjectCard, ProjectId, ProjectView, ReleaseLevel, TargetBasis,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::ApiError;

/// The projects one is a member of.
#[server(prefix = "/fn", endpoint = "projects/list_projects")]
pub async fn list_projects() -> Result<Vec<ProjectCard>, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::project::list(&services, &actor).await)
}

/// Something that was found by its name, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundLink {
    pub kind: String,
    pub name: String,
    /// The project that it is in.
    pub within: Option<String>,
    pub address: String,
}

/// The projects and documents whose names have in them what was typed.
#[server(prefix = "/fn", endpoint = "projects/search")]
pub async fn search(typed: String) -> Result<Vec<FoundLink>, ApiError> {
    fn found_links(found: domain::Found) -> Vec<FoundLink> {
        let project = |card: ProjectCard| FoundLink {
            kind: "project".to_owned(),
            name: card.name,
            within: None,
            address: format!("/projects/{}", card.id),
        };
        let document = |found: domain::FoundDocument| FoundLink {
            kind: "document".to_owned(),
            address: match (found.assignment, found.role) {
                (Some(assignment), domain::Role::Labeler) => format!("/assignments/{assignment}"),
                (_, domain::Role::Reviewer) => format!("/documents/{}/review", found.document),
                _ => {
                    format!("/projects/{}/review/gold/documents/{}", found.project, found.document)
                }
            },
            name: found.name,
            within: Some(found.project_name),
        };
        let projects = found.projects.into_iter().map(project);
        projects.chain(found.documents.into_iter().map(document)).collect()
    }

    let (services, actor) = crate::context::request()?;
    let found = services::project::search(&services, &actor, &typed).await;
    crate::context::answer(found).map(found_links)
}

/// Creates a project and leads to it; without a measure it has no target.
#[server(prefix = "/fn", endpoint = "projects/create_project")]
pub async fn create_project(
    name: String,
    #[server(default)] measure: String,
    #[server(default)] policy: PolicyChoice,
    #[server(default)] basis: TargetBasis,
    #[server(default)] at_least: String,
) -> Result<ProjectId, ApiError> {
    use crate::context::{answer, enter, request};

    let (services, actor) = request()?;
    let target = answer(domain::Target::typed(&measure, policy, basis, &at_least))?;
    let project = answer(services::project::create(&services, &actor, name, target).await)?;
    enter(project);
    Ok(project)
}

/// A project as one of its members sees it.
#[server(prefix = "/fn", endpoint = "projects/load_project")]
pub async fn load_project(project: ProjectId) -> Result<ProjectView, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::project::load(&services, &actor, project).await)
}

/// Changes name, guidelines and what labelers are shown.
#[server(prefix = "/fn", endpoint = "projects/save_settings")]
pub async fn save_settings(
    project: ProjectId,
    name: String,
    guidelines: String,
    release_level: ReleaseLevel,
    #[server(default)] reviewers_see_names: bool,
    #[server(default)] reviewers_see_consensus: bool,
    #[server(default)] requires_second_factor: bool,
) -> Result<(), ApiError> {
    use crate::context::{answer, lead_with_note, request};

    let (services, actor) = request()?;
    let settings = domain::ProjectSettings {
        name,
        guidelines,
        release_level,
        reviewers_see_names,
        reviewers_see_consensus,
        requires_second_factor,
    };
    answer(services::project::save_settings(&services, &actor, project, settings).await)?;
    lead_with_note(project, "settings", "saved");
    Ok(())
}

/// Adds a label with a colour by its number; the hotkey may be left empty.
#[server(prefix = "/fn", endpoint = "projects/create_label")]
pub async fn create_label(
    project: ProjectId,
    name: String,
    colour: u8,
    #[server(default)] hotkey: String,
) -> Result<LabelId, ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    let label = answer(domain::NewLabel::typed(name, colour, &hotkey))?;
    let id = answer(services::project::create_label(&services, &actor, project, label).await)?;
    lead_to(&format!("/projects/{project}/settings/labels"));
    Ok(id)
}

/// Changes a label.
#[server(prefix = "/fn", endpoint = "projects/save_label")]
pub async fn save_label(
    project: ProjectId,
    id: LabelId,
    name: String,
    colour: u8,
    #[server(default)] hotkey: String,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let label = crate::context::answer(domain::NewLabel::typed(name, colour, &hotkey))?;
    let done = services::project::save_label(&services, &actor, project, id, label).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings/labels"))
}

/// Deletes a label that nobody has used.
#[server(prefix = "/fn", endpoint = "projects/delete_label")]
pub async fn delete_label(project: ProjectId, id: LabelId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::project::delete_label(&services, &actor, project, id).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings/labels"))
}

/// Lets the labelers see their agreement as of now.
#[server(prefix = "/fn", endpoint = "projects/release_agreement")]
pub async fn release_agreement(project: ProjectId) -> Result<DateTime<Utc>, ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    let at = answer(services::project::release_agreement(&services, &actor, project).await)?;
    lead_to(&format!("/projects/{project}/settings#release"));
    Ok(at)
}

/// Saves a few spans as two labelers would, through the real save path; demo servers only.
#[server(prefix = "/fn", endpoint = "projects/simulate_labelers")]
pub async fn simulate_labelers(project: ProjectId) -> Result<u32, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(demo::simulate_labelers(&services, &actor, project).await)
}

/// Archives the project.
#[server(prefix = "/fn", endpoint = "projects/archive_project")]
pub async fn archive_project(project: ProjectId) -> Result<(), ApiError> {
    use crate::context::{answer, lead_with_note, request};

    let (services, actor) = request()?;
    answer(services::project::archive(&services, &actor, project).await)?;
    lead_with_note(project, "settings", "archived");
    Ok(())
}

/// Takes the project out of the archive.
#[server(prefix = "/fn", endpoint = "projects/restore_project")]
pub async fn restore_project(project: ProjectId) -> Result<(), ApiError> {
    use crate::context::{answer, lead_with_note, request};

    let (services, actor) = request()?;
    answer(services::project::restore(&services, &actor, project).await)?;
    lead_with_note(project, "settings", "restored");
    Ok(())
}

/// Deletes the project with everything that belongs to it, if this is its name.
#[server(prefix = "/fn", endpoint = "projects/delete_project")]
pub async fn delete_project(project: ProjectId, name: String) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::project::delete(&services, &actor, project, &name).await;
    crate::context::answer_at(done, "/")
}
