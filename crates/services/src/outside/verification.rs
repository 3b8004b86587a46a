//! Proof that what is shown follows from the rows: tallies counted anew and compared, locked gold
//! standards held against their hashes, audit trails held against their signatures.

use std::{collections::BTreeSet, sync::Arc};

use domain::{Actor, Error as Refusal, ProjectId, Revision, base::policy::Action};
pub use domain::{AuditVerification, Verification};
use live::{Recount, Tallies, document_work};
use store::{
    Store,
    agreement::ratings::{DocumentRatings, ProjectRatings},
};

use crate::{
    Error, Result, ServerKey, Services,
    base::access::permit,
    outside::audit::{self, ExportedHeads},
    review::gold,
};

/// How often tallies and rows are read until both are of one revision, before they are held against each
/// other as they are.
const ATTEMPTS: u8 = 10;

/// Compares the tallies in memory, as saves have moved them, with the rows.
pub async fn live(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Verification> {
    permit(&services.store, actor, project, Action::ManageProject).await?;
    // Nobody saves here while both are read; what another server saves between is read once more.
    let lock = services.live.lock_project(project).await;
    let mut attempts = ATTEMPTS;
    let (shown, snapshot) = loop {
        services.live.catch_up(project).await?;
        let shown = services.live.read(project).await?;
        let snapshot = services.store.begin_read().await?;
        let revision = ProjectRatings::of(&snapshot, project).await?.map(|rows| rows.revision);
        attempts -= 1;
        if revision == Some(shown.revision) || attempts == 0 {
            break (shown, snapshot);
        }
    };
    drop(lock);
    let mut problems = gold::problems(&snapshot, project).await?;
    let (shown_revision, mut recount) = (shown.revision, Recount::of(shown));
    let mut rows = ProjectRatings::of(&snapshot, project).await?.ok_or(Refusal::NotFound)?;
    let revision = rows.revision;
    while let Some(piece) = rows.next().await? {
        let counting = tokio::task::spawn_blocking(move || {
            recount.add(piece);
            recount
        });
        recount = counting.await.map_err(Error::broken)?;
    }
    if !recount.is_shown(revision) {
        problems.push(format!(
            "the tallies on screen (revision {shown_revision}) are not those of the rows (revision {revision})",
        ));
    }
    drop(snapshot);
    let heads = ExportedHeads::default();
    let trail = trail(&services.store, Some(project), &services.key, &heads).await?.problems;
    problems.extend(trail.into_iter().map(|problem| format!("the audit trail: {problem}")));
    let (documents, pairs) = (recount.documents(), recount.pair_count());
    Ok(Verification { project, revision, documents, pairs, problems })
}

/// Checks every project of a database: the rows are in order, and tallies moved change by change
/// come out equal to tallies counted at once.
pub async fn all(store: &Store) -> Result<Vec<Verification>> {
    let mut reports = Vec::new();
    for project in store::project::list_ids(store).await? {
        let snapshot = store.begin_read().await?;
        let mut problems = store::outside::integrity::problems(&snapshot, project).await?;
        problems.append(&mut gold::problems(&snapshot, project).await?);
        let Some((revision, rows)) =
            store::agreement::ratings::load_project(&snapshot, project).await?
        else {
            continue;
        };
        drop(snapshot);
        let report = tokio::task::spawn_blocking(move || {
            let documents = rows.len();
            let moved = move_by_move(revision, &rows);
            let counted = Tallies::rebuild(revision, rows);
            match moved {
                Some(moved) if moved == counted => {}
                _ => problems.push(
                    "tallies moved change by change differ from tallies counted at once".to_owned(),
                ),
            }
            Verification { project, revision, documents, pairs: counted.pair_count(), problems }
        })
        .await
        .map_err(Error::broken)?;
        reports.push(report);
    }
    Ok(reports)
}

/// Checks every audit trail of a database against its signatures and what was exported of its ends:
/// those of projects, also of projects that are gone, and the server's.
pub async fn trails(
    store: &Store,
    key: &ServerKey,
    heads: &ExportedHeads,
) -> Result<Vec<AuditVerification>> {
    let mut known: BTreeSet<_> = store::outside::audit::chains(store).await?.into_iter().collect();
    known.extend(heads.chains());
    let mut reports = Vec::with_capacity(known.len());
    for project in known {
        reports.push(trail(store, project, key, heads).await?);
    }
    Ok(reports)
}

async fn trail(
    store: &Store,
    project: Option<ProjectId>,
    key: &ServerKey,
    heads: &ExportedHeads,
) -> Result<AuditVerification> {
    let snapshot = store.begin_read().await?;
    let (signer, heads) = (audit::signer(key), heads.of(project));
    let checked = store::outside::audit::check(&snapshot, project, &signer, &heads).await?;
    let store::outside::audit::Checked { rows, erased, amended, since, problems } = checked;
    Ok(AuditVerification { trail: project, rows, erased, amended, since, problems })
}

/// The tallies as saves would have made them: every rater's work arrives half first, then whole.
fn move_by_move(revision: Revision, rows: &[DocumentRatings]) -> Option<Tallies> {
    let untouched = rows.iter().map(|row| DocumentRatings {
        document: row.document,
        round: row.round,
        characters: row.characters,
        assignments: Vec::new(),
        reviews: Vec::new(),
    });
    let mut tallies = Tallies::rebuild(revision, untouched.collect());
    let works: Vec<_> = rows.iter().cloned().map(document_work).collect();
    for (document, work) in &works {
        for (rater, whole) in work.iter().rev() {
            let mut half = whole.clone();
            half.state = domain::WorkState::Saved;
            half.judgements = half.judgements.into_iter().step_by(2).collect();
            half.verdicts = half.verdicts.into_iter().step_by(2).collect();
            tallies.replace(*document, *rater, half).ok()?;
        }
    }
    for (document, work) in works {
        for (rater, whole) in work {
            tallies.replace(document, rater, whole).ok()?;
        }
    }
    Some(tallies)
}
