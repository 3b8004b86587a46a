//! Having a chore to oneself: as long as this server is at it, no other begins it, and if this one is gone,
//! another may soon.

use std::time::Duration;

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use store::outside::backup::chores::{self, Chore};
use tokio::time::sleep;

use crate::{Result, Services};

/// For how long a chore is claimed at a time, and how often that is put off.
const LEASE: TimeDelta = TimeDelta::minutes(2);
const EVERY: Duration = Duration::from_secs(30);

/// Does something that one server does at a time; none if another is at it, or took it over because this one
/// could not say for too long that it is.
pub(super) async fn alone<T>(
    services: &Services,
    chore: Chore,
    work: impl Future<Output = T>,
) -> Result<Option<T>> {
    let until = lease_end(services);
    let tx = services.store.begin().await?;
    let is_ours = chores::claim(&tx, chore, services.clock.now(), until).await?;
    tx.commit().await?;
    if !is_ours {
        return Ok(None);
    }
    let mut held = Held { services, chore, until };
    let done = tokio::select! {
        done = work => done,
        () = held.hold() => return Ok(None),
    };
    held.put_off(services.clock.now().trunc_subsecs(0)).await?;
    Ok(Some(done))
}

fn lease_end(services: &Services) -> DateTime<Utc> {
    // Databases know fewer digits of a second than a clock.
    services.clock.now().trunc_subsecs(0) + LEASE
}

struct Held<'a> {
    services: &'a Services,
    chore: Chore,
    until: DateTime<Utc>,
}

impl Held<'_> {
    /// Keeps the chore until that fails.
    async fn hold(&mut self) {
        loop {
            sleep(EVERY).await;
            match self.put_off(lease_end(self.services)).await {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) if self.services.clock.now() < self.until => {
                    tracing::warn!(%error, "a chore could not be held; trying again");
                }
                Err(error) => {
                    tracing::warn!(%error, "a chore could not be held");
                    return;
                }
            }
        }
    }

    async fn put_off(&mut self, until: DateTime<Utc>) -> Result<bool> {
        let tx = self.services.store.begin().await?;
        let is_ours = chores::put_off(&tx, self.chore, self.until, until).await?;
        tx.commit().await?;
        self.until = until;
        Ok(is_ours)
    }
}
