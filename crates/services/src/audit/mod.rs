//! The audit trail: what was done, by whom, when; in chains that are signed with a key outside the
//! database, so that nobody who has the database alone can change what they say.

mod export;
mod heads;
mod refusals;

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use domain::{Actor, AuditQuery, AuditRow, AuditView, ProjectId, UserId, policy::Action};
use store::{
    Snapshot, Store,
    audit::{AuditEntry, Filter, Signer},
};

pub(crate) use self::refusals::{note, note_regularly};
pub use self::{
    export::{AuditFile, export, export_of_server},
    heads::{ExportedHeads, Misread, heads, line},
};
use crate::{
    Purpose, Result, ServerKey, Services,
    access::{permit, permit_outside},
};

/// The rows of a page.
const PAGE: usize = 50;

/// The most people to choose from.
const PEOPLE: u64 = 1000;

/// What signs the trail with this key.
pub(crate) fn signer(key: &ServerKey) -> Signer {
    Signer::new(key.signing(Purpose::AuditChain))
}

/// A store in which what is done can be noted. Rows of before there were chains are signed here, by
/// the first server that opens the store.
pub async fn open(store: Store, key: &ServerKey, now: DateTime<Utc>) -> Result<Store> {
    let store = store.signed_by(signer(key));
    store::audit::begin(&store, now).await?;
    Ok(store)
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
    let filter = Filter {
        user: query.who,
        event: query.event,
        since: query.since.map(begins),
        until: query.until.and_then(|day| day.checked_add_days(Days::new(1))).map(begins),
        before: query.before,
    };
    let wanted = u64::try_from(PAGE).unwrap_or(u64::MAX);
    let mut rows = store::audit::list(db, project, &filter, wanted + 1).await?;
    let goes_on = rows.len() > PAGE;
    rows.truncate(PAGE);
    let people: Vec<UserId> = rows.iter().filter_map(person).collect();
    let names = store::users::names(db, &people).await?.into_iter().collect();
    Ok(AuditView {
        project,
        query,
        rows: rows.into_iter().map(|entry| row(entry, &names)).collect(),
        goes_on,
        people: store::audit::people(db, project, PEOPLE).await?,
    })
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
    let AuditEntry { place, user, by, at, event, subject, detail, revision, .. } = entry;
    AuditRow { place, at, user, by, event, subject, about, detail, revision }
}
