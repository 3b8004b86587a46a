//! Imports that nobody carries out any more, because their server is gone: those that are decided are carried
//! on, of the others nothing stays.

mod watch;

use std::{sync::PoisonError, time::Duration};

use domain::Code;
use store::document::unended_imports::{Unended, unended, with_leftovers};
use tokio::time::{MissedTickBehavior, interval};

pub(super) use watch::Watch;

use super::carrying::{
    ending::{call_off_abandoned, clear},
    publishing::{publish, publish_all},
};
use crate::{Result, Services};

/// How often abandoned imports are looked for.
const EVERY: Duration = Duration::from_secs(10);

/// Ends or carries on what was abandoned, again and again, for as long as it is polled.
pub(crate) async fn recover_regularly(services: &Services) {
    // What is certain may be there at once, whoever else is at it.
    if let Err(error) = publish_all(services).await {
        tracing::warn!(%error, "decided imports could not be found; looking again later");
    }
    let mut tick = interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        if let Err(error) = end_abandoned(services).await {
            tracing::warn!(%error, "abandoned imports could not be found; trying again");
        }
    }
}

/// Ends imports of which nothing has been heard since this was asked a while ago: what was decided comes, the
/// rest comes to nothing. Where somebody is at one all the same, both do the same, or the other finds that it
/// has ended.
pub async fn end_abandoned(services: &Services) -> Result<()> {
    let unended = unended(&services.store).await?;
    let abandoned = {
        // Nothing can panic while this is held.
        let mut watch = services.imports.watch.lock().unwrap_or_else(PoisonError::into_inner);
        watch.abandoned(unended, services.clock.now())
    };
    for found in abandoned {
        // The database may be slow to hear of what runs here.
        if services.imports.find(found.import).is_some() {
            continue;
        }
        // Others are not to wait for one that cannot be ended.
        if let Err(error) = end(services, &found).await {
            let Unended { project, import, .. } = found;
            tracing::error!(%error, import.id = import.0, project.id = project.0, "an import is stuck");
        }
    }
    for import in with_leftovers(&services.store).await? {
        if let Err(error) = clear(services, import).await {
            tracing::warn!(%error, import.id = import.0, "what an import has left could not be taken away");
        }
    }
    Ok(())
}

/// Ends one that was abandoned.
async fn end(services: &Services, found: &Unended) -> Result<()> {
    let import = found.import;
    if found.is_decided {
        tracing::warn!(import.id = import.0, "carrying on an import whose server stopped");
        publish(services, import, None).await?;
        return Ok(());
    }
    let why = Code::Interrupted.because("the server stopped during the import; nothing was saved");
    if call_off_abandoned(services, found, &why).await? {
        tracing::warn!(import.id = import.0, "an import was not done when its server stopped");
    }
    Ok(())
}
