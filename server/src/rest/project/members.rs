//! Who is in a project, and who is invited.

use axum::{Extension, Json, response::IntoResponse};
use domain::{InvitationId, Member, MemberId, OpenInvitation, ProjectId, Role};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use services::project::members::Invited;
use utoipa::ToSchema;

use crate::{
    middleware::idempotency::TellsSecret,
    rest::base::{
        extract::{Ask, Body, Reply},
        pages::Listed,
    },
};

/// List members
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/members", tag = "Members",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "All members.", body = Listed<Member>)),
)]
pub(super) async fn list(
    Ask(services, actor, project): Ask<ProjectId>,
) -> Reply<Json<Listed<Member>>> {
    Ok(Json(Listed::all(services::project::members::list(&services, &actor, project).await?)))
}

/// Remove a member
///
/// What they did stays. The last manager cannot go.
#[utoipa::path(
    delete, path = "/api/v1/projects/{project}/members/{member}", tag = "Members",
    params(("project" = ProjectId, Path), ("member" = MemberId, Path)),
    responses((status = 204, description = "They are in the project no more.")),
)]
pub(super) async fn remove(
    Ask(services, actor, (project, member)): Ask<(ProjectId, MemberId)>,
) -> Reply<StatusCode> {
    services::project::members::remove(&services, &actor, project, member).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List invitations
///
/// Those that nobody has accepted yet.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/invitations", tag = "Members",
    params(("project" = ProjectId, Path)),
    responses((status = 200, description = "All of them.", body = Listed<OpenInvitation>)),
)]
pub(super) async fn list_invitations(
    Ask(services, actor, project): Ask<ProjectId>,
) -> Reply<Json<Listed<OpenInvitation>>> {
    let open = services::project::members::list_invitations(&services, &actor, project).await?;
    Ok(Json(Listed::all(open)))
}

/// Who is invited, and as what.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewInvitation {
    role: Role,
    /// Whose it is; without it, whoever has the link can accept.
    email: Option<String>,
    /// The labeler whom nobody has claimed yet, whose place and work they get.
    claims: Option<MemberId>,
}

/// An invitation that was made.
#[derive(Serialize, ToSchema)]
struct CreatedInvitation {
    /// The path of the link on this site. Shown only once.
    path: String,
}

/// Invite somebody
///
/// The answer is the link, which works once. No mail is sent.
#[utoipa::path(
    post, path = "/api/v1/projects/{project}/invitations", tag = "Members",
    params(("project" = ProjectId, Path)),
    request_body(content = NewInvitation, example = json!({
        "role": "labeler", "email": "ada@example.org",
    })),
    responses((status = 201, description = "The link is open.", body = CreatedInvitation)),
)]
pub(super) async fn invite(
    Ask(services, actor, project): Ask<ProjectId>,
    Body(NewInvitation { role, email, claims }): Body<NewInvitation>,
) -> Reply {
    let invited = Invited { role, email, claims };
    let token = services::project::members::invite_to(&services, &actor, project, invited).await?;
    let made = CreatedInvitation { path: format!("/invitations/{token}") };
    Ok((StatusCode::CREATED, Extension(TellsSecret), Json(made)).into_response())
}

/// Take an invitation back
///
/// Its link opens nothing any more.
#[utoipa::path(
    delete, path = "/api/v1/projects/{project}/invitations/{invitation}", tag = "Members",
    params(("project" = ProjectId, Path), ("invitation" = InvitationId, Path)),
    responses((status = 204, description = "The invitation is gone.")),
)]
pub(super) async fn delete_invitation(
    Ask(services, actor, (project, invitation)): Ask<(ProjectId, InvitationId)>,
) -> Reply<StatusCode> {
    services::project::members::delete_invitation(&services, &actor, project, invitation).await?;
    Ok(StatusCode::NO_CONTENT)
}
