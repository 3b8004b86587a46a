//! Server functions for members and invitations.

use domain::{InvitationId, Member, MemberId, OpenInvitation, ProjectId, Role};
use leptos::prelude::*;
use server_fn::codec::Json;

use crate::ApiError;

/// All members of a project.
#[server(prefix = "/fn", endpoint = "members/list_members")]
pub async fn list_members(project: ProjectId) -> Result<Vec<Member>, ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::members::list(&services, &actor, project).await)
}

/// Invitations nobody has accepted yet.
#[server(prefix = "/fn", endpoint = "members/list_invitations")]
pub async fn list_invitations(project: ProjectId) -> Result<Vec<OpenInvitation>, ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::members::list_invitations(&services, &actor, project).await)
}

/// Makes an invitation; the answer is the token of its link, shown this once.
#[server(prefix = "/fn", endpoint = "members/invite_member", input = Json)]
pub async fn invite_member(
    project: ProjectId,
    role: Role,
    email: Option<String>,
) -> Result<String, ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::members::invite(&services, &actor, project, role, email).await)
}

/// Takes an invitation back.
#[server(prefix = "/fn", endpoint = "members/delete_invitation")]
pub async fn delete_invitation(project: ProjectId, id: InvitationId) -> Result<(), ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::members::delete_invitation(&services, &actor, project, id).await)
}

/// Ends a membership; what the member did stays.
#[server(prefix = "/fn", endpoint = "members/remove_member")]
pub async fn remove_member(project: ProjectId, member: MemberId) -> Result<(), ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::members::remove(&services, &actor, project, member).await)
}
