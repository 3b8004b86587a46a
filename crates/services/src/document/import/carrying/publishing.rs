//! What was decided comes into its project, a piece at a time: whoever does it, and however often somebody
//! has begun with it before.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use domain::{AuditEvent, ImportId, ImportState, ImportSummary, ProjectId, Revision};
use serde_json::json;
use store::{
    Tx,
    document::{imports, shelf},
    outside::audit::Audit,
};

use super::{
    super::running::Job,
    decision::Decision,
    ending::tell,
    pace::{PIECE, rest},
    parcel::Parcel,
    writing::write,
};
use crate::{Error, Result, Services};

/// How often a piece is tried again for which somebody was faster, and after what time.
const TRIES: u8 = 10;
const PAUSE: Duration = Duration::from_millis(100);

/// So many documents and assignments change what a database has to know of its tables.
const MANY: u64 = 1_000;

/// What has become of a piece.
enum Piece {
    /// So many parcels came, and there are more.
    More(usize),
    /// It was the last.
    Last(ImportSummary),
}

/// Brings everything of an import into its project that was decided and is not there yet, and says what
/// that is; none if the project is gone.
pub(crate) async fn publish(
    services: &Services,
    import: ImportId,
    job: Option<&Job>,
) -> Result<Option<ImportSummary>> {
    let mut tries = 0;
    loop {
        let since = Instant::now();
        match publish_piece(services, import).await {
            Ok(Some(Piece::More(parcels))) => {
                tries = 0;
                if let Some(job) = job {
                    job.count_stored(parcels);
                }
                rest(since).await;
            }
            Ok(Some(Piece::Last(summary))) => {
                refresh(services, &summary).await;
                return Ok(Some(summary));
            }
            // Somebody else has done it all, or the project is gone.
            Ok(None) => return Ok(imports::summary(&services.store, import).await?),
            Err(Error::Refused(refusal)) if tries < TRIES => {
                tries += 1;
                tracing::debug!(%refusal, import.id = import.0, "a piece of an import is tried again");
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) => return Err(error),
        }
    }
}

/// Brings whatever was decided to come into a project, so that what comes after it finds it there.
pub(crate) async fn publish_decided(services: &Services, project: ProjectId) -> Result<()> {
    while let Some(import) = imports::decided_in(&services.store, project).await? {
        publish(services, import, None).await?;
    }
    Ok(())
}

/// Brings the next piece; none if nothing of the import is left to come.
async fn publish_piece(services: &Services, import: ImportId) -> Result<Option<Piece>> {
    let decided = imports::decision::<Decision>(&services.store, import).await?;
    let Some((project, _)) = decided else { return Ok(None) };
    let lock = services.live.lock_project(project).await;
    let tx = services.store.begin().await?;
    // Locks the project, before it is read what others have left of the shelf.
    let revision = store::project::advance_always(&tx, project).await?;
    let decided = imports::decision::<Decision>(&tx, import).await?;
    let Some((_, mut decision)) = decided else { return Ok(None) };
    let parcels = shelf::next::<Parcel>(&tx, import, PIECE).await?;
    let count = parcels.len();
    let last = parcels.last().map(|parcel| parcel.place);
    let brought = write(&tx, (project, import), &mut decision, parcels).await?;
    store::agreement::feed::bring(&tx, project, revision, &brought.documents, &brought.works)
        .await?;
    let now = services.clock.now();
    let is_last = match last {
        Some(last) => !shelf::remove(&tx, import, last).await?,
        None => true,
    };
    if is_last {
        finish(&tx, (project, import), &decision, (revision, now)).await?;
    } else {
        imports::keep_decision(&tx, import, &decision, now).await?;
    }
    tx.commit().await?;
    // In the project's turn, so that the next save finds the tallies as they are now.
    if let Err(error) = services.live.catch_up(project).await {
        tracing::warn!(%error, project.id = project.0, "the feed could not be read; trying again");
    }
    drop(lock);
    if is_last {
        services.live.announce(project);
        return Ok(Some(Piece::Last(decision.summary)));
    }
    services.live.nudge(project);
    Ok(Some(Piece::More(count)))
}

/// Ends an import in the transaction of the last that it brings.
pub(super) async fn finish(
    tx: &Tx,
    (project, import): (ProjectId, ImportId),
    decision: &Decision,
    (revision, at): (Revision, DateTime<Utc>),
) -> Result<()> {
    let Decision { by, made, summary, .. } = decision;
    imports::finish(tx, import, summary, made, at).await?;
    let audit = Audit {
        project: Some(project),
        user: *by,
        at,
        event: AuditEvent::ImportDocuments,
        subject: format!("project {project}"),
        detail: json!({
            "import": import,
            "documents": summary.documents,
            "suggestions": summary.suggestions,
            "assignments": summary.assignments,
            "copies": summary.worked,
            "spans": summary.spans,
            "placeholders": summary.placeholders,
        }),
        revision: Some(revision),
    };
    store::outside::audit::append(tx, audit).await?;
    tell(tx, (project, import), ImportState::Done, Some(summary), at).await
}

/// Has the database know of its tables what has changed by an import. It is imported, whether or not.
pub(super) async fn refresh(services: &Services, summary: &ImportSummary) {
    if summary.documents + summary.worked >= MANY
        && let Err(error) = imports::look_at_rows(&services.store).await
    {
        tracing::warn!(%error, "the database could not look at what was imported");
    }
}
