//! Carries an import out. What is little is written at once. What is more is put on a shelf first, where
//! nobody sees it; then it is decided, in one short transaction, that all of it comes; and then it comes in
//! pieces. Saves wait for none of them longer than for one another.

mod course;
pub(super) mod decision;
pub(super) mod ending;
mod pace;
mod packing;
mod parcel;
pub(super) mod publishing;
mod shelving;
mod writing;

use std::time::Duration;

use chrono::{DateTime, Utc};
use domain::{Error as Refusal, ImportId, ImportState, ImportSummary};
use store::{Store, document::imports};
use tokio_util::task::AbortOnDropHandle;

use super::{begun::Begun, order::Order, scan::Files};
use crate::{Clock, Error, Result, Services};
use ending::{call_off, clear, unfinished, unknown};
use publishing::publish;

/// How often it is noted that somebody is at an import.
const ALIVE_EVERY: Duration = Duration::from_secs(5);

impl Begun {
    /// Carries it out. If it comes to nothing its row says why, unless somebody waits to hear it.
    pub(super) async fn carry_out(
        self,
        services: &Services,
        files: Files,
        order: Order,
        in_background: bool,
    ) -> Result<ImportSummary> {
        // A task of its own: what is computed here may take longer than it may be silent, and what that
        // holds of the database meanwhile is not to wait for what is computed.
        let keeping_alive = keep_alive(services.store.clone(), services.clock.clone(), self.id);
        let _ends_with_this = AbortOnDropHandle::new(tokio::spawn(keeping_alive));
        // Boxed: it is large, and a part of whatever waits for it.
        Box::pin(self.come(services, &files, order, in_background)).await
    }

    /// Comes, or comes to nothing.
    async fn come(
        &self,
        services: &Services,
        files: &Files,
        order: Order,
        in_background: bool,
    ) -> Result<ImportSummary> {
        let outcome = match course::run(services, self, files, order).await {
            Ok(outcome) => outcome,
            Err(error) => self.settle(services, in_background, error).await?,
        };
        if let Some(summary) = outcome {
            return Ok(summary);
        }
        match publish(services, self.id, Some(&self.job)).await {
            Ok(summary) => Ok(summary.ok_or(Refusal::NotFound)?),
            Err(error) => {
                tracing::warn!(%error, import.id = self.id.0, "an import is not complete yet");
                Err(unfinished(self.id).into())
            }
        }
    }

    /// Ends it without anything of it, for an error, unless it is certain to come all the same: then the
    /// answer says what it has brought, if that is all.
    async fn settle(
        &self,
        services: &Services,
        in_background: bool,
        error: Error,
    ) -> Result<Option<ImportSummary>> {
        let refusal = Refusal::from(error);
        match self.end(services, in_background, &refusal).await {
            Ok(End::Nothing) => Err(refusal.into()),
            Ok(End::Certain(outcome)) => Ok(outcome),
            Err(error) if self.job.is_decided() => {
                tracing::warn!(%error, import.id = self.id.0, "it is not known whether an import comes");
                Err(unknown(self.id).into())
            }
            Err(error) => {
                tracing::warn!(%error, import.id = self.id.0, "an import could not be ended");
                Err(refusal.into())
            }
        }
    }

    async fn end(
        &self,
        services: &Services,
        in_background: bool,
        refusal: &Refusal,
    ) -> Result<End> {
        if self.call_off(services, in_background, refusal).await? {
            return Ok(End::Nothing);
        }
        if imports::is_expected(&services.store, self.id).await? {
            return Ok(End::Certain(None));
        }
        let summary = imports::summary(&services.store, self.id).await?;
        Ok(summary.map_or(End::Nothing, |summary| End::Certain(Some(summary))))
    }

    /// Ends it without anything of it; false if it is certain to come, or has been ended by somebody else.
    async fn call_off(
        &self,
        services: &Services,
        in_background: bool,
        error: &Refusal,
    ) -> Result<bool> {
        let import = (self.project, self.id);
        if self.job.is_cancelled() {
            return call_off(services, import, ImportState::Cancelled, None).await;
        }
        if in_background {
            return call_off(services, import, ImportState::Failed, Some(error)).await;
        }
        let tx = services.store.begin().await?;
        let (id, now) = (self.id, services.clock.now());
        if !imports::call_off(&tx, id, ImportState::Failed, Some(error), now).await? {
            return Ok(false);
        }
        tx.commit().await?;
        clear(services, id).await?;
        let tx = services.store.begin().await?;
        imports::forget(&tx, id).await?;
        tx.commit().await?;
        Ok(true)
    }
}

/// Says again and again that somebody is at an import.
async fn keep_alive(store: Store, clock: Clock, import: ImportId) {
    loop {
        tokio::time::sleep(ALIVE_EVERY).await;
        if let Err(error) = say_alive(&store, import, clock.now()).await {
            tracing::debug!(%error, import.id = import.0, "it could not be noted that an import runs");
        }
    }
}

async fn say_alive(store: &Store, import: ImportId, now: DateTime<Utc>) -> Result<()> {
    let tx = store.begin().await?;
    imports::keep_alive(&tx, import, now).await?;
    Ok(tx.commit().await?)
}

/// What becomes of an import that could not be carried out to its end.
enum End {
    Nothing,
    /// It comes, or has come with this.
    Certain(Option<ImportSummary>),
}
