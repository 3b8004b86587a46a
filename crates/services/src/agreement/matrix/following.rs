//! The stream that brings a project's numbers for as long as somebody may see them.

use std::{sync::Arc, time::Duration};

use domain::{Actor, ProjectId, Switches, base::policy::Action};
use futures::Stream;
use live::Moved;
use tokio::{sync::watch, time::Instant};

use super::sharing::{SharedSnapshot, permitted, shared};
use crate::{Result, Services, base::access::permit};

/// How long changes are gathered before followers of the matrix are told again.
const GATHER: Duration = Duration::from_millis(100);

/// How often a follower's membership is checked again.
pub(crate) const RECHECK: Duration = Duration::from_secs(10);

/// Follows the matrix: a snapshot now and after every change, at most ten a second, the same for all
/// who follow; ends when the actor may not see it any more.
pub async fn follow(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<impl Stream<Item = Arc<SharedSnapshot>> + Send + use<>> {
    let follower = Follower::new(services, actor, project).await?;
    let interest = services.live.register_interest(project, switches);
    Ok(futures::stream::unfold((follower, interest), move |(mut follower, interest)| async move {
        let change = follower.moved().await?;
        let Follower { services, actor, .. } = &follower;
        let access = permitted(services, actor, project, change).await.ok()?;
        let snapshot = shared(services, &access, project, switches, change).await.ok()?;
        follower.note_sent();
        Some((snapshot, (follower, interest)))
    }))
}

/// Somebody who follows a project.
struct Follower {
    services: Arc<Services>,
    actor: Actor,
    project: ProjectId,
    moved: watch::Receiver<Moved>,
    /// When the last change was told, and when membership was last checked.
    told_at: Instant,
    checked: Instant,
}

impl Follower {
    async fn new(services: &Arc<Services>, actor: &Actor, project: ProjectId) -> Result<Self> {
        permit(&services.store, actor, project, Action::ViewAgreement).await?;
        let mut moved = services.live.follow(project);
        moved.mark_changed();
        let now = Instant::now();
        Ok(Self {
            services: Arc::clone(services),
            actor: actor.clone(),
            project,
            moved,
            told_at: now.checked_sub(GATHER).unwrap_or(now),
            checked: now,
        })
    }

    /// Waits for a change, and says which it was; none when there will be no more for this actor. A
    /// change is told at once, unless the last one was told a moment ago.
    async fn moved(&mut self) -> Option<u64> {
        loop {
            let recheck = tokio::time::sleep_until(self.checked + RECHECK);
            tokio::select! {
                changed = self.moved.changed() => {
                    changed.ok()?;
                    tokio::time::sleep_until(self.told_at + GATHER).await;
                    return Some(self.moved.borrow_and_update().sequence);
                }
                () = recheck => {
                    let sequence = self.moved.borrow().sequence;
                    permitted(&self.services, &self.actor, self.project, sequence).await.ok()?;
                    self.checked = Instant::now();
                }
            }
        }
    }

    /// Notes that a change has been told, to somebody who was permitted to know it.
    fn note_sent(&mut self) {
        self.told_at = Instant::now();
        self.checked = self.told_at;
    }
}
