//! The audit trail: what was done, by whom, when; in chains that are signed with a key outside the
//! database, so that nobody who has the database alone can change what they say.

mod export;
mod heads;
mod refusals;

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use domain::{
    Actor, AuditEvent, AuditQuery, AuditRow, AuditView, ProjectId, UserId, base::policy::Action,
    saturating,
};
use serde_json::json;
use store::{
    Snapshot, Store, Tx,
    outside::audit::{Audit, AuditEntry, Filter, Restored, Signer},
};

pub(crate) use self::refusals::{note, note_regularly};
pub use self::{
    export::{AuditFile, export, export_of_server},
    heads::{ExportedHeads, Misread, heads, line},
};
use crate::{
    Purpose, Result, ServerKey, Services,
    base::access::{permit, permit_outside},
};

/// The rows of a page.
const PAGE: usize = 50;

/// The most people to choose from.
const PEOPLE: u64 = 1000;

/// What signs the trail with this key.
pub(crate) fn signer(key: &ServerKey) -> Signer {
    Signer::new(key.signing(Purpose::AuditChain))
}

/// What is known, outside of the database, of the rows that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// That they are signed: one that is not is somebody's doing, and is never signed.
    Signed,
    /// Nothing: rows of before there were signatures are signed now.
    Nothing,
}

/// A store in which what is done can be noted, with what waited for its key.
pub async fn open(
    store: Store,
    key: &ServerKey,
    now: DateTime<Utc>,
    known: Known,
) -> Result<Store> {
    let store = store.signed_by(signer(key));
    if known == Known::Nothing {
        store::outside::audit::begin(&store, now).await?;
    }
    if store::outside::audit::is_left(&store).await? {
        let tx = store.begin().await?;
        for restored in store::outside::audit::take_up(&tx).await? {
            store::outside::audit::append(&tx, of_restored(restored, false)).await?;
        }
        tx.commit().await?;
    }
    Ok(store)
}

/// Has another key go with a database from now on. What was sealed with the one before is lost; what
/// stands in the audit trail is signed with this one, as it is.
pub async fn replace_key(store: &Store, key: &ServerKey, now: DateTime<Utc>) -> Result<()> {
    let tx = store.clone().signed_by(signer(key)).begin().await?;
    change_key(&tx, now).await?;
    store::base::secret_key::note(&tx, &key.fingerprint()).await?;
    store::base::secret_key::replace(&tx, &key.fingerprint()).await?;
    Ok(tx.commit().await?)
}

/// That a backup was restored, and whether the key was there then.
pub(crate) fn of_restored(restored: Restored, with_key: bool) -> Audit {
    let Restored { at, sessions, links, tokens } = restored;
    let ended = json!({ "sessions": sessions, "links": links, "tokens": tokens });
    Audit {
        project: None,
        user: None,
        at,
        event: AuditEvent::RestoreBackup,
        subject: "server".to_owned(),
        detail: json!({ "ended": ended, "with_key": with_key }),
        revision: None,
    }
}

/// Signs the rows that there are with another key, as they are, and notes that: the one that they are
/// signed with is lost.
pub(crate) async fn change_key(tx: &Tx, at: DateTime<Utc>) -> Result<()> {
    let rows = store::outside::audit::sign_anew(tx).await?;
    if rows > 0 {
        let changed = Audit {
            project: None,
            user: None,
            at,
            event: AuditEvent::ChangeSecretKey,
            subject: "server".to_owned(),
            detail: json!({ "rows": rows }),
            revision: None,
        };
        store::outside::audit::append(tx, changed).await?;
    }
    Ok(())
}

/// A part of a project's trail.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: AuditQuery,
) -> Result<AuditView> {
    let db = services.store.begin_read().await?;
    permit(&db, actor, project, Action::ManageProject).await?;
    view(&db, Some(project), query).await
}

/// The latest rows of a project's trail, without what it takes to choose among all of them.
pub async fn latest(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<AuditRow>> {
    let db = services.store.begin_read().await?;
    permit(&db, actor, project, Action::ManageProject).await?;
    let (rows, _) = page(&db, Some(project), &AuditQuery::default()).await?;
    Ok(rows)
}

/// A part of the server's own trail: what belongs to no project.
pub async fn load_of_server(
    services: &Arc<Services>,
    actor: &Actor,
    query: AuditQuery,
) -> Result<AuditView> {
    permit_outside(&services.store, actor, Action::Administer)?;
    let db = services.store.begin_read().await?;
    view(&db, None, query).await
}

async fn view(db: &Snapshot, project: Option<ProjectId>, query: AuditQuery) -> Result<AuditView> {
    let (rows, goes_on) = page(db, project, &query).await?;
    let people = store::outside::audit::people(db, project, PEOPLE).await?;
    Ok(AuditView { project, query, rows, goes_on, people })
}

/// The rows that a query asks for, with the names of people, and whether there are more.
async fn page(
    db: &Snapshot,
    project: Option<ProjectId>,
    query: &AuditQuery,
) -> Result<(Vec<AuditRow>, bool)> {
    let filter = Filter {
        user: query.who,
        event: query.event,
        since: query.since.map(begins),
        until: query.until.and_then(|day| day.checked_add_days(Days::new(1))).map(begins),
        before: query.before,
    };
    let wanted = saturating::<u64>(PAGE);
    let mut rows = store::outside::audit::list(db, project, &filter, wanted + 1).await?;
    let goes_on = rows.len() > PAGE;
    rows.truncate(PAGE);
    let people: Vec<UserId> = rows.iter().filter_map(person).collect();
    let names = store::account::users::names(db, &people).await?.into_iter().collect();
    Ok((rows.into_iter().map(|entry| row(entry, &names)).collect(), goes_on))
}

/// The first moment of a day.
fn begins(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}

/// Whom a row is about, if it is a person.
fn person(entry: &AuditEntry) -> Option<UserId> {
    entry.subject.strip_prefix("user ")?.parse().ok()
}

fn row(entry: AuditEntry, names: &HashMap<UserId, String>) -> AuditRow {
    let about = person(&entry).and_then(|id| names.get(&id).cloned());
    let (note, is_erased) = (entry.note().map(str::to_owned), entry.is_erased());
    let AuditEntry { place, user, by, at, event, subject, detail, revision, .. } = entry;
    AuditRow { place, at, user, by, event, subject, about, detail, note, is_erased, revision }
}
