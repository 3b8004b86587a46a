//! Imports that nobody carries out any more, because their server is gone: those that are decided are carried
//! on, of the others nothing stays.

use std::time::Duration;

use chrono::TimeDelta;
use domain::{Code, ImportState};
use store::document::imports;
use tokio::time::{MissedTickBehavior, interval};

use super::carrying::{
    ending::{clear, give_up},
    publishing::publish,
};
use crate::{Result, Services};

/// How long nobody has to be at an import for it to be abandoned: whoever is at it says so every few seconds.
const ABANDONED_AFTER: TimeDelta = TimeDelta::seconds(30);

/// How often abandoned imports are looked for.
const EVERY: Duration = Duration::from_secs(10);

/// Ends or carries on what was abandoned, again and again, for as long as it is polled.
pub(crate) async fn recover_regularly(services: &Services) {
    let mut tick = interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        if let Err(error) = end_abandoned(services).await {
            tracing::warn!(%error, "abandoned imports could not be ended; trying again");
        }
    }
}

/// Ends imports that nobody has been at for a while: what was decided comes, the rest comes to nothing. Where
/// somebody is at one all the same, both do the same, or the other finds that it has ended.
pub async fn end_abandoned(services: &Services) -> Result<()> {
    let store = &services.store;
    let since = services.clock.now() - ABANDONED_AFTER;
    let why = Code::Interrupted.because("the server stopped during the import; nothing was saved");
    for (project, import) in imports::abandoned(store, since, false).await? {
        if give_up(services, (project, import), ImportState::Failed, Some(&why)).await? {
            tracing::warn!(import.id = import.0, "an import was not done when its server stopped");
        }
    }
    for (project, import) in imports::abandoned(store, since, true).await? {
        tracing::warn!(import.id = import.0, "carrying on an import whose server stopped");
        // Those of other projects are not to wait for one that cannot be carried on.
        if let Err(error) = publish(services, import, None).await {
            tracing::error!(%error, import.id = import.0, project.id = project.0, "an import is stuck");
        }
    }
    for import in imports::with_leftovers(store).await? {
        clear(services, import).await?;
    }
    Ok(())
}
