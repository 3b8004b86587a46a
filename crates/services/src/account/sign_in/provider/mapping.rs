//! What somebody's groups at a provider make them here, whenever they sign in or its directory moves them.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{AuditEvent, Code, ProjectId, Role, UserId};
use serde_json::json;
use store::{Tx, account::administration, outside::audit::Audit};

use super::settings::ProviderSettings;
use crate::{
    Error, Result,
    project::places::{Places, admit_all, dismiss_all},
};

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
        let administers = settings.makes_administrator(groups);
        set_administrator(tx, settings, user, administers, now).await?;
    }
    let mut joined = Vec::new();
    for (project, role) in settings.roles(groups) {
        if store::project::members::has_been(tx, project, user).await? {
            continue;
        }
        let coming = Places::from([(user, role)]);
        if unless_over(admit_all(tx, project, &coming, &settings.name, now).await, project)? {
            joined.push(project);
        }
    }
    Ok(joined)
}

/// Somebody whose groups change, by their names.
pub(super) struct Moving<'a> {
    pub(super) user: UserId,
    pub(super) before: &'a [String],
    pub(super) after: &'a [String],
}

/// Gives people what the groups give that they have come into, and takes away what those gave that they
/// have left: what they have otherwise, they keep. The last administrator and the last manager stay what they
/// are. The answer is the projects that were joined or left.
pub(super) async fn change(
    tx: &Tx,
    settings: &ProviderSettings,
    people: &[Moving<'_>],
    now: DateTime<Utc>,
) -> Result<Vec<ProjectId>> {
    let mut places = BTreeMap::<ProjectId, (Places, Places)>::new();
    for Moving { user, before, after } in people {
        let (before, after) = (settings.roles(before), settings.roles(after));
        for (project, role) in &before {
            if after.get(project) != Some(role) {
                places.entry(*project).or_default().0.insert(*user, *role);
            }
        }
        for (project, role) in after {
            if before.get(&project) != Some(&role) {
                places.entry(project).or_default().1.insert(*user, role);
            }
        }
    }
    let (by, mut moved) = (&settings.name, Vec::new());
    for (project, (leaving, coming)) in places {
        let left = unless_over(dismiss_all(tx, project, &leaving, by, now).await, project)?;
        let came = unless_over(admit_all(tx, project, &coming, by, now).await, project)?;
        if left || came {
            moved.push(project);
        }
    }
    // The server's trail comes after those of projects.
    for Moving { user, before, after } in people {
        let administers = settings.makes_administrator(after);
        if administers != settings.makes_administrator(before) {
            set_administrator(tx, settings, *user, administers, now).await?;
        }
    }
    Ok(moved)
}

/// Makes somebody an administrator of the server, or takes that back from all but the last; all
/// administrators are locked only where that changes something.
async fn set_administrator(
    tx: &Tx,
    settings: &ProviderSettings,
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
    let row = Audit {
        project: None,
        user: None,
        at: now,
        event,
        subject: format!("user {user}"),
        detail: json!({ "provider": settings.name }),
        revision: None,
    };
    Ok(store::outside::audit::append(tx, row).await?)
}

/// What was done; nothing, where the settings name a project that is archived or gone: that stops nothing else. What
/// is only to be done later is refused, or it would never be.
fn unless_over(done: Result<bool>, project: ProjectId) -> Result<bool> {
    match done {
        Err(Error::Refused(why)) if matches!(why.code(), Code::Archived | Code::NotFound) => {
            tracing::warn!(%project, %why, "a group leads to a project that is over");
            Ok(false)
        }
        done => done,
    }
}
