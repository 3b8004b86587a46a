//! The server's projects from outside: how many people and documents, never what is in them.

use std::sync::Arc;

use domain::{Actor, Error as Refusal, KeptProject, Page, ProjectId, SearchQuery};

use super::permit;
use crate::{
    Result, Services,
    project::{delete_whole, set_archived},
};

/// The projects whose name has the text that is looked for.
pub async fn list_projects(
    services: &Arc<Services>,
    actor: &Actor,
    query: &SearchQuery,
) -> Result<Page<KeptProject>> {
    permit(services, actor)?;
    let db = services.store.begin_read().await?;
    Ok(store::project::removal::list(&db, query).await?)
}

/// What is told of one project.
pub async fn load_project(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<KeptProject> {
    permit(services, actor)?;
    Ok(store::project::removal::find(&services.store, project).await?.ok_or(Refusal::NotFound)?)
}

/// Archives a project, as its managers could.
pub async fn archive_project(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<()> {
    set_archived(services, permit(services, actor)?.id, project, true).await
}

/// Takes a project out of the archive, as its managers could.
pub async fn restore_project(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<()> {
    set_archived(services, permit(services, actor)?.id, project, false).await
}

/// Deletes a project with everything that belongs to it, as its managers could.
pub async fn delete_project(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    name: &str,
) -> Result<()> {
    delete_whole(services, permit(services, actor)?.id, project, name).await
}
