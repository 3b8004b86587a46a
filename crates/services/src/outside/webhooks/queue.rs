//! Who is sent to next: some of each project at a time, so that an address where nobody answers holds up
//! the news of its own project only.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::TimeDelta;
use domain::ProjectId;
use tokio::{
    task::{Id, JoinError, JoinSet},
    time::{MissedTickBehavior, interval},
};

use super::deliver::deliver;
use crate::{Result, Services, outside::tries::INTERVAL};

/// How many are sent at the same time, of one project and of all.
const OF_ONE_PROJECT: usize = 4;
const IN_ALL: usize = 64;

/// How long after the beginning of a try another server may try, since this one has stopped in the middle of it.
const TAKEN: TimeDelta = TimeDelta::minutes(2);

/// Sends what is due, for as long as it is polled.
pub(crate) async fn deliver_regularly(services: &Arc<Services>) {
    let mut queue = Queue::default();
    let mut tick = interval(INTERVAL);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        if queue.is_waiting() {
            tokio::select! { _ = tick.tick() => {}, _ = queue.ended() => {} }
        } else {
            tick.tick().await;
        }
        if let Err(error) = queue.fill(services).await {
            tracing::warn!(%error, "webhooks could not be served; trying again");
        }
    }
}

/// Sends what is due by now, and waits until it is sent.
pub async fn deliver_due(services: &Arc<Services>) -> Result<()> {
    let mut queue = Queue::default();
    loop {
        queue.fill(services).await?;
        if !queue.ended().await {
            return Ok(());
        }
    }
}

/// What is being sent. It ends when this is dropped.
#[derive(Default)]
struct Queue {
    sending: JoinSet<()>,
    projects: BTreeMap<Id, ProjectId>,
    /// Whether there may be more that is due, for which there was no room.
    has_more: bool,
}

impl Queue {
    /// Begins to send what is due, as far as there is room for it.
    async fn fill(&mut self, services: &Arc<Services>) -> Result<()> {
        while let Some(ended) = self.sending.try_join_next_with_id() {
            self.forget(ended);
        }
        let mut running: BTreeMap<ProjectId, usize> = BTreeMap::new();
        for project in self.projects.values() {
            *running.entry(*project).or_default() += 1;
        }
        let of = |project| running.get(&project).copied().unwrap_or_default();
        let full: Vec<_> = running
            .iter()
            .filter(|(_, count)| **count >= OF_ONE_PROJECT)
            .map(|(id, _)| *id)
            .collect();
        let room = IN_ALL.saturating_sub(self.sending.len());
        self.has_more = room == 0 || !full.is_empty();
        if room == 0 {
            return Ok(());
        }
        let now = services.clock.now();
        let due =
            store::outside::deliveries::due(&services.store, now, &full, (OF_ONE_PROJECT, room));
        let mut due = due.await?;
        if due.is_empty() {
            return Ok(());
        }
        self.has_more = true;
        // The place of each among those of its project, what is being sent counted.
        due.retain(|due| of(due.project) + due.place <= OF_ONE_PROJECT);
        let tx = services.store.begin().await?;
        let ids: Vec<_> = due.iter().map(|due| due.id).collect();
        let claimed: BTreeSet<_> = store::outside::deliveries::claim(&tx, &ids, now, now + TAKEN)
            .await?
            .into_iter()
            .collect();
        tx.commit().await?;
        // What is not there, another process has begun.
        for due in due.into_iter().filter(|due| claimed.contains(&due.id)) {
            let project = due.project;
            let task = self.sending.spawn(deliver(Arc::clone(services), due));
            self.projects.insert(task.id(), project);
        }
        Ok(())
    }

    /// Whether what is due can only be sent when something has ended.
    fn is_waiting(&self) -> bool {
        self.has_more && !self.sending.is_empty()
    }

    /// Waits until something that was being sent has ended; false if nothing is.
    async fn ended(&mut self) -> bool {
        let Some(ended) = self.sending.join_next_with_id().await else { return false };
        self.forget(ended);
        true
    }

    fn forget(&mut self, ended: Result<(Id, ()), JoinError>) {
        let id = match ended {
            Ok((id, ())) => id,
            Err(error) => {
                tracing::error!(%error, "a delivery broke");
                error.id()
            }
        };
        self.projects.remove(&id);
    }
}
