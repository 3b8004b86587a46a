//! What a labeler is offered in a document: what was imported with it, and what labelers agree on in
//! other documents.

mod dictionary;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{Error as Refusal, ProjectId, Span};
use store::work::assignments::Assignment;

use live::Recent;

use crate::{Error, Result, Services};
use dictionary::{LONGEST, Occurrence, agreed_outside, occurrences, offered};

/// How many projects' marks are kept.
const KEPT: usize = 8;

/// What is submitted in a project: as long as it is the same, so are the spans.
type Stamp = (i64, i64, Option<DateTime<Utc>>);

/// What was read of projects, for as long as it holds. A save that is not a submit or a reopening
/// changes nothing of it.
pub(crate) struct Known(Recent<(ProjectId, Stamp), Arc<[Occurrence]>>);

impl Default for Known {
    fn default() -> Self {
        Self(Recent::of(KEPT))
    }
}

/// What is offered in an assignment.
#[derive(Default)]
pub(crate) struct Offered {
    pub(crate) imported: Vec<Span>,
    pub(crate) agreed: Vec<Span>,
}

/// What is offered in an assignment with this text. An assignment that is submitted is offered nothing new.
pub(crate) async fn load(
    services: &Arc<Services>,
    assignment: &Assignment,
    text: &str,
) -> Result<Offered> {
    let store = &services.store;
    let settings = store::work::suggestions::settings(store, assignment.project)
        .await?
        .ok_or(Refusal::NotFound)?;
    let is_shared = store::work::suggestions::is_shared(store, assignment.document).await?;
    let mut found = Offered::default();
    if settings.offers_imported(is_shared) {
        found.imported = store::work::suggestions::list(store, assignment.document).await?;
    }
    let is_open = assignment.state != domain::WorkState::Submitted;
    if is_open && settings.offers_agreed(is_shared, assignment.repeat.is_some()) {
        let known = known_occurrences(services, assignment.project).await?;
        // Whoever takes a submission back, to mark something else, is told nothing of what comes of it.
        let mut left_out = store::work::suggestions::taken_back(store, assignment.member).await?;
        left_out.push(assignment.document);
        let text = text.to_owned();
        let find = move || offered(&text, &agreed_outside(&known, &left_out));
        found.agreed = tokio::task::spawn_blocking(find).await.map_err(Error::broken)?;
        found.agreed.retain(|span| !found.imported.contains(span));
    }
    Ok(found)
}

/// What labelers have submitted in a project, position by position.
async fn known_occurrences(services: &Services, project: ProjectId) -> Result<Arc<[Occurrence]>> {
    let snapshot = services.store.begin_read().await?;
    let stamp = store::work::suggestions::submitted_stamp(&snapshot, project).await?;
    if let Some(known) = services.dictionaries.0.find(|of| *of == (project, stamp)) {
        return Ok(known);
    }
    let spans = store::work::suggestions::submitted_spans(&snapshot, project, LONGEST).await?;
    drop(snapshot);
    let read = move || occurrences(spans);
    let found: Arc<[Occurrence]> =
        tokio::task::spawn_blocking(read).await.map_err(Error::broken)?.into();
    services.dictionaries.0.keep((project, stamp), Arc::clone(&found), |(of, _)| *of == project);
    Ok(found)
}
