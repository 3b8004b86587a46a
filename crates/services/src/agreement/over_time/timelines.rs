//! The values over time that were computed last, so that a page view does not compute them anew.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use domain::{ProjectId, Revision, RoundId, SeveralMeasure, TimeSwitches};
use live::{Narrowing, Recent, Subject, seed};
use tokio::{sync::Mutex as AsyncMutex, time::timeout};

use super::{
    dated::{Dated, Stamp, dated},
    values::{Before, Measuring, Values},
};
use crate::{Error, Result, Services};

/// How many of them are kept.
const KEPT: usize = 64;

/// How long a page waits for them.
const SOON: Duration = Duration::from_millis(300);

/// The values over time of projects that somebody looks at, by project and switches.
pub(crate) struct Timelines(Recent<(ProjectId, TimeSwitches), Slot>);

impl Default for Timelines {
    fn default() -> Self {
        Self(Recent::of(KEPT))
    }
}

/// The values of one project under the same switches.
#[derive(Default)]
struct Place {
    /// Held while computing, so that two readers do not compute the same at once.
    computing: AsyncMutex<()>,
    latest: Mutex<Option<Timeline>>,
}

type Slot = Arc<Place>;

impl Place {
    fn latest(&self) -> Option<Timeline> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Values, and what they were computed from.
#[derive(Clone, Default)]
pub(crate) struct Timeline {
    pub(super) revision: Revision,
    rounds: Arc<Vec<RoundId>>,
    dated: Arc<Vec<Stamp>>,
    pub(super) values: Arc<Values>,
}

impl Timelines {
    fn slot(&self, project: ProjectId, switches: TimeSwitches) -> Slot {
        let key = (project, switches.without_scale());
        self.0.find_or_keep(|_| false, |of| *of == key, || (key, Slot::default()))
    }

    /// The values as of now. They are computed, on a thread that may block, when the project has
    /// moved since the last time.
    pub(super) async fn read(
        &self,
        services: &Services,
        project: ProjectId,
        switches: TimeSwitches,
    ) -> Result<Timeline> {
        let slot = self.slot(project, switches);
        let _computing = slot.computing.lock().await;
        let part = Narrowing::of(switches.of_matrix());
        let tallies = services.live.read_part(project, part).await?;
        let before = slot.latest();
        if let Some(known) = before.as_ref().filter(|known| known.revision >= tallies.revision) {
            return Ok(known.clone());
        }
        let rounds = store::project::rounds::list(&services.store, project).await?;
        let rounds: Vec<RoundId> = rounds.into_iter().map(|round| round.id).collect();
        let compute = move || {
            let revision = tallies.revision;
            let dated = dated(&tallies, switches);
            // Held no longer than this: a save copies what somebody reads.
            drop(tallies);
            let seed = seed(project, Subject::Labelers(SeveralMeasure::default()));
            let measuring = Measuring { measure: switches.measure, seed };
            let before = before
                .as_ref()
                .filter(|before| *before.rounds == rounds)
                .map(|before| Before { dated: &before.dated, values: &before.values });
            let values = Values::compute(&dated, &rounds, measuring, before);
            Timeline {
                revision,
                rounds: Arc::new(rounds),
                dated: Arc::new(dated.iter().map(Dated::stamp).collect()),
                values: Arc::new(values),
            }
        };
        let timeline = tokio::task::spawn_blocking(compute).await.map_err(Error::broken)?;
        *slot.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(timeline.clone());
        Ok(timeline)
    }

    /// The values as of now if they are there soon, and else those that were computed last; with whether
    /// they are behind.
    pub(super) async fn read_soon(
        &self,
        services: &Arc<Services>,
        project: ProjectId,
        switches: TimeSwitches,
    ) -> Result<(Timeline, bool)> {
        let reading = {
            let services = Arc::clone(services);
            async move { services.timelines.read(&services, project, switches).await }
        };
        let mut reading = tokio::spawn(reading);
        if let Ok(timeline) = timeout(SOON, &mut reading).await {
            return Ok((timeline.map_err(Error::broken)??, false));
        }
        let nudging = Arc::clone(services);
        tokio::spawn(async move {
            match reading.await.map_err(Error::broken).flatten() {
                Ok(_) => nudging.live.nudge(project),
                Err(error) => {
                    tracing::warn!(%error, project.id = project.0, "values over time are missing");
                }
            }
        });
        if let Some(latest) = self.slot(project, switches).latest() {
            return Ok((latest, true));
        }
        let revision = store::project::revisions(&services.store, &[project]).await?;
        let revision = revision.first().map_or(Revision(0), |(_, revision)| *revision);
        Ok((Timeline { revision, ..Timeline::default() }, true))
    }

    /// The values as they were computed last, without waiting for any. Where the project has moved on,
    /// they are computed meanwhile, and who follows the project is told when they are there.
    pub(super) fn latest(
        &self,
        services: &Arc<Services>,
        (project, revision): (ProjectId, Revision),
        switches: TimeSwitches,
    ) -> Option<Timeline> {
        let slot = self.slot(project, switches);
        let latest = slot.latest();
        let is_behind = latest.as_ref().is_none_or(|known| known.revision < revision);
        if is_behind && slot.computing.try_lock().is_ok() {
            let services = Arc::clone(services);
            tokio::spawn(async move {
                // What goes wrong is said where somebody asks for the values and waits for them.
                if services.timelines.read(&services, project, switches).await.is_ok() {
                    services.live.nudge(project);
                }
            });
        }
        latest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clock, ServerKey};
    use chrono::{DateTime, Utc};

    #[tokio::test]
    async fn nothing_is_computed_anew_until_the_project_moves() {
        let store = store::testing::sqlite().await;
        let tx = store.begin().await.unwrap();
        let project = store::project::create(&tx, "Hamlet", DateTime::<Utc>::UNIX_EPOCH).await;
        let project = project.unwrap();
        tx.commit().await.unwrap();
        let services =
            Services::new(store.clone(), Clock::system(), None, ServerKey::from([7; 32]));
        let read = async |measure| {
            let switches = TimeSwitches { measure, ..TimeSwitches::default() };
            services.timelines.read(&services, project, switches).await.unwrap().values
        };
        let first = read(SeveralMeasure::Alpha).await;
        assert!(Arc::ptr_eq(&first, &read(SeveralMeasure::Alpha).await));
        assert!(!Arc::ptr_eq(&first, &read(SeveralMeasure::Percent).await));
        let tx = store.begin().await.unwrap();
        store::project::advance(&tx, project).await.unwrap();
        tx.commit().await.unwrap();
        services.live.invalidate(project);
        assert!(!Arc::ptr_eq(&first, &read(SeveralMeasure::Alpha).await));
    }
}
