//! What somebody's groups at a provider make them here, whenever they sign in.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{AuditEvent, ProjectId, Role, UserId};
use store::{Tx, account::administration};

use super::settings::ProviderSettings;
use crate::{Error, Result, account::audit, project::members};

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
        administer(tx, user, settings.makes_administrator(groups), now).await?;
    }
    let mut joined = Vec::new();
    for (project, role) in settings.roles(groups) {
        if store::project::members::has_been(tx, project, user).await? {
            continue;
        }
        match members::admit(tx, project, user, role, now).await {
            Ok(_) => joined.push(project),
            // The settings name a project that is archived or gone: that keeps nobody from signing in.
            Err(Error::Refused(why)) => {
                tracing::warn!(%project, %user, %why, "a group leads to no place in a project");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(joined)
}

/// Makes somebody an administrator or an ordinary user; all administrators are locked only where that
/// changes something.
async fn administer(tx: &Tx, user: UserId, administers: bool, now: DateTime<Utc>) -> Result<()> {
    let known = administration::find(tx, user).await?;
    if known.is_none_or(|known| known.is_administrator == administers) {
        return Ok(());
    }
    let present = administration::lock(tx).await?;
    if present.contains(&user) == administers || present == [user] {
        return Ok(());
    }
    administration::set_administrator(tx, user, administers).await?;
    let event = if administers { AuditEvent::MakeAdministrator } else { AuditEvent::MakeOrdinary };
    audit(tx, None, now, event, user).await
}
