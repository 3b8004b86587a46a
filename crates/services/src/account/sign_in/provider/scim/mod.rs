//! SCIM (RFC 7643 and 7644): a directory says who is there and in which groups, by a token that it has for
//! its provider. What it says of people is kept beside their accounts.

mod filter;
mod groups;
mod patch;
mod people;
mod profile;
mod shown;
mod token;

use domain::{
    Actor, AuditEvent, Code, Directory, DirectoryId, Error as Refusal, ProjectId,
    base::policy::Action,
};
use serde_json::{Map, Value, json};
use store::{Tx, outside::audit::Audit};

pub use groups::{
    create_group, delete_group, list_groups, load_group, patch_group_of, replace_group,
};
pub use people::{create_user, delete_user, list_users, load_user, patch_user, replace_user};
pub use shown::{Asked, MOST, Shape};
pub use token::{actor_of_directory, create_token, list_tokens, revoke_token};

use super::{connection::Provider, settings::ProviderSettings};
use crate::{Result, Services, base::access::permit_outside};

/// What asks, with the provider whose people it knows.
struct Access<'a> {
    directory: &'a Directory,
    settings: &'a ProviderSettings,
}

impl Access<'_> {
    fn id(&self) -> DirectoryId {
        self.directory.id
    }

    /// Begins a change, while nothing else changes the directory.
    async fn begin(&self, services: &Services) -> Result<Tx> {
        let tx = services.store.begin().await?;
        store::account::users::directories::lock(&tx, self.id()).await?;
        Ok(tx)
    }

    /// Notes what it has done, with what else there is to say of it.
    async fn audit(
        &self,
        services: &Services,
        tx: &Tx,
        (event, subject): (AuditEvent, String),
        more: &[(&str, Value)],
    ) -> Result<()> {
        let own = [("directory", json!(self.directory.provider))];
        let detail: Map<_, _> =
            own.iter().chain(more).map(|(name, said)| ((*name).to_owned(), said.clone())).collect();
        let row = Audit {
            project: None,
            user: None,
            at: services.clock.now(),
            event,
            subject,
            detail: Value::Object(detail),
            revision: None,
        };
        Ok(store::outside::audit::append(tx, row).await?)
    }
}

/// Refuses whoever is no directory.
pub fn check(services: &Services, actor: &Actor) -> Result<()> {
    permit(services, actor).map(|_| ())
}

/// Lets a directory go on, or refuses in the words of the table.
fn permit<'a>(services: &'a Services, actor: &'a Actor) -> Result<Access<'a>> {
    permit_outside(&services.store, actor, Action::Provision)?;
    let Actor::Directory(directory) = actor else { return Err(Refusal::NotFound.into()) };
    let Provider { settings, .. } = services.providers.find(&directory.provider)?;
    Ok(Access { directory, settings })
}

/// Has the numbers of projects counted anew whose people have changed.
fn recount(services: &Services, projects: &[ProjectId]) {
    for project in projects {
        services.live.invalidate(*project);
    }
}

/// Refuses to change what has changed since the directory knew it (`If-Match`).
fn check_version(known: Option<&str>, now: &str) -> Result<(), Refusal> {
    let is_it =
        |known: &str| known.split(',').map(str::trim).any(|known| known == "*" || known == now);
    if known.is_none_or(is_it) {
        return Ok(());
    }
    Err(Code::RevisionMovedOn.because("this has changed since the version in If-Match"))
}
