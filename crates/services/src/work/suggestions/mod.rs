//! What a labeler is offered in a document: what was imported with it, and what labelers agree on in
//! other documents.

mod dictionary;

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use domain::{Error as Refusal, ProjectId, Span};
use store::work::assignments::Assignment;

use crate::{Error, Result, Services};
use dictionary::{LONGEST, Occurrence, agreed_outside, occurrences, offered};

/// How many projects' marks are kept.
const KEPT: usize = 8;

/// What is submitted in a project: as long as it is the same, so are the marks.
type Stamp = (i64, i64, Option<DateTime<Utc>>);

type Entry = (ProjectId, Stamp, Arc<[Occurrence]>);

/// What was read of projects, for as long as it holds: the newest last. A save that is not a submit
/// or a reopening changes nothing of it.
#[derive(Default)]
pub(crate) struct Known(Mutex<Vec<Entry>>);

impl Known {
    fn find(&self, project: ProjectId, stamp: Stamp) -> Option<Arc<[Occurrence]>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|(of, at, _)| *of == project && *at == stamp);
        found.map(|(.., occurrences)| Arc::clone(occurrences))
    }

    fn keep(&self, project: ProjectId, stamp: Stamp, occurrences: &Arc<[Occurrence]>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(of, ..)| *of != project);
        if known.len() == KEPT {
            known.remove(0);
        }
        known.push((project, stamp, Arc::clone(occurrences)));
    }
}

/// What is offered in a copy.
#[derive(Default)]
pub(crate) struct Offered {
    pub(crate) imported: Vec<Span>,
    pub(crate) agreed: Vec<Span>,
}

/// What is offered in a copy with this text. A copy that is submitted is offered nothing new.
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
        let marks = marks(services, assignment.project).await?;
        // Whoever takes a submission back, to mark something else, is told nothing of what comes of it.
        let mut left_out = store::work::suggestions::taken_back(store, assignment.member).await?;
        left_out.push(assignment.document);
        let text = text.to_owned();
        let find = move || offered(&text, &agreed_outside(&marks, &left_out));
        found.agreed = tokio::task::spawn_blocking(find).await.map_err(Error::broken)?;
        found.agreed.retain(|span| !found.imported.contains(span));
    }
    Ok(found)
}

/// What labelers have submitted in a project, position by position.
async fn marks(services: &Services, project: ProjectId) -> Result<Arc<[Occurrence]>> {
    let snapshot = services.store.begin_read().await?;
    let stamp = store::work::suggestions::submitted_stamp(&snapshot, project).await?;
    if let Some(known) = services.dictionaries.find(project, stamp) {
        return Ok(known);
    }
    let marks = store::work::suggestions::submitted_marks(&snapshot, project, LONGEST).await?;
    drop(snapshot);
    let read = move || occurrences(marks);
    let found: Arc<[Occurrence]> =
        tokio::task::spawn_blocking(read).await.map_err(Error::broken)?.into();
    services.dictionaries.keep(project, stamp, &found);
    Ok(found)
}
