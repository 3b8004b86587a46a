//! Server functions for what stands beside assignments; each leads back to where it was asked.

use domain::{AssignmentId, DocumentId, FlagKind, FlagReason, MemberId, ProjectId};
use leptos::prelude::*;

use crate::ApiError;

/// Flags the document of one's own assignment, or puts it aside and goes on to the next.
#[server(prefix = "/fn", endpoint = "flags/raise")]
pub async fn raise_flag(
    assignment: AssignmentId,
    kind: FlagKind,
    reason: FlagReason,
    note: String,
) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    let flag = domain::NewFlag { kind, reason, note };
    let raised = services::work::flags::raise(&services, &actor, assignment, flag).await;
    let (project, next) = answer(raised)?;
    match (kind, next) {
        (FlagKind::Flag, _) => lead_to(&format!("/assignments/{assignment}/flag")),
        (FlagKind::Skip, Some(next)) => lead_to(&format!("/assignments/{next}")),
        (FlagKind::Skip, None) => lead_to(&format!("/projects/{project}/work")),
    }
    Ok(())
}

/// Takes one's own flag back, or takes up again what one has put aside.
#[server(prefix = "/fn", endpoint = "flags/lower")]
pub async fn lower_flag(assignment: AssignmentId, kind: FlagKind) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    answer(services::work::flags::lower(&services, &actor, assignment, kind).await)?;
    match kind {
        FlagKind::Flag => lead_to(&format!("/assignments/{assignment}/flag")),
        FlagKind::Skip => lead_to(&format!("/assignments/{assignment}")),
    }
    Ok(())
}

/// Answers a flag or a skip.
#[server(prefix = "/fn", endpoint = "flags/answer")]
pub async fn answer_flag(
    project: ProjectId,
    document: DocumentId,
    member: MemberId,
    kind: FlagKind,
    note: String,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let of = (document, member);
    let done = services::work::flags::answer(&services, &actor, project, of, kind, &note).await;
    crate::context::answer_at(done, &format!("/projects/{project}/work/assignments?state={kind}"))
}

/// Gives a submitted assignment back to its labeler.
#[server(prefix = "/fn", endpoint = "flags/send_back")]
pub async fn send_back(
    project: ProjectId,
    document: DocumentId,
    member: MemberId,
    note: String,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let of = (document, member);
    let done = services::work::flags::send_back(&services, &actor, project, of, note).await;
    crate::context::answer_at(done, &format!("/documents/{document}/back"))
}
