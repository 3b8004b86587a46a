//! Who comes into a project and who leaves it by what knows who is to be in it: many at a time, and nobody asks.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use domain::{AuditEvent, Member, MemberId, ProjectId, Revision, Role, UserId};
use serde_json::json;
use store::{
    Tx,
    outside::audit::{self, Audit},
    project::members,
};

use super::members::give_open_documents;
use crate::{Result, base::change::refuse_unpublished};

/// How many rows of the trail are written at once.
const NOTED_AT_ONCE: usize = 500;

/// People with their roles in a project.
pub(crate) type Places = BTreeMap<UserId, Role>;

/// Ends the memberships of those who are in a project in these roles; false if none are. The last manager stays.
/// `provider` is by whose word.
pub(crate) async fn dismiss_all(
    tx: &Tx,
    project: ProjectId,
    leaving: &Places,
    provider: &str,
    now: DateTime<Utc>,
) -> Result<bool> {
    let leaves = |member: &&Member| leaving.get(&member.user) == Some(&member.role);
    if !members::list(tx, project).await?.iter().any(|member| leaves(&member)) {
        return Ok(false);
    }
    // Locks the project: of two managers who are dismissed at the same time, one stays.
    let revision = store::project::advance(tx, project).await?;
    refuse_unpublished(tx, project).await?;
    let present = members::list(tx, project).await?;
    let mut gone: Vec<_> = present.iter().filter(leaves).collect();
    let mut managers = present.iter().filter(|member| member.role == Role::Manager);
    if let Some(first) = managers.next()
        && leaves(&first)
        && managers.all(|manager| leaves(&manager))
    {
        tracing::warn!(%project, user = %first.user, "a project's last manager stays");
        gone.retain(|member| member.id != first.id);
    }
    let ids: Vec<_> = gone.iter().map(|member| member.id).collect();
    members::remove_all(tx, project, &ids, now).await?;
    note(tx, (project, revision), AuditEvent::RemoveMember, &gone, provider, now).await?;
    Ok(!gone.is_empty())
}

/// Lets those into a project who are not in it, with an assignment of every document that everyone gets; false if
/// nobody comes. Whoever worked in it in another role stays out. `provider` is by whose word.
pub(crate) async fn admit_all(
    tx: &Tx,
    project: ProjectId,
    coming: &Places,
    provider: &str,
    now: DateTime<Utc>,
) -> Result<bool> {
    let present = users(&members::list(tx, project).await?);
    if coming.keys().all(|user| present.contains(user)) {
        return Ok(false);
    }
    // As in `admit`: this locks the project.
    let revision = store::project::advance(tx, project).await?;
    let present = users(&members::list(tx, project).await?);
    let raters = members::list_all_raters(tx, project).await?;
    let worked_as: Places = raters.iter().map(|rater| (rater.user, rater.role)).collect();
    let mut places = coming.clone();
    places.retain(|user, role| {
        !present.contains(user) && worked_as.get(user).is_none_or(|worked_as| worked_as == role)
    });
    if places.len() < coming.len() {
        tracing::info!(%project, "some are in a project already, or have worked in it in another role");
    }
    members::add_all(tx, project, &places, now).await?;
    let present = members::list(tx, project).await?;
    let came: Vec<_> = present.iter().filter(|member| places.contains_key(&member.user)).collect();
    let labelers: Vec<MemberId> =
        came.iter().filter(|member| member.role == Role::Labeler).map(|member| member.id).collect();
    give_open_documents(tx, project, &labelers).await?;
    note(tx, (project, revision), AuditEvent::Join, &came, provider, now).await?;
    Ok(!came.is_empty())
}

fn users(members: &[Member]) -> BTreeSet<UserId> {
    members.iter().map(|member| member.user).collect()
}

/// Notes what became of members.
async fn note(
    tx: &Tx,
    (project, revision): (ProjectId, Revision),
    event: AuditEvent,
    members: &[&Member],
    provider: &str,
    now: DateTime<Utc>,
) -> Result<()> {
    let is_own = event == AuditEvent::Join;
    let audits: Vec<_> = members
        .iter()
        .map(|member| Audit {
            project: Some(project),
            user: is_own.then_some(member.user),
            at: now,
            event,
            subject: format!("member {}", member.id),
            detail: json!({ "role": member.role, "provider": provider }),
            revision: Some(revision),
        })
        .collect();
    for audits in audits.chunks(NOTED_AT_ONCE) {
        audit::append_all(tx, Some(project), audits).await?;
    }
    Ok(())
}
