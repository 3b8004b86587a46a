//! What somebody's groups at a provider make them here, whenever they sign in or its directory moves them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{AuditEvent, Code, ProjectId, Role, UserId};
use store::{Tx, account::administration};

use super::settings::ProviderSettings;
use crate::{Error, Result, account::audit, project::members};

/// What the id of a directory's group begins with, to tell it from a name: whoever makes a group chooses how it is
/// called.
const ID: &str = "id:";

/// By what the settings may name a group of a directory: as it is called, or by what the directory knows it by.
pub(super) fn names_of_group(
    name: String,
    external_id: Option<String>,
) -> impl Iterator<Item = String> {
    let id = external_id.map(|id| format!("{ID}{id}"));
    Some(name).filter(|name| is_name(name)).into_iter().chain(id)
}

/// Whether a group that is called so may be meant by it.
pub(super) fn is_name(name: &str) -> bool {
    !name.starts_with(ID)
}

impl ProviderSettings {
    /// Whether these groups make somebody an administrator of the server.
    pub(super) fn makes_administrator(&self, groups: &[String]) -> bool {
        self.administrators.iter().any(|group| groups.contains(group))
    }

    /// Whether groups have a say.
    fn maps_groups(&self) -> bool {
        !self.administrators.is_empty() || !self.projects.is_empty()
    }

    /// The projects that these groups lead to; of two roles in one, the one that stands first.
    fn roles(&self, groups: &[String]) -> BTreeMap<ProjectId, Role> {
        let theirs = self.projects.iter().filter(|mapped| groups.contains(&mapped.group));
        theirs.rev().map(|mapped| (mapped.project(), mapped.role)).collect()
    }
}

/// Makes somebody what their groups say; where the provider says nothing of groups, they stay what they
/// are. Nobody leaves a project by this, whose work is in it, nobody comes back who was removed, and the
/// last administrator stays one. The answer is the projects that were joined.
pub(super) async fn apply(
    tx: &Tx,
    settings: &ProviderSettings,
    user: UserId,
    groups: Option<&[String]>,
    now: DateTime<Utc>,
) -> Result<Vec<ProjectId>> {
    let Some(groups) = groups else {
        if settings.maps_groups() {
            let (provider, claim) = (&settings.name, &settings.groups_claim);
            tracing::warn!(
                provider,
                claim,
                "a provider says nothing of groups: ask for their scope"
            );
        }
        return Ok(Vec::new());
    };
    if !settings.administrators.is_empty() {
        set_administrator(tx, user, settings.makes_administrator(groups), now).await?;
    }
    let mut joined = Vec::new();
    for (project, role) in settings.roles(groups) {
        let has_been = store::project::members::has_been(tx, project, user).await?;
        if !has_been && joins(tx, project, user, role, now).await? {
            joined.push(project);
        }
    }
    Ok(joined)
}

/// Gives somebody what the groups give that they have come into, and takes away what those gave that they
/// have left: what they have otherwise, they keep. The last administrator and the last manager stay what they
/// are. The answer is the projects that were joined or left.
pub(super) async fn change(
    tx: &Tx,
    settings: &ProviderSettings,
    user: UserId,
    (before, after): (&[String], &[String]),
    now: DateTime<Utc>,
) -> Result<Vec<ProjectId>> {
    let administers = settings.makes_administrator(after);
    if administers != settings.makes_administrator(before) {
        set_administrator(tx, user, administers, now).await?;
    }
    let (before, after) = (settings.roles(before), settings.roles(after));
    let mut moved = Vec::new();
    for (project, role) in before.iter().filter(|(project, role)| after.get(project) != Some(role))
    {
        if unless_refused(members::dismiss(tx, *project, user, *role, now).await, *project, user)?
            .unwrap_or_default()
        {
            moved.push(*project);
        }
    }
    for (project, role) in after.iter().filter(|(project, role)| before.get(project) != Some(role))
    {
        if joins(tx, *project, user, *role, now).await? {
            moved.push(*project);
        }
    }
    Ok(moved)
}

/// Makes somebody an administrator of the server, or takes that back from all but the last; all
/// administrators are locked only where that changes something.
async fn set_administrator(
    tx: &Tx,
    user: UserId,
    administers: bool,
    now: DateTime<Utc>,
) -> Result<()> {
    // Also who is not let in at present: they are not to come back as one.
    let found = store::account::users::find(tx, user).await?;
    if found.is_none_or(|found| found.is_administrator == administers) {
        return Ok(());
    }
    let present = administration::lock(tx).await?;
    if present == [user] {
        return Ok(());
    }
    administration::set_administrator(tx, user, administers).await?;
    let event = if administers { AuditEvent::MakeAdministrator } else { AuditEvent::MakeOrdinary };
    audit(tx, None, now, event, user).await
}

/// Lets somebody into a project who is not in it; false if they are or may not be.
async fn joins(
    tx: &Tx,
    project: ProjectId,
    user: UserId,
    role: Role,
    now: DateTime<Utc>,
) -> Result<bool> {
    if store::project::members::find(tx, project, user).await?.is_some() {
        return Ok(false);
    }
    let admitted = members::admit(tx, project, user, role, now).await;
    Ok(unless_refused(admitted, project, user)?.is_some())
}

/// What was done; nothing, where it was refused since the settings name a project that is archived or gone, or
/// somebody had another role there, or is its last manager: that stops nothing else. What is only to be done later
/// is refused, or it would never be.
fn unless_refused<T>(done: Result<T>, project: ProjectId, user: UserId) -> Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(Error::Refused(why)) if is_for_good(why.code()) => {
            tracing::warn!(%project, %user, %why, "a group changes no place in a project");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

const fn is_for_good(code: Code) -> bool {
    use Code::{AlreadyMember, Archived, LastOne, NotFound, OtherMembership};
    matches!(code, AlreadyMember | Archived | LastOne | NotFound | OtherMembership)
}
