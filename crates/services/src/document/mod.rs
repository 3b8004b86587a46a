//! A project's documents: list, progress, delete, and who gets an assignment.

pub mod comparison;
pub mod export;
pub mod import;
pub(crate) mod reading;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{
    Actor, AssignTo, AuditEvent, Code, DocumentCard, DocumentId, Error as Refusal, MemberId, Page,
    PersonProgress, ProjectId, base::policy::Action, count, saturating,
};
pub use formats::{Answer, Discontinuous, ImportFormat, ReadOptions, SecondAnnotation};
pub use reading::{FileOptions, parse_counted};
use serde_json::json;
pub use store::document::Document;
use store::{Db, Tx};

use crate::{
    Error, Result, Services,
    base::{access::permit, change::ProjectChange},
    workload::evenly,
};

/// Rows on a page of the list.
const PAGE_SIZE: u64 = 50;

/// A page of the documents, in the order of their import, with everybody's progress.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    page: u64,
) -> Result<Page<DocumentCard>> {
    permit(&services.store, actor, project, Action::ManageDocuments).await?;
    Ok(store::document::list(&services.store, project, page, PAGE_SIZE).await?)
}

/// The documents after this one in the order of their import, with everybody's progress; at most so
/// many.
pub async fn list_after(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    after: DocumentId,
    limit: u64,
) -> Result<Vec<DocumentCard>> {
    permit(&services.store, actor, project, Action::ManageDocuments).await?;
    Ok(store::document::list_after(&services.store, project, after, limit).await?)
}

/// A document with its text, for those who see everybody's work on it.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    document: DocumentId,
) -> Result<Document> {
    actor.person()?;
    let found = store::document::find(&services.store, document).await?.ok_or(Refusal::NotFound)?;
    permit(&services.store, actor, found.project, Action::ViewAgreement).await?;
    Ok(found)
}

/// How far everybody has come.
pub async fn progress(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<PersonProgress>> {
    permit(&services.store, actor, project, Action::ManageDocuments).await?;
    Ok(store::workload::progress(&services.store, project).await?)
}

/// Deletes a document with everything that was marked in it.
pub async fn delete(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    document: DocumentId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let change = ProjectChange::begin(services, access, project).await?.counted().await?;
    let lost = store::document::deletion::find_lost(&change.tx, project, document).await?;
    let lost = lost.ok_or(Refusal::NotFound)?;
    match store::document::delete(&change.tx, project, document).await {
        Err(store::Error::InUse) => {
            let why = "this document is part of a locked gold standard, which never changes";
            return Err(Code::InUse.because(why).into());
        }
        deleted => {
            if !deleted? {
                return Err(Refusal::NotFound.into());
            }
        }
    }
    change.end(AuditEvent::DeleteDocument, format!("document {document}"), json!(lost)).await
}

/// New documents, and who has each already.
pub(crate) type Has = BTreeMap<DocumentId, Vec<MemberId>>;

/// Gives labelers, who have so many assignments and get more by that, assignments of new documents, beside
/// those who have them already, and says how many. Where there are not as many labelers any more as are to
/// have a document, all get it.
pub(crate) async fn assign(
    tx: &Tx,
    loads: &mut [(MemberId, u64)],
    documents: Has,
    to: AssignTo,
) -> Result<usize> {
    let overlap = match to {
        AssignTo::Nobody => 0,
        AssignTo::Everyone => loads.len(),
        AssignTo::Some(overlap) => saturating(overlap),
    };
    let can_get: BTreeSet<MemberId> = loads.iter().map(|(member, _)| *member).collect();
    let needs = |(document, has): (DocumentId, Vec<MemberId>)| {
        // Everyone is everyone who can get one; others may have it beside them.
        let others = has.iter().filter(|member| !can_get.contains(member)).count();
        let overlap = if to == AssignTo::Everyone { overlap + others } else { overlap };
        evenly::Needs { document, has, overlap }
    };
    let needs: Vec<_> = documents.into_iter().map(needs).collect();
    let before = loads.to_vec();
    let plan = move || evenly::plan(&before, &needs);
    let plan = tokio::task::spawn_blocking(plan).await.map_err(Error::broken)?;
    store::work::assignments::insert_many(tx, &plan).await?;
    for (member, load) in loads {
        let given = plan.iter().filter(|(_, to)| to == member);
        *load += saturating::<u64>(given.count());
    }
    Ok(plan.len())
}

/// How many labelers new documents are given to; refuses more than there are.
pub(crate) async fn check_assign(db: &impl Db, project: ProjectId, to: AssignTo) -> Result<usize> {
    let labelers = || store::work::assignments::loads(db, project);
    match to {
        AssignTo::Nobody => Ok(0),
        AssignTo::Everyone => Ok(labelers().await?.len()),
        AssignTo::Some(overlap) => Ok(check_overlap(overlap, labelers().await?.len())?),
    }
}

/// Refuses more assignments of a document than there are labelers: they would never be worked on.
fn check_overlap(overlap: u32, labelers: usize) -> Result<usize, Refusal> {
    let overlap = saturating::<usize>(overlap);
    if overlap == 0 {
        return Err(Code::OutOfRange.of("assign", "at least one labeler per document"));
    }
    if overlap > labelers {
        let labeler_count = count(labelers, "labeler");
        let why = format!(
            "this project has {labeler_count}; invite more, or use fewer labelers per document"
        );
        return Err(Code::OutOfRange.of("assign", why));
    }
    Ok(overlap)
}
