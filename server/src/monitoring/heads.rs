//! Tells the outside where the audit trail ends: in a file that is only added to, and in the log.

use std::{
    collections::BTreeMap, fs::OpenOptions, io::Write, os::unix::fs::OpenOptionsExt, path::PathBuf,
    sync::Arc, time::Duration,
};

use domain::ProjectId;
use services::{Services, error_chain, outside::audit};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

/// How often it is told.
const EVERY: Duration = Duration::from_hours(1);

/// The file, and what it has been told.
pub(crate) struct HeadsFile {
    path: PathBuf,
    services: Arc<Services>,
    /// How far each trail was when it was told last.
    told: BTreeMap<Option<ProjectId>, i64>,
}

impl HeadsFile {
    /// A file that the trails' ends are added to; it is made where it is missing, readable by
    /// nobody else.
    pub(crate) const fn new(path: PathBuf, services: Arc<Services>) -> Self {
        Self { path, services, told: BTreeMap::new() }
    }

    /// Tells at the start and every hour, until `shutdown` is cancelled.
    pub(crate) async fn keep_until(mut self, shutdown: CancellationToken) -> Self {
        let mut tick = interval(EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = tick.tick() => self.tell().await,
                () = shutdown.cancelled() => return self,
            }
        }
    }

    /// Tells the ends of all trails that have grown since the last time.
    pub(crate) async fn tell(&mut self) {
        if let Err(error) = self.try_to_tell().await {
            let path = self.path.display();
            tracing::error!(%path, error, "the ends of the audit trail could not be written");
        }
    }

    async fn try_to_tell(&mut self) -> Result<(), String> {
        let heads = audit::heads(&self.services).await.map_err(|error| error_chain(&error))?;
        let grown =
            heads.into_iter().filter(|head| self.told.get(&head.project) != Some(&head.place));
        let grown: Vec<_> = grown.collect();
        let mut lines = String::new();
        for head in &grown {
            lines.push_str(&audit::line(head).map_err(|error| error_chain(&error))?);
        }
        let path = self.path.clone();
        let written = tokio::task::spawn_blocking(move || {
            let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
            file.write_all(lines.as_bytes())?;
            file.sync_data()
        });
        written.await.map_err(|error| error_chain(&error))?.map_err(|error| error_chain(&error))?;
        for head in grown {
            let project = head.project.map(|project| project.0);
            tracing::info!(project, place = head.place, mac = head.mac, "an audit trail's end");
            self.told.insert(head.project, head.place);
        }
        Ok(())
    }
}
