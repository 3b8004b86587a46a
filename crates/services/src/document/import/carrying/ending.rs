//! How imports end, and what webhooks are told of it.

use std::time::Instant;

use chrono::{DateTime, Utc};
use domain::{
    Code, Error as Refusal, ImportId, ImportState, ImportSummary, ProjectId, WebhookEvent,
};
use serde_json::json;
use store::{Tx, document::shelf};

use super::pace::rest;
use crate::{
    Result, Services,
    base::change::events::{Event, about, announce},
};

/// How many rows are taken away at once.
const ROWS: u64 = 500;

/// Somebody has ended an import that was being carried out.
pub(super) fn ended() -> Refusal {
    Code::Interrupted.because("the import was ended from elsewhere; nothing was saved")
}

/// Ends an import that is not certain to come, with all that was to come; false if it is, or has ended.
pub(in super::super) async fn give_up(
    services: &Services,
    (project, id): (ProjectId, ImportId),
    state: ImportState,
    error: Option<&Refusal>,
) -> Result<bool> {
    let (tx, now) = (services.store.begin().await?, services.clock.now());
    if !store::document::imports::give_up(&tx, id, state, error, now).await? {
        return Ok(false);
    }
    tell(&tx, (project, id), state, None, now).await?;
    tx.commit().await?;
    clear(services, id).await?;
    Ok(true)
}

/// Tells webhooks that it has ended so, and what it has brought.
pub(super) async fn tell(
    tx: &Tx,
    (project, id): (ProjectId, ImportId),
    state: ImportState,
    summary: Option<&ImportSummary>,
    at: DateTime<Utc>,
) -> Result<()> {
    let count = |of: fn(&ImportSummary) -> u64| summary.map_or(0, of);
    let import = json!({
        "id": id,
        "state": state.name(),
        "documents": count(|it| it.documents),
        "assignments": count(|it| it.assignments),
        "copies": count(|it| it.worked),
        "spans": count(|it| it.spans),
        "suggestions": count(|it| it.suggestions),
    });
    let event = Event {
        kind: WebhookEvent::ImportFinished,
        at,
        project,
        about: about([("import", import)]),
        path: format!("/projects/{project}/work/documents"),
    };
    announce(tx, event).await
}

/// Takes everything from the shelf of an import that has ended.
pub(in super::super) async fn clear(services: &Services, import: ImportId) -> Result<()> {
    loop {
        let tx = services.store.begin().await?;
        let since = Instant::now();
        let cleared = shelf::clear(&tx, import, ROWS).await?;
        tx.commit().await?;
        if cleared < ROWS {
            return Ok(());
        }
        rest(since).await;
    }
}
