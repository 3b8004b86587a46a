//! The streams that bring a project's numbers, or its revision alone, for as long as somebody may see them.

use std::{sync::Arc, time::Duration};

use domain::{Actor, ProjectId, Revision, Switches};
use futures::Stream;
use live::{Interest, Moved};
use tokio::{
    sync::watch,
    time::{Instant, sleep, sleep_until},
};

use super::{
    permission::Permission,
    sharing::{SharedSnapshot, shared},
};
use crate::{Result, Services};

/// How long changes are gathered before followers of the matrix are told again.
const GATHER_NUMBERS: Duration = Duration::from_millis(100);

/// The same for what costs more than a snapshot to show.
const GATHER_REVISIONS: Duration = Duration::from_millis(250);

/// How soon a revision that could not be read is asked for again.
const RETRY: Duration = Duration::from_secs(1);

/// Follows the matrix: a snapshot now and after every change, at most ten a second, the same for all
/// who follow; ends when the actor may not see it any more.
pub async fn follow(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<impl Stream<Item = Arc<SharedSnapshot>> + Send + use<>> {
    let following = Following::new(services, actor, project, switches).await?;
    Ok(futures::stream::unfold(following, move |mut following| async move {
        let change = following.moved(GATHER_NUMBERS).await?;
        let Following { services, permission, .. } = &following;
        let access = permission.access();
        let snapshot = shared(services, access, project, switches, change).await.ok()?;
        following.told_at = Some(Instant::now());
        Some((snapshot, following))
    }))
}

/// Follows a project's revision: as it is now, and again after whatever moves the numbers, intervals that
/// have been computed included, at most four times a second; ends when the actor may not see it any more.
pub async fn follow_revision(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<impl Stream<Item = Revision> + Send + use<>> {
    let following = Following::new(services, actor, project, switches).await?;
    Ok(futures::stream::unfold(following, move |mut following| async move {
        following.moved(GATHER_REVISIONS).await?;
        let revision = revision(&following.services, project).await;
        following.told_at = Some(Instant::now());
        Some((revision, following))
    }))
}

async fn revision(services: &Services, project: ProjectId) -> Revision {
    loop {
        match Box::pin(services.live.read(project)).await {
            Ok(tallies) => return tallies.revision,
            Err(error) => tracing::debug!(%error, "a change is told later"),
        }
        sleep(RETRY).await;
    }
}

/// Somebody who follows a project. Intervals under their switches are computed meanwhile.
struct Following {
    services: Arc<Services>,
    permission: Permission,
    moved: watch::Receiver<Moved>,
    told_at: Option<Instant>,
    _interest: Interest,
}

impl Following {
    async fn new(
        services: &Arc<Services>,
        actor: &Actor,
        project: ProjectId,
        switches: Switches,
    ) -> Result<Self> {
        let permission = Permission::ask(services, actor, project).await?;
        let mut moved = services.live.follow(project);
        moved.mark_changed();
        Ok(Self {
            services: Arc::clone(services),
            permission,
            moved,
            told_at: None,
            _interest: services.live.register_interest(project, switches),
        })
    }

    /// Waits for a change that may be told, and says which it was; none when there will be no more for
    /// this actor. A change is told at once, unless the last one was told a moment ago.
    async fn moved(&mut self, gather: Duration) -> Option<u64> {
        loop {
            let has_moved = tokio::select! {
                changed = self.moved.changed() => { changed.ok()?; true }
                () = self.permission.due() => false,
            };
            if let Some(told_at) = self.told_at.filter(|_| has_moved) {
                sleep_until(told_at + gather).await;
            }
            if !self.permission.holds().await {
                return None;
            }
            if has_moved {
                // Whatever moves from here on is told again.
                return Some(self.moved.borrow_and_update().sequence);
            }
        }
    }
}
