//! Server functions for projects, their settings and labels.

use chrono::{DateTime, Utc};
use domain::{
    LabelId, NewLabel, ProjectCard, ProjectId, ProjectSettings, ProjectView, SettingsView,
};
use leptos::prelude::*;
use server_fn::codec::Json;

use crate::ApiError;

/// The projects one is a member of.
#[server(prefix = "/fn", endpoint = "projects/list_projects")]
pub async fn list_projects() -> Result<Vec<ProjectCard>, ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::projects::list(&services, &actor).await)
}

/// Creates a project and leads to it.
#[server(prefix = "/fn", endpoint = "projects/create_project")]
pub async fn create_project(name: String) -> Result<ProjectId, ApiError> {
    use crate::context::{answer, enter, request};

    let (services, actor) = request()?;
    let project = answer(services::projects::create(&services, &actor, name).await)?;
    enter(project);
    Ok(project)
}

/// A project as one of its members sees it.
#[server(prefix = "/fn", endpoint = "projects/load_project")]
pub async fn load_project(project: ProjectId) -> Result<ProjectView, ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::projects::load(&services, &actor, project).await)
}

/// What a manager can change of a project.
#[server(prefix = "/fn", endpoint = "projects/load_settings")]
pub async fn load_settings(project: ProjectId) -> Result<SettingsView, ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::projects::load_settings(&services, &actor, project).await)
}

/// Changes name, guidelines and what labelers are shown.
#[server(prefix = "/fn", endpoint = "projects/save_settings", input = Json)]
pub async fn save_settings(project: ProjectId, settings: ProjectSettings) -> Result<(), ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::projects::save_settings(&services, &actor, project, settings).await)
}

/// Adds a label.
#[server(prefix = "/fn", endpoint = "projects/create_label", input = Json)]
pub async fn create_label(project: ProjectId, label: NewLabel) -> Result<LabelId, ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::projects::create_label(&services, &actor, project, label).await)
}

/// Changes a label.
#[server(prefix = "/fn", endpoint = "projects/save_label", input = Json)]
pub async fn save_label(project: ProjectId, id: LabelId, label: NewLabel) -> Result<(), ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::projects::save_label(&services, &actor, project, id, label).await)
}

/// Deletes a label that nobody has used.
#[server(prefix = "/fn", endpoint = "projects/delete_label")]
pub async fn delete_label(project: ProjectId, id: LabelId) -> Result<(), ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::projects::delete_label(&services, &actor, project, id).await)
}

/// Lets the labelers see their agreement as of now.
#[server(prefix = "/fn", endpoint = "projects/release_agreement")]
pub async fn release_agreement(project: ProjectId) -> Result<DateTime<Utc>, ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::projects::release_agreement(&services, &actor, project).await)
}

/// Saves a few spans as two labelers would, through the real save path; demo servers only.
#[server(prefix = "/fn", endpoint = "projects/simulate_labelers")]
pub async fn simulate_labelers(project: ProjectId) -> Result<u32, ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::demo::simulate_labelers(&services, &actor, project).await)
}
