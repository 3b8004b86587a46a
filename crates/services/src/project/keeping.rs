//! Archiving a project, restoring it and deleting it: by its managers, or by an administrator.

use std::sync::Arc;

use domain::{Actor, AuditEvent, Code, Error as Refusal, ProjectId, UserId, base::policy::Action};
use serde_json::json;
use store::{
    Tx,
    outside::audit::{Audit, Notes},
};

use crate::{Result, Services, base::access::permit};

/// Archives a project: its members read it, nobody changes it, and it leaves the lists.
pub async fn archive(services: &Arc<Services>, actor: &Actor, project: ProjectId) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    set_archived(services, access.person.id, project, true).await
}

/// Takes a project out of the archive.
pub async fn restore(services: &Arc<Services>, actor: &Actor, project: ProjectId) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    set_archived(services, access.person.id, project, false).await
}

/// Deletes a project with everything that belongs to it. Its name says that it is the one meant.
pub async fn delete(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    name: &str,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    delete_whole(services, access.person.id, project, name).await
}

/// Archives or restores, by somebody who has been permitted to.
pub(crate) async fn set_archived(
    services: &Services,
    by: UserId,
    project: ProjectId,
    archived: bool,
) -> Result<()> {
    let _lock = services.live.lock_project(project).await;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let found = store::project::removal::find(&tx, project).await?.ok_or(Refusal::NotFound)?;
    if found.archived_at.is_some() == archived {
        return Ok(());
    }
    store::project::removal::set_archived(&tx, project, archived.then_some(now)).await?;
    let event = if archived { AuditEvent::ArchiveProject } else { AuditEvent::RestoreProject };
    note(services, &tx, Some(project), by, (event, project)).await?;
    tx.commit().await?;
    services.live.invalidate(project);
    Ok(())
}

/// Deletes, by somebody who has been permitted to. Nobody saves meanwhile; imports stop; who follows
/// the project is told to look again, and finds nothing.
pub(crate) async fn delete_whole(
    services: &Services,
    by: UserId,
    project: ProjectId,
    name: &str,
) -> Result<()> {
    for import in store::project::removal::running_imports(&services.store, project).await? {
        services.imports.stop(import);
    }
    let _lock = services.live.lock_project(project).await;
    let tx = services.store.begin().await?;
    let found = store::project::removal::find(&tx, project).await?.ok_or(Refusal::NotFound)?;
    if found.name != name.trim() {
        let why = "this is not the project’s name: type it as shown above";
        return Err(Code::WrongProof.of("name", why).into());
    }
    store::project::removal::delete(&tx, project).await?;
    store::outside::audit::erase(&tx, Notes::In(project)).await?;
    note(services, &tx, None, by, (AuditEvent::DeleteProject, project)).await?;
    tx.commit().await?;
    services.live.forget(project);
    Ok(())
}

async fn note(
    services: &Services,
    tx: &Tx,
    chain: Option<ProjectId>,
    by: UserId,
    (event, project): (AuditEvent, ProjectId),
) -> Result<()> {
    let audit = Audit {
        project: chain,
        user: Some(by),
        at: services.clock.now(),
        event,
        subject: format!("project {project}"),
        detail: json!({}),
        revision: None,
    };
    Ok(store::outside::audit::append(tx, audit).await?)
}
