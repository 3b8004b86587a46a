//! Whole databases, for whoever runs the server: copied while people work, by themselves and on request, and
//! proven to be good before anybody relies on them. No actor is asked about: who has the file has everything.

mod continuous;
mod drill;
mod failure;
mod lease;
mod making;
mod postgres;
mod regularly;
mod replacing;
mod schedule;
mod settings;
mod tries;

use std::path::Path;

pub use archive::{
    Drill, Engine, Identities, Keep, Lineage, Listing, Loaded, Location, Manifest, Name, Place,
    Recipient,
};
use domain::AuditEvent;
use serde::Serialize;
use serde_json::json;
pub use store::outside::files::url as sqlite_url;
use store::{
    Store, Tx,
    outside::audit::{Audit, Restored},
};

pub use self::{
    failure::Failure,
    postgres::Postgres,
    regularly::back_up_regularly,
    replacing::Replacement,
    schedule::{admit, back_up_if_due, drill_if_due},
    settings::{Drills, Schedule},
};
use crate::{
    Clock, Result, Services,
    outside::{
        audit,
        verification::{self, Verification},
    },
};

/// What was found out about a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Soundness {
    /// What SQLite finds wrong with the file, a sentence each.
    pub problems: Vec<String>,
    /// Each project, with every number recomputed.
    pub projects: Vec<Verification>,
}

impl Soundness {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.complaints().next().is_none()
    }

    /// Everything that is wrong.
    pub fn complaints(&self) -> impl Iterator<Item = &String> {
        self.problems.iter().chain(self.projects.iter().flat_map(|project| &project.problems))
    }
}

/// Which database this is, also after it was restored or moved: its backups are told from others by that.
pub async fn lineage(store: &Store) -> Result<Lineage> {
    let tx = store.begin().await?;
    let number = store::outside::backup::lineage::find_or_set(&tx, rand::random()).await?;
    tx.commit().await?;
    Ok(u64::from_be_bytes(number.to_be_bytes()).into())
}

/// Copies the database as it is at one moment into a file that is empty or not there.
pub async fn copy(url: &str, to: &Path) -> Result<()> {
    Ok(store::outside::files::copy(url, to).await?)
}

/// Checks a database as `concord verify` does, after the file itself. This brings its tables up to
/// date: a copy that is to stay as it is has to be copied for it.
pub async fn check(url: &str) -> Result<Soundness> {
    let problems = find_file_problems(url).await?;
    if !problems.is_empty() {
        return Ok(Soundness { problems, projects: Vec::new() });
    }
    check_projects(url).await
}

/// Checks a database that comes from a backup as [`check`] does, and before anything is written into it that its schema
/// holds nothing which no migration made.
pub async fn check_restored(url: &str) -> Result<Soundness> {
    let mut problems = find_file_problems(url).await?;
    if problems.is_empty() {
        problems = find_unexpected_objects(url).await?;
    }
    if !problems.is_empty() {
        return Ok(Soundness { problems, projects: Vec::new() });
    }
    check_projects(url).await
}

/// Finds what is in the schema of a database and is none of Concord's, a sentence each.
pub async fn find_unexpected_objects(url: &str) -> Result<Vec<String>> {
    let found = store::outside::catalog::objects::find_unexpected_objects(url).await?;
    let sentence = |object| format!("it holds {object}, which Concord did not make");
    Ok(found.into_iter().map(sentence).collect())
}

async fn find_file_problems(url: &str) -> Result<Vec<String>> {
    // PostgreSQL judges its own files.
    let is_file = url.starts_with("sqlite:");
    Ok(if is_file { store::outside::files::problems(url).await? } else { Vec::new() })
}

async fn check_projects(url: &str) -> Result<Soundness> {
    let problems = Vec::new();
    let store = Store::open(url).await?;
    let projects = verification::all(&store).await;
    store.close().await?;
    Ok(Soundness { problems, projects: projects? })
}

/// What a backup would open again that may have been ended since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    pub sessions: u64,
    /// Invitations and links to a new password that nobody had used yet.
    pub links: u64,
    /// None if they were kept.
    pub tokens: Option<u64>,
}

/// How many tokens of programs work in a database.
pub async fn count_tokens(store: &Store, clock: &Clock) -> Result<u64> {
    Ok(store::account::tokens::count_working(store, clock.now()).await?)
}

/// Ends in a database that comes from a backup what [`end_everything`] ends: nobody knows what of it was
/// ended after the backup. That it was restored is noted; where the key is not, by whoever opens it with
/// the key.
pub async fn end_access(store: &Store, clock: &Clock, keep_tokens: bool) -> Result<Ended> {
    let tx = store.begin().await?;
    let ended = end(&tx, keep_tokens).await?;
    let Ended { sessions, links, tokens } = ended;
    let restored = Restored { at: clock.now(), sessions, links, tokens };
    if store.trail().signer().is_ok() {
        store::outside::audit::append(&tx, audit::of_restored(restored, true)).await?;
    } else {
        store::outside::audit::leave(&tx, restored).await?;
    }
    tx.commit().await?;
    Ok(ended)
}

/// Ends everybody's sessions, the word of browsers that people have signed in with, invitations and
/// links to a new password that are open, and tokens unless they are to be kept.
pub async fn end_everything(services: &Services, keep_tokens: bool) -> Result<Ended> {
    let tx = services.store.begin().await?;
    let ended = end(&tx, keep_tokens).await?;
    let row = Audit {
        project: None,
        user: None,
        at: services.clock.now(),
        event: AuditEvent::EndEverySession,
        subject: "everybody".to_owned(),
        detail: json!(ended),
        revision: None,
    };
    store::outside::audit::append(&tx, row).await?;
    tx.commit().await?;
    Ok(ended)
}

async fn end(tx: &Tx, keep_tokens: bool) -> Result<Ended> {
    let sessions = store::account::sessions::delete_all(tx).await?;
    store::account::devices::delete_all(tx).await?;
    store::account::sign_in_failures::delete_all(tx).await?;
    let invitations = store::account::invitations::delete_open(tx).await?;
    let resets = store::account::password_resets::delete_all(tx).await?;
    // Links among it are ended, and what else it says may have been said since.
    store::outside::mail::delete_waiting(tx).await?;
    let tokens = if keep_tokens {
        None
    } else {
        let directories = store::account::users::directories::delete_all_tokens(tx).await?;
        Some(store::account::tokens::delete_all(tx).await? + directories)
    };
    Ok(Ended { sessions, links: invitations + resets, tokens })
}

/// Makes a database one file; false if somebody has it open, such as a server.
pub async fn settle(url: &str) -> Result<bool> {
    Ok(store::outside::files::settle(url).await?)
}
