//! What every change of a project by one of its people has in common: one transaction, with its row
//! in the audit trail, and word of it to whoever follows once it is committed.

pub(crate) mod events;
pub mod idempotency;
pub(crate) mod mail;

use chrono::{DateTime, Utc};
use domain::{AuditEvent, Code, Error as Refusal, ImportId, ProjectId, Revision};
use serde_json::Value;
use store::{Db, Tx, outside::audit::Audit};
use tokio::sync::OwnedMutexGuard;

use crate::{Result, Services, base::access::Access};

/// A change that has begun. Nothing of it stays unless it is ended.
pub(crate) struct ProjectChange<'services> {
    services: &'services Services,
    pub(crate) access: Access,
    pub(crate) project: ProjectId,
    pub(crate) at: DateTime<Utc>,
    pub(crate) tx: Tx,
    /// The revision of the project that it makes, if numbers between raters may move by it.
    revision: Option<Revision>,
    /// Held until the tallies know of the change, where no save may come between.
    _lock: Option<OwnedMutexGuard<()>>,
}

impl<'services> ProjectChange<'services> {
    /// Begins a change by somebody who was permitted to make it.
    pub(crate) async fn begin(
        services: &'services Services,
        access: Access,
        project: ProjectId,
    ) -> Result<Self> {
        let (at, tx) = (services.clock.now(), services.store.begin().await?);
        Ok(Self { services, access, project, at, tx, revision: None, _lock: None })
    }

    /// As [`Self::begin`], while nobody saves.
    pub(crate) async fn begin_alone(
        services: &'services Services,
        access: Access,
        project: ProjectId,
    ) -> Result<Self> {
        let lock = services.live.lock_project(project).await;
        let begun = Self::begin(services, access, project).await?;
        Ok(Self { _lock: Some(lock), ..begun })
    }

    /// Moves the project's revision, and locks its row with that before anything is read: of two who
    /// change it at the same time, the second sees what the first did.
    pub(crate) async fn counted(self) -> Result<Self> {
        let revision = store::project::advance(&self.tx, self.project).await?;
        Ok(Self { revision: Some(revision), ..self })
    }

    async fn note(
        &self,
        event: AuditEvent,
        subject: impl Into<String>,
        detail: Value,
    ) -> Result<()> {
        let audit = Audit {
            project: Some(self.project),
            user: Some(self.access.person.id),
            at: self.at,
            event,
            subject: subject.into(),
            detail,
            revision: self.revision,
        };
        Ok(store::outside::audit::append(&self.tx, audit).await?)
    }

    /// Notes in the audit trail what was done, commits it, and has whoever follows the project look again.
    pub(crate) async fn end(
        self,
        event: AuditEvent,
        subject: impl Into<String>,
        detail: Value,
    ) -> Result<()> {
        self.note(event, subject, detail).await?;
        self.tx.commit().await?;
        // Told after the commit: whoever looks at once has to find it.
        match self.revision {
            Some(_) => self.services.live.invalidate(self.project),
            None => self.services.live.announce(self.project),
        }
        Ok(())
    }

    /// As [`Self::end`], where nothing has changed that anybody follows.
    pub(crate) async fn end_unseen(
        self,
        event: AuditEvent,
        subject: impl Into<String>,
        detail: Value,
    ) -> Result<()> {
        self.note(event, subject, detail).await?;
        Ok(self.tx.commit().await?)
    }
}

/// Refuses to carry out something else than what was previewed: `now` and `seen` stand for what would
/// be done now and for what somebody has seen and agreed to.
pub(crate) fn check_seen(now: &str, seen: &str, why: &str) -> Result<(), Refusal> {
    if now == seen { Ok(()) } else { Err(Code::ChangedMeanwhile.of("seen", why)) }
}

/// Refuses what is not to be done with half of an import that is certain to come, and changes of what it is
/// going to need.
pub(crate) async fn refuse_unpublished(db: &impl Db, project: ProjectId) -> Result<()> {
    match store::document::imports::decided_in(db, project).await? {
        Some(import) => Err(unpublished(import).into()),
        None => Ok(()),
    }
}

/// Why something has to wait for an import.
pub(crate) fn unpublished(import: ImportId) -> Refusal {
    let why = format!("import {import} is being saved; try again when it is done");
    Code::InUse.because(why)
}

/// Why something is not undone a second time.
pub(crate) fn undone_already() -> Refusal {
    Code::AlreadyUndone.because("this has already been undone")
}
