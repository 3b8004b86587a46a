//! Server functions by which administrators look after the server.

use domain::{AccountChange, ProjectId, UserId};
use leptos::prelude::*;

use crate::ApiError;

/// Disables an account, enables it, or changes what its owner may do.
#[server(prefix = "/fn", endpoint = "administration/change_account")]
pub async fn change_account(account: UserId, change: AccountChange) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to_with_note, request};

    let (services, actor) = request()?;
    let changed =
        services::account::administration::change_account(&services, &actor, account, change);
    answer(changed.await)?;
    lead_to_with_note(&format!("/admin/accounts/{account}"), change.name());
    Ok(())
}

/// Makes the link by which an account's owner chooses a new password; the answer is its token, and
/// the account's page shows the link this once.
#[server(prefix = "/fn", endpoint = "administration/create_reset_link")]
pub async fn create_reset_link(account: UserId) -> Result<String, ApiError> {
    use crate::context::{answer, lead_to_with_note, request};

    let (services, actor) = request()?;
    let made =
        services::account::administration::create_reset_link(&services, &actor, account).await;
    let token = answer(made)?;
    lead_to_with_note(&format!("/admin/accounts/{account}"), &format!("link-{token}"));
    Ok(token)
}

/// Deletes an account, or makes it anonymous if it has worked, if this is its address.
#[server(prefix = "/fn", endpoint = "administration/remove_account")]
pub async fn remove_account(account: UserId, email: String) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to_with_note, request};

    let (services, actor) = request()?;
    let removed =
        services::account::administration::remove_account(&services, &actor, account, &email).await;
    lead_to_with_note("/admin", answer(removed)?.name());
    Ok(())
}

/// Archives a project.
#[server(prefix = "/fn", endpoint = "administration/archive_project")]
pub async fn archive_project(project: ProjectId) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to_with_note, request};

    let (services, actor) = request()?;
    answer(services::account::administration::archive_project(&services, &actor, project).await)?;
    lead_to_with_note(&format!("/admin/projects/{project}"), "archived");
    Ok(())
}

/// Takes a project out of the archive.
#[server(prefix = "/fn", endpoint = "administration/restore_project")]
pub async fn restore_project(project: ProjectId) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to_with_note, request};

    let (services, actor) = request()?;
    answer(services::account::administration::restore_project(&services, &actor, project).await)?;
    lead_to_with_note(&format!("/admin/projects/{project}"), "restored");
    Ok(())
}

/// Deletes a project with everything that belongs to it, if this is its name.
#[server(prefix = "/fn", endpoint = "administration/delete_project")]
pub async fn delete_project(project: ProjectId, name: String) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to_with_note, request};

    let (services, actor) = request()?;
    let deleted =
        services::account::administration::delete_project(&services, &actor, project, &name).await;
    answer(deleted)?;
    lead_to_with_note("/admin/projects", "project-deleted");
    Ok(())
}
