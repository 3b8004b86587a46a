//! How a server stands: what whoever watches over it asks for.

use std::time::Duration;

use chrono::{DateTime, Utc};
use live::Held;
use store::{Connections, base::migrating};
use tokio::{sync::Mutex, time::timeout};

use crate::{
    Error, Result, Services,
    base::access::storage_space::{SpaceLevel, storage_space},
    base::error::error_chain,
};

/// What is in memory may be so old before a server says that it is behind.
const BEHIND: Duration = Duration::from_secs(5);

/// How long the database is waited for: whoever watches over a server does not wait for much longer.
const PATIENCE: Duration = Duration::from_secs(3);

/// What a server has and does at this moment, as far as it knows by itself.
#[derive(Clone, Debug)]
pub struct Standing {
    pub connections: Connections,
    /// SQL statements that were run since the start.
    pub statements: u64,
    /// Times that the rows of a project were counted since the start.
    pub counts: u64,
    /// The projects in memory.
    pub live: Held,
    /// How long ago it was last known that they are what the database says.
    pub lag: Duration,
    /// Imports that run here.
    pub imports: usize,
    /// Passwords that are being hashed, or wait to be.
    pub passwords: usize,
}

/// How the server stands; the database is not asked.
pub fn standing(services: &Services) -> Standing {
    Standing {
        connections: services.store.connections(),
        statements: services.store.statements(),
        counts: services.live.counts(),
        live: services.live.held(),
        lag: services.live.lag(),
        imports: services.imports.count(),
        passwords: services.passwords.waiting(),
    }
}

/// What waits in the database, for whichever server comes to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// What is due to be sent to webhooks.
    pub deliveries: Waiting,
    /// Mail that is due.
    pub mail: Waiting,
    /// Imports that have not ended.
    pub imports: Waiting,
}

/// So many wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    pub count: u64,
    /// For how many seconds the first of them has.
    pub seconds: u64,
}

impl Waiting {
    fn since(count: u64, first: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Self {
        let seconds = first.map_or(0, |first| (now - first).num_seconds());
        Self { count, seconds: u64::try_from(seconds).unwrap_or_default() }
    }
}

/// What waits; an error if the database does not answer.
pub async fn backlog(services: &Services) -> Result<Backlog> {
    timeout(PATIENCE, ask_for_backlog(services)).await.map_err(Error::broken)?
}

async fn ask_for_backlog(services: &Services) -> Result<Backlog> {
    let (store, now) = (&services.store, services.clock.now());
    let (count, first) = store::outside::deliveries::backlog(store, now).await?;
    let deliveries = Waiting::since(count, first, now);
    let (count, first) = store::outside::mail::backlog(store, now).await?;
    let mail = Waiting::since(count, first, now);
    let unended = store::document::unended_imports::unended(store).await?;
    let first = unended.iter().map(|import| import.made_at).min();
    let imports = Waiting::since(domain::saturating(unended.len()), first, now);
    Ok(Backlog { deliveries, mail, imports })
}

/// Why a server should not be asked anything now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// The database does not answer.
    Database,
    /// The database takes no writes.
    Writer,
    /// The volume of the database has no space left.
    StorageFull,
    /// The tables are not those that this version works on.
    Migrations,
    /// What other servers have saved is not known here.
    Behind,
}

/// Has one check of [`ready`] run at a time: each takes the only connection that writes.
#[derive(Default)]
pub(crate) struct ReadinessCheck(Mutex<()>);

/// Whether the server can do what it is asked: its database answers, takes writes, has the tables of this
/// version, and what is in memory is what the database says.
pub async fn ready(services: &Services) -> Result<(), NotReady> {
    let _alone = services.readiness_check.0.lock().await;
    check_readiness(services).await
}

async fn check_readiness(services: &Services) -> Result<(), NotReady> {
    let schema = match timeout(PATIENCE, services.store.schema()).await {
        Ok(Ok(schema)) => schema,
        Ok(Err(error)) => {
            tracing::warn!(%error, "not ready: the database does not answer");
            return Err(NotReady::Database);
        }
        Err(_) => {
            tracing::warn!("not ready: the database does not answer in time");
            return Err(NotReady::Database);
        }
    };
    if !matches!(schema.standing(), migrating::Standing::Current | migrating::Standing::Ahead) {
        return Err(NotReady::Migrations);
    }
    if storage_space(services).await.is_some_and(|space| space.level() == SpaceLevel::Full) {
        return Err(NotReady::StorageFull);
    }
    match timeout(PATIENCE, services.store.check_writable()).await {
        Ok(Ok(())) => {}
        Ok(Err(store::Error::Full(_))) => return Err(NotReady::StorageFull),
        Ok(Err(error)) => {
            tracing::warn!(error = error_chain(&error), "not ready: the database takes no writes");
            return Err(NotReady::Writer);
        }
        Err(_) => {
            tracing::warn!("not ready: the database takes no writes in time");
            return Err(NotReady::Writer);
        }
    }
    if services.live.lag() > BEHIND { Err(NotReady::Behind) } else { Ok(()) }
}
