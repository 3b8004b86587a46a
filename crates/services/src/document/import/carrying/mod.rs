//! Carries an import out. What is little is written at once. What is more is put on a shelf first, where
//! nobody sees it; then it is decided, in one short transaction, that all of it comes; and then it comes in
//! pieces. Saves wait for none of them longer than for one another.

mod course;
mod decision;
pub(super) mod ending;
mod pace;
mod packing;
mod parcel;
pub(super) mod publishing;
mod shelving;
mod writing;

use std::{convert::Infallible, time::Duration};

use domain::{Error as Refusal, ImportState, ImportSummary};

use super::{begun::Begun, order::Order, scan::Files};
use crate::{Result, Services};
use ending::{clear, give_up};

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
        let outcome = tokio::select! {
            outcome = course::run(services, &self, &files, order) => outcome,
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
