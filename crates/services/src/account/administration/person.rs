//! Everything of a person, as a file: for themselves, and for whoever answers such requests. And what becomes of
//! it when they are erased.

use std::{
    fs::File,
    io::{BufWriter, Seek, Write},
    sync::Arc,
};

use domain::{Actor, AuditEvent, Code, Error as Refusal, Removal, UserId};
use store::{Db, Tx, account::administration::Nobody, outside::audit::Notes};

use super::permit;
use crate::{
    Error, Result, Services,
    account::{audit, by_person, passwords::NOBODYS},
    base::change::{events, unpublished},
};

/// How many such files are written at the same time, one for each person who asks.
pub(crate) const FILES_AT_ONCE: usize = 2;

/// Everything of a person, to take away. It lies in the system's folder for temporary files, has no name there,
/// and goes when this does.
pub struct PersonFile {
    pub file_name: String,
    /// At its beginning.
    pub content: File,
    /// In bytes.
    pub length: u64,
}

/// Everything of whoever is asking.
pub async fn export_own(services: &Arc<Services>, actor: &Actor) -> Result<PersonFile> {
    let user = by_person(actor)?.id;
    exported(services, Some(user), user).await
}

/// Everything of the owner of an account, for an administrator who answers a request: none who labels or reviews
/// with them, and would read what nobody there is to see of others.
pub async fn export_person(
    services: &Arc<Services>,
    actor: &Actor,
    id: UserId,
) -> Result<PersonFile> {
    let own = permit(services, actor)?.id;
    store::account::administration::find(&services.store, id).await?.ok_or(Refusal::NotFound)?;
    if own != id && store::project::members::rates_beside(&services.store, own, id).await? {
        let why = "you label or review in a project with this person: ask another administrator, or \
                   whoever runs the server (concord user export)";
        return Err(Code::Denied.because(why).into());
    }
    exported(services, Some(own), id).await
}

/// An account, as whoever runs the server names it.
#[derive(Clone, Debug)]
pub enum Whose {
    Email(String),
    /// Also that of a labeler who came with imported work and whom nobody has claimed.
    Account(UserId),
}

impl Whose {
    /// The account, unless it was erased.
    async fn find(&self, db: &impl Db) -> Result<UserId> {
        let id = match self {
            Self::Email(email) => {
                let known = store::account::users::find_by_email(db, email.trim()).await?;
                known.ok_or(Refusal::NotFound)?.user.id
            }
            Self::Account(id) => *id,
        };
        if !store::account::administration::is_there(db, id).await? {
            return Err(Refusal::NotFound.into());
        }
        Ok(id)
    }
}

/// The same, by whoever runs the server.
pub async fn export_person_of(services: &Arc<Services>, whose: &Whose) -> Result<PersonFile> {
    let id = whose.find(&services.store).await?;
    exported(services, None, id).await
}

/// Writes the file, and notes who has taken it.
async fn exported(services: &Services, by: Option<UserId>, id: UserId) -> Result<PersonFile> {
    let _slot = match by {
        Some(asking) => Some(services.person_files.acquire(asking).await?),
        None => None,
    };
    let now = services.clock.now();
    let db = services.store.begin_read().await?;
    // A file without a name is in the system's memory first: writing to it is no wait for a disk.
    let mut out = BufWriter::new(tempfile::tempfile().map_err(Error::broken)?);
    store::outside::person::write(&db, id, now, &mut out).await?;
    let rewound = || {
        out.flush()?;
        let mut content = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        let length = content.stream_position()?;
        content.rewind()?;
        Ok::<_, std::io::Error>((content, length))
    };
    let (content, length) = rewound().map_err(Error::broken)?;
    // Nobody holds one connection while waiting for another.
    drop(db);
    let tx = services.store.begin().await?;
    audit(&tx, by, now, AuditEvent::ExportPerson, id).await?;
    tx.commit().await?;
    Ok(PersonFile { file_name: format!("person-{id}.json"), content, length })
}

/// Erases an account, by whoever runs the server, as [`super::remove_account`] does for administrators. The only
/// administrator stays.
pub async fn erase_person_of(services: &Arc<Services>, whose: &Whose) -> Result<Removal> {
    let tx = services.store.begin().await?;
    let administrators = store::account::administration::lock(&tx).await?;
    let id = whose.find(&tx).await?;
    if administrators == [id] {
        let why = "this is the only administrator: make somebody else one first";
        return Err(Code::LastOne.because(why).into());
    }
    remove(services, tx, None, id).await
}

/// Removes an account, by somebody who has been permitted to: one that was never in a project is deleted; of
/// any other the work stays, without a name.
pub(super) async fn remove(
    services: &Services,
    tx: Tx,
    by: Option<UserId>,
    id: UserId,
) -> Result<Removal> {
    let now = services.clock.now();
    // Whatever somebody has begun ends first, to be erased with the rest.
    store::account::users::lock(&tx, id).await?;
    if let Some(project) = store::account::administration::managed_alone(&tx, id).await?.first() {
        let why = format!(
            "\"{project}\" has no other manager: invite one, or archive or delete it first"
        );
        return Err(Code::LastOne.because(why).into());
    }
    store::outside::audit::erase(&tx, Notes::Of(id)).await?;
    if !store::account::administration::has_worked(&tx, id).await? {
        store::account::administration::delete(&tx, id).await?;
        audit(&tx, by, now, AuditEvent::DeleteAccount, id).await?;
        tx.commit().await?;
        return Ok(Removal::Deleted);
    }
    let (name, address) = (format!("Former member {id}"), format!("{id}@deleted.invalid"));
    events::rename(&tx, id, &name).await?;
    let nobody = Nobody { name: &name, address: &address, hash: NOBODYS };
    let moved = store::account::administration::erase(&tx, id, nobody, now).await?;
    // Asked once their projects are held: what an import is going to need stays until it is there.
    if let Some(import) = store::document::imports::decided_in_any(&tx, &moved).await? {
        return Err(unpublished(import).into());
    }
    audit(&tx, by, now, AuditEvent::MakeAccountAnonymous, id).await?;
    tx.commit().await?;
    for project in moved {
        services.live.invalidate(project);
    }
    Ok(Removal::MadeAnonymous)
}
