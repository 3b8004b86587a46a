//! What the agreement engine reads, over the store.

use chrono::{DateTime, Utc};
use domain::{DocumentRatings, Error as Refusal, MemberId, ProjectId, Revision};
use live::Reader;
use store::Store;

use crate::{Error, Result};

/// The rows of a store.
pub(crate) struct Rows(pub(crate) Store);

impl Reader for Rows {
    type Error = Error;

    async fn ratings(&self, project: ProjectId) -> Result<(Revision, Vec<DocumentRatings>)> {
        let snapshot = self.0.begin_read().await?;
        let found = store::agreement::ratings::load_project(&snapshot, project).await?;
        Ok(found.ok_or(Refusal::NotFound)?)
    }

    async fn last_move(&self, project: ProjectId) -> Result<Option<(MemberId, DateTime<Utc>)>> {
        Ok(store::outside::audit::last_move(&self.0, project).await?)
    }

    async fn revisions(&self, projects: &[ProjectId]) -> Result<Vec<(ProjectId, Revision)>> {
        Ok(store::project::revisions(&self.0, projects).await?)
    }
}
