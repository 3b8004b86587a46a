//! What was decided comes into its project, a piece at a time: whoever does it, and however often somebody
//! has begun with it before.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use domain::{AuditEvent, ImportId, ImportState, ImportSummary, MailKind, ProjectId, Revision};
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
use crate::{
    Result, Services,
    base::change::{mail::write_to, unpublished},
};

/// How often a piece is tried again that did not come, because somebody was faster or the database did not
/// answer, and after what time: at first, and at most. Where nobody waits for the import itself, it is come
/// back to.
const TRIES: u8 = 8;
const FEW_TRIES: u8 = 3;
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// So many documents and assignments change what a database has to know of its tables.
const MANY: u64 = 1_000;

/// What has become of a piece.
enum Piece {
    /// So many documents have come by now, and there are more.
    More(u64),
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
    let most = if job.is_some() { TRIES } else { FEW_TRIES };
    let (mut tries, mut pause) = (0, PAUSE);
    loop {
        let since = Instant::now();
        match publish_piece(services, import).await {
            Ok(Some(Piece::More(documents))) => {
                (tries, pause) = (0, PAUSE);
                if let Some(job) = job {
                    job.note_stored(documents);
                }
                rest(since).await;
            }
            Ok(Some(Piece::Last(summary))) => {
                refresh(services, &summary).await;
                return Ok(Some(summary));
            }
            // Somebody else has done it all, or the project is gone.
            Ok(None) => return Ok(imports::summary(&services.store, import).await?),
            // Nothing refuses a piece for good: it is certain.
            Err(error) if tries < most => {
                tries += 1;
                tracing::debug!(%error, import.id = import.0, "a piece of an import is tried again");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Brings whatever was decided to come into a project, so that what comes after it finds it there.
pub async fn publish_decided(services: &Services, project: ProjectId) -> Result<()> {
    while let Some(import) = imports::decided_in(&services.store, project).await? {
        if let Err(error) = publish(services, import, None).await {
            tracing::error!(%error, import.id = import.0, project.id = project.0, "an import is stuck");
            return Err(unpublished(import).into());
        }
    }
    Ok(())
}

/// Brings whatever was decided to come into any project; one that is stuck does not keep the others waiting.
pub(in super::super) async fn publish_all(services: &Services) -> Result<()> {
    for project in imports::expecting(&services.store).await? {
        // It is logged, and tried again when it counts as abandoned.
        let _stuck = publish_decided(services, project).await;
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
    let (now, reached) = (services.clock.now(), decision.reached);
    let parcels = shelf::next::<Parcel>(&tx, import, reached, PIECE).await?;
    let last = parcels.last().map(|parcel| parcel.place);
    let brought = write(&tx, (project, import), &mut decision, parcels, now).await?;
    store::agreement::feed::bring(&tx, project, revision, &brought.documents, &brought.works)
        .await?;
    let is_last = match last {
        Some(last) => !shelf::remove(&tx, import, reached, last).await?,
        None => true,
    };
    decision.reached = last.or(reached);
    if is_last {
        if !finish(services, &tx, (project, import), &decision, (revision, now)).await? {
            return Ok(None);
        }
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
    Ok(Some(Piece::More(decision.come())))
}

/// Ends an import in the transaction of the last that it brings; false if somebody has ended it.
pub(super) async fn finish(
    services: &Services,
    tx: &Tx,
    (project, import): (ProjectId, ImportId),
    decision: &Decision,
    (revision, at): (Revision, DateTime<Utc>),
) -> Result<bool> {
    let Decision { by, made, summary, .. } = decision;
    if !imports::finish(tx, import, summary, made, at).await? {
        return Ok(false);
    }
    let audit = Audit {
        project: Some(project),
        user: *by,
        at,
        event: AuditEvent::ImportDocuments,
        subject: format!("project {project}"),
        detail: json!({
            "import": import,
            "decided_at": decision.at,
            "documents": summary.documents,
            "suggestions": summary.suggestions,
            "assignments": summary.assignments,
            "copies": summary.worked,
            "model_documents": summary.model_documents,
            "spans": summary.spans,
            "placeholders": summary.placeholders,
        }),
        revision: Some(revision),
    };
    store::outside::audit::append(tx, audit).await?;
    tell(tx, (project, import), ImportState::Done, Some(summary), at).await?;
    if summary.assignments > 0 {
        let people = store::work::assignments::labelers_given(tx, import).await?;
        write_to(services, tx, (MailKind::NewWork, project), &people, at).await?;
    }
    Ok(true)
}

/// Has the database know of its tables what has changed by an import. It is imported, whether or not.
pub(super) async fn refresh(services: &Services, summary: &ImportSummary) {
    if summary.documents + summary.worked >= MANY
        && let Err(error) = imports::look_at_rows(&services.store).await
    {
        tracing::warn!(%error, "the database could not look at what was imported");
    }
}
