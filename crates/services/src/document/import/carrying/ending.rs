//! How imports end, and what webhooks are told of it.

use std::time::Instant;

use chrono::{DateTime, Utc};
use domain::{
    Code, Error as Refusal, ImportId, ImportState, ImportSummary, ProjectId, WebhookEvent,
};
use serde_json::json;
use store::{
    Tx,
    document::{
        imports, shelf,
        unended_imports::{self, Unended},
    },
};

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

/// An import is certain to come, and could not be ended now.
pub(super) fn unfinished(import: ImportId) -> Refusal {
    let why = format!(
        "import {import} is certain but not complete yet: the server goes on with it, or the next \
         import does; do not import these files again"
    );
    Code::Unfinished.because(why)
}

/// Nobody knows now whether an import is certain to come.
pub(super) fn unknown(import: ImportId) -> Refusal {
    let why = format!(
        "the database did not answer: import {import} will be there as a whole or not at all; look \
         at it before you import these files again"
    );
    Code::Unfinished.because(why)
}

/// Ends an import that is not certain to come, with all that was to come; false if it is, or has ended.
pub(in super::super) async fn call_off(
    services: &Services,
    (project, id): (ProjectId, ImportId),
    state: ImportState,
    error: Option<&Refusal>,
) -> Result<bool> {
    let (tx, now) = (services.store.begin().await?, services.clock.now());
    if !imports::call_off(&tx, id, state, error, now).await? {
        return Ok(false);
    }
    tell(&tx, (project, id), state, None, now).await?;
    tx.commit().await?;
    clear(services, id).await?;
    Ok(true)
}

/// As [`call_off`], as failed, unless somebody has been at it since it was found.
pub(in super::super) async fn call_off_abandoned(
    services: &Services,
    found: &Unended,
    error: &Refusal,
) -> Result<bool> {
    let (tx, now) = (services.store.begin().await?, services.clock.now());
    if !unended_imports::call_off_abandoned(&tx, found, error, now).await? {
        return Ok(false);
    }
    tell(&tx, (found.project, found.import), ImportState::Failed, None, now).await?;
    tx.commit().await?;
    clear(services, found.import).await?;
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
    metrics::counter!("concord_imports_total", "state" => state.name()).increment(1);
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
