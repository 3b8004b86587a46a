//! An import, from its row to its end.

use std::{convert::Infallible, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use domain::{
    Error as Refusal, ImportId, ImportState, ImportSummary, ProjectId, UserId, WebhookEvent,
};
use serde_json::json;
use store::{Tx, document::imports::NewImport};

use super::{
    carrying::{self, shelving::clear},
    order::Order,
    running::Job,
    scan::Files,
};
use crate::{
    Result, Services,
    base::change::events::{Event, about, announce},
};

/// How often it is noted that somebody is at an import.
const ALIVE_EVERY: Duration = Duration::from_secs(5);

/// An import whose row is there.
pub(super) struct Begun {
    pub(super) id: ImportId,
    pub(super) project: ProjectId,
    pub(super) by: Option<UserId>,
    pub(super) job: Arc<Job>,
}

impl Begun {
    pub(super) async fn new(
        services: &Services,
        project: ProjectId,
        by: Option<UserId>,
        files: &Files,
        order: &Order,
    ) -> Result<Self> {
        let new = NewImport {
            by,
            at: services.clock.now(),
            import_as: order.options.import_as,
            files: files.iter().map(|file| file.name().to_owned()).collect(),
        };
        let tx = services.store.begin().await?;
        store::project::removal::refuse_archived(&tx, project).await?;
        let id = store::document::imports::insert(&tx, project, new).await?;
        tx.commit().await?;
        let job = Arc::new(Job::default());
        services.imports.begin(id, &job);
        Ok(Self { id, project, by, job })
    }

    /// Carries it out. If it comes to nothing its row says why, unless somebody waits to hear it.
    pub(super) async fn carry_out(
        self,
        services: &Services,
        files: Files,
        order: Order,
        in_background: bool,
    ) -> Result<ImportSummary> {
        let outcome = tokio::select! {
            outcome = carrying::carry_out(services, &self, &files, order) => outcome,
            never = self.keep_alive(services) => match never {},
        };
        services.imports.end(self.id);
        let outcome = outcome.map_err(|error| {
            let refusal: Refusal = error.into();
            refusal
        });
        if let Err(error) = &outcome {
            self.give_up(services, in_background, error).await?;
        }
        Ok(outcome?)
    }

    /// Says again and again that somebody is at it, for as long as it is polled.
    async fn keep_alive(&self, services: &Services) -> Infallible {
        loop {
            tokio::time::sleep(ALIVE_EVERY).await;
            if let Err(error) = self.say_alive(services).await {
                tracing::debug!(%error, import.id = self.id.0, "it could not be noted that an import runs");
            }
        }
    }

    async fn say_alive(&self, services: &Services) -> Result<()> {
        let tx = services.store.begin().await?;
        store::document::imports::keep_alive(&tx, self.id, services.clock.now()).await?;
        Ok(tx.commit().await?)
    }

    /// Ends it without anything of it, unless it is certain to come or has been ended by somebody else.
    async fn give_up(
        &self,
        services: &Services,
        in_background: bool,
        error: &Refusal,
    ) -> Result<()> {
        let import = (self.project, self.id);
        if self.job.is_cancelled() {
            give_up(services, import, ImportState::Cancelled, None).await?;
        } else if in_background {
            give_up(services, import, ImportState::Failed, Some(error)).await?;
        } else {
            let tx = services.store.begin().await?;
            let (id, now) = (self.id, services.clock.now());
            let failed = ImportState::Failed;
            if store::document::imports::give_up(&tx, id, failed, Some(error), now).await? {
                tx.commit().await?;
                clear(services, id).await?;
                let tx = services.store.begin().await?;
                store::document::imports::forget(&tx, id).await?;
                tx.commit().await?;
            }
        }
        Ok(())
    }
}

/// Ends an import that is not certain to come, with all that was to come; false if it is, or has ended.
pub(super) async fn give_up(
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
