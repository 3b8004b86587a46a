//! Files to take away: spans of one rater, of all labelers or of a gold standard in any format, with
//! what the format cannot hold; and lists.
//!
//! An export is read from one snapshot of the database, a stretch of documents at a time, and written
//! to a file of the system's that has no name: so it takes no more memory for a large project than
//! for a small one, nobody who downloads slowly keeps the snapshot open, and what has begun to be
//! sent is whole.

mod choices;
mod file;
mod lists;
mod losses;
mod reading;
#[cfg(test)]
mod round_trips;
mod soft_labels;
mod source;
mod writing;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use domain::{
    Actor, AuditEvent, ExportChoices, ExportPreview, ExportQuery, LossForm, ProjectId, UserId,
    base::policy::{Action, Standpoint, offers},
};
use serde_json::json;
use tokio::sync::Semaphore;

use self::{
    reading::Reader,
    source::Source,
    writing::{Keep, Writing},
};
use crate::{
    Error, Result, Services,
    base::{
        access::{Access, permit},
        change::refuse_unpublished,
        export::note,
        names::Names,
    },
};

pub use crate::base::export::Export;
pub use choices::choices;
pub use file::ExportFile;
pub(crate) use lists::{ListFile, exported};
pub use lists::{ListFormat, disagreements};
pub use soft_labels::{soft_label_people, soft_labels};

/// How many rows or documents are written between two looks into the database.
const BATCH: usize = 500;

/// How many exports are made at a time, and how many previews beside them: each keeps a reader of the
/// database and a thread.
const AT_ONCE: usize = 2;

/// How long a page waits to learn what a format would not hold.
const PATIENCE: Duration = Duration::from_secs(4);

/// Turns of those who export. Whoever waits for theirs holds nothing of the database.
pub(crate) struct ConcurrencyLimit {
    files: Semaphore,
    previews: Semaphore,
}

impl Default for ConcurrencyLimit {
    fn default() -> Self {
        Self { files: Semaphore::new(AT_ONCE), previews: Semaphore::new(AT_ONCE) }
    }
}

impl ConcurrencyLimit {
    /// A page does not wait for files.
    const fn of(&self, keep: Keep) -> &Semaphore {
        match keep {
            Keep::File | Keep::Losses => &self.files,
            Keep::Nothing => &self.previews,
        }
    }
}

/// What a member may export.
pub async fn choices_of(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<ExportChoices> {
    let db = services.store.begin_read().await?;
    let Access { member, .. } = permit(&db, actor, project, Action::ViewProject).await?;
    let standpoint = Standpoint::Member { role: member.role, owns: false };
    // Whoever reviews a second time is not shown what others did until that is ended.
    let all = offers(Action::ViewAgreement, standpoint)
        && permit(&db, actor, project, Action::ViewAgreement).await.is_ok();
    let own = !offers(Action::ManageProject, standpoint);
    if !all {
        return Ok(ExportChoices { own, all, raters: Vec::new(), versions: Vec::new() });
    }
    let names = Names::load(&db, project, &member).await?;
    let versions = store::review::gold_versions::list(&db, project).await?;
    Ok(ExportChoices { own, all, raters: names.raters().to_vec(), versions })
}

/// The file that is asked for.
pub async fn export(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: ExportQuery,
) -> Result<ExportFile> {
    let (source, user) = source::permitted(&services.store, actor, project, query.what).await?;
    let file = written(services, project, source, query).await?;
    record_work(services, project, Some(user), query, file.documents).await?;
    Ok(file)
}

/// The file that is asked for, for whoever has the database itself, and everybody under their names.
pub async fn of_database(
    services: &Arc<Services>,
    project: ProjectId,
    query: ExportQuery,
) -> Result<ExportFile> {
    let source = source::of_database(&services.store, project, query.what).await?;
    let file = written(services, project, source, query).await?;
    record_work(services, project, None, query, file.documents).await?;
    Ok(file)
}

/// What the file would have, and what its format would not hold: told before anybody takes it away,
/// so nothing is recorded.
pub async fn preview(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: ExportQuery,
) -> Result<ExportPreview> {
    let (source, _) = source::permitted(&services.store, actor, project, query.what).await?;
    let until = Instant::now().checked_add(PATIENCE);
    let (writing, complete) = run(services, project, source, query, Keep::Nothing, until).await?;
    Ok(ExportPreview {
        documents: writing.documents(),
        spans: writing.spans(),
        losses: writing.into_counts(),
        complete,
    })
}

/// Everything that the file would not hold, as a list.
pub async fn losses(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: ExportQuery,
    form: LossForm,
) -> Result<ExportFile> {
    let (source, _) = source::permitted(&services.store, actor, project, query.what).await?;
    let name = format!("{}-losses", source.file_name(project));
    let (writing, _) = run(services, project, source, query, Keep::Losses, None).await?;
    blocking(move || writing.into_losses(&name, form)).await
}

async fn written(
    services: &Services,
    project: ProjectId,
    source: Source,
    query: ExportQuery,
) -> Result<ExportFile> {
    let name = source.file_name(project);
    let (writing, _) = run(services, project, source, query, Keep::File, None).await?;
    blocking(move || writing.into_file(&name)).await
}

/// Reads and writes stretch by stretch, until the time is up; says whether that was all.
async fn run(
    services: &Services,
    project: ProjectId,
    source: Source,
    query: ExportQuery,
    keep: Keep,
    until: Option<Instant>,
) -> Result<(Writing, bool)> {
    let _slot = services.exports.of(keep).acquire().await.map_err(Error::broken)?;
    let db = services.store.begin_read().await?;
    if !matches!(keep, Keep::Nothing) {
        refuse_unpublished(&db, project).await?;
    }
    let mut writing = blocking(move || Writing::new(query, keep)).await?;
    for part in source.parts(query) {
        if let Some(folder) = part.folder() {
            let folder = folder.to_owned();
            writing = blocking(move || writing.begin_rater(&folder)).await?;
        }
        let mut reader = Reader::new(&db, project, &part, query).await?;
        while let Some(stretch) = reader.next().await? {
            writing = blocking(move || writing.write(stretch)).await?;
            if until.is_some_and(|until| Instant::now() >= until) {
                return Ok((writing, false));
            }
        }
    }
    Ok((writing, true))
}

/// Runs what may block on a thread for that.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::broken)?
}

async fn record_work(
    services: &Services,
    project: ProjectId,
    user: Option<UserId>,
    query: ExportQuery,
    documents: u64,
) -> Result<()> {
    let detail = json!({ "what": query.what, "format": query.format, "documents": documents });
    note(services, project, user, AuditEvent::ExportWork, detail).await
}
