//! How a server stands: what whoever watches over it asks for.

use std::time::Duration;

use live::Held;
use store::Connections;

use crate::{Result, Services};

/// What is in memory may be so old before a server says that it is behind.
const BEHIND: Duration = Duration::from_secs(5);

/// What a server has and does at this moment.
#[derive(Clone, Debug)]
pub struct Standing {
    pub connections: Connections,
    /// SQL statements that were run since the start.
    pub statements: u64,
    /// Times that the rows of a project were counted since the start.
    pub counts: u64,
    /// The projects in memory.
    pub live: Held,
    /// Imports that run here.
    pub imports: usize,
    /// What is due to be sent to webhooks, and for how many seconds the first of it.
    pub webhooks: (u64, u64),
}

/// How the server stands; an error if the database does not answer.
pub async fn standing(services: &Services) -> Result<Standing> {
    let now = services.clock.now();
    let (count, first) = store::outside::deliveries::backlog(&services.store, now).await?;
    let waiting = first.map_or(0, |first| (now - first).num_seconds());
    Ok(Standing {
        connections: services.store.connections(),
        statements: services.store.statements(),
        counts: services.live.counts(),
        live: services.live.held(),
        imports: services.imports.count(),
        webhooks: (count, u64::try_from(waiting).unwrap_or_default()),
    })
}

/// Why a server should not be asked anything now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// The database does not answer.
    Database,
    /// What other servers have saved is not known here.
    Behind,
}

/// Whether the server can answer what it is asked: its database does, and what is in memory is what the
/// database says.
pub async fn ready(services: &Services) -> Result<(), NotReady> {
    standing(services).await.map_err(|error| {
        tracing::warn!(%error, "not ready");
        NotReady::Database
    })?;
    match services.live.age() {
        Some(age) if age <= BEHIND => Ok(()),
        _ => Err(NotReady::Behind),
    }
}
