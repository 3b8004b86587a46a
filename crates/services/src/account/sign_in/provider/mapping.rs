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

    /// The projects that these groups lead to; of two roles in one, the one that stands first.
    fn roles(&self, groups: &[String]) -> BTreeMap<ProjectId, Role> {
        let theirs = self.projects.iter().filter(|mapped| groups.contains(&mapped.group));
        theirs.rev().map(|mapped| (mapped.project(), mapped.role)).collect()
    }
}

/// Makes somebody what their groups say. Nobody leaves a project by this, whose work is in it, and the
/// last administrator stays one. The answer is the projects that were joined.
pub(super) async fn apply(
    tx: &Tx,
    settings: &ProviderSettings,
    user: UserId,
    groups: &[String],
    now: DateTime<Utc>,
) -> Result<Vec<ProjectId>> {
    if !settings.administrators.is_empty() {
        let administers = settings.makes_administrator(groups);
        let present = administration::lock(tx).await?;
        let is_alone = present == [user];
        if administers != present.contains(&user) && !is_alone {
            administration::set_administrator(tx, user, administers).await?;
            let event =
                if administers { AuditEvent::MakeAdministrator } else { AuditEvent::MakeOrdinary };
            audit(tx, None, now, event, user).await?;
        }
    }
    let mut joined = Vec::new();
    for (project, role) in settings.roles(groups) {
        if store::project::members::find(tx, project, user).await?.is_some() {
            continue;
        }
        match members::admit(tx, project, user, role, now).await {
            Ok(_) => joined.push(project),
            // The settings name a project that is archived or gone, or somebody had another role there:
            // that keeps nobody from signing in.
            Err(Error::Refused(why)) => {
                tracing::warn!(%project, %user, %why, "a group leads to no place in a project");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(joined)
}
