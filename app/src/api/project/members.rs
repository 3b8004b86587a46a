//! Server functions for members and invitations.

use domain::{InvitationId, Member, MemberId, ProjectId, Role};
use leptos::prelude::*;

use crate::ApiError;

/// All members of a project.
#[server(prefix = "/fn", endpoint = "members/list_members")]
pub async fn list_members(project: ProjectId) -> Result<Vec<Member>, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::project::members::list(&services, &actor, project).await)
}

/// Makes an invitation; the answer is the token of its link, and the page of members shows it this
/// once. Without an address anybody with the link can accept. Whoever accepts may get the place and
/// the work of a labeler whom nobody has claimed yet.
#[server(prefix = "/fn", endpoint = "members/invite_member")]
pub async fn invite_member(
    project: ProjectId,
    role: Role,
    #[server(default)] email: String,
    #[server(default)] claims: Option<MemberId>,
) -> Result<String, ApiError> {
    use crate::context::{answer, lead_with_note, request};
    use services::project::members::Invited;

    let (services, actor) = request()?;
    let invited = Invited { role, email: Some(email), claims };
    let token =
        answer(services::project::members::invite_to(&services, &actor, project, invited).await)?;
    lead_with_note(project, "settings/members", &token);
    Ok(token)
}

/// Takes an invitation back.
#[server(prefix = "/fn", endpoint = "members/delete_invitation")]
pub async fn delete_invitation(project: ProjectId, id: InvitationId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::project::members::delete_invitation(&services, &actor, project, id).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings/members"))
}

/// Ends a membership; what the member did stays.
#[server(prefix = "/fn", endpoint = "members/remove_member")]
pub async fn remove_member(project: ProjectId, member: MemberId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::project::members::remove(&services, &actor, project, member).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings/members"))
}
