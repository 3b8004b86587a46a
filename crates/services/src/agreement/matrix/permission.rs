//! Whether somebody who follows a project may go on.

use std::{sync::Arc, time::Duration};

use domain::{Actor, ProjectId, Role};
use live::Moved;
use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

use super::sharing::permitted;
use crate::{Result, Services, base::access::Access};

/// How often it is asked again whether somebody may follow.
const RECHECK: Duration = Duration::from_secs(10);

/// How soon it is asked again where nobody could answer.
const RETRY: Duration = Duration::from_secs(1);

/// That somebody may see a project's numbers: asked again every ten seconds, and as soon as more than
/// work has changed in the project, its members included.
pub struct Permission {
    services: Arc<Services>,
    actor: Actor,
    project: ProjectId,
    access: Arc<Access>,
    moved: watch::Receiver<Moved>,
    /// How often the project had been changed by more than work when it was last asked.
    resets: u64,
    due_at: Instant,
}

impl Permission {
    /// Asks for it; refused like the matrix.
    pub async fn ask(services: &Arc<Services>, actor: &Actor, project: ProjectId) -> Result<Self> {
        let mut moved = services.live.follow(project);
        let Moved { sequence, resets, .. } = moved.borrow_and_update().clone();
        let access = permitted(services, actor, project, sequence).await?;
        Ok(Self {
            services: Arc::clone(services),
            actor: actor.clone(),
            project,
            access,
            moved,
            resets,
            due_at: Instant::now() + RECHECK,
        })
    }

    /// What they are in the project.
    pub fn role(&self) -> Role {
        self.access.member.role
    }

    pub(super) fn access(&self) -> &Access {
        &self.access
    }

    /// Whether it has to be asked again before anything is told.
    fn is_due(&self) -> bool {
        Instant::now() >= self.due_at || self.moved.borrow().resets != self.resets
    }

    /// Waits until it has to be asked again. Nothing is lost when it is not waited for to the end.
    pub async fn due(&mut self) {
        while !self.is_due() {
            tokio::select! {
                () = sleep_until(self.due_at) => {}
                changed = self.moved.changed() => if changed.is_err() {
                    // The project is gone: nothing more is said of it.
                    sleep_until(self.due_at).await;
                },
            }
        }
    }

    /// Whether they may be told something now; asks if that is due. False if they may not go on, or not as
    /// what they were. Who could not be asked about goes on.
    pub async fn holds(&mut self) -> bool {
        !self.is_due() || self.renew().await
    }

    async fn renew(&mut self) -> bool {
        let Moved { sequence, resets, .. } = self.moved.borrow_and_update().clone();
        // Boxed: who waits between two questions, as nearly everybody does, has no room for this.
        let asked = Box::pin(permitted(&self.services, &self.actor, self.project, sequence)).await;
        self.resets = resets;
        self.due_at = Instant::now() + RECHECK;
        match asked {
            Ok(access) => access.member.role == self.role(),
            Err(error) if error.may_pass() => {
                tracing::debug!(%error, "whether somebody may follow is asked again");
                self.due_at = Instant::now() + RETRY;
                true
            }
            Err(_refused) => false,
        }
    }
}
