//! Tallies of a part of a project: of one label against everything else, of one document, of one
//! round. They are counted from the whole when somebody asks, and then moved by saves like it.

use std::sync::{Arc, MutexGuard, PoisonError};

use domain::{DocumentId, Filter, ProjectId};

use crate::{Change, Reader, Tallies, Work, project::LiveProject};

/// How many parts of a project are kept; the one that was asked for longest ago goes first.
const KEPT: usize = 8;

/// The parts of a project that somebody has asked for, the latest last.
#[derive(Default)]
pub(crate) struct Narrowed(Vec<(Filter, Arc<Tallies>)>);

impl Narrowed {
    /// The part as it was counted last.
    fn find(&mut self, filter: Filter) -> Option<Arc<Tallies>> {
        let place = self.0.iter().position(|(kept, _)| *kept == filter)?;
        let found = self.0.remove(place);
        let tallies = Arc::clone(&found.1);
        self.0.push(found);
        Some(tallies)
    }

    fn keep(&mut self, filter: Filter, tallies: Arc<Tallies>) {
        self.0.retain(|(kept, _)| *kept != filter);
        if self.0.len() == KEPT {
            self.0.remove(0);
        }
        self.0.push((filter, tallies));
    }

    /// Moves every part by a change; those that it does not fit are counted anew when they are
    /// asked for.
    pub(crate) fn advance(&mut self, change: &Change) {
        self.0.retain_mut(|(filter, tallies)| tallies_advance(tallies, change, *filter).is_some());
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

fn tallies_advance(tallies: &mut Arc<Tallies>, change: &Change, filter: Filter) -> Option<()> {
    if change.revision != tallies.revision.next() {
        return None;
    }
    let tallies = Arc::make_mut(tallies);
    tallies.revision = change.revision;
    for (document, work) in &change.works {
        if filter.has_document(*document, tallies.round(*document)) {
            tallies.replace(*document, change.rater, narrowed_work(work, filter)).ok()?;
        }
    }
    Some(())
}

/// What a filter leaves of one rater's work.
pub(crate) fn narrowed_work(work: &Work, filter: Filter) -> Work {
    let mut work = work.clone();
    if filter.label.is_some() {
        for labels in work.judgements.values_mut() {
            *labels = filter.judgement(labels);
        }
    }
    work
}

impl Tallies {
    /// The tallies of a part of what these are of.
    pub(crate) fn narrowed(&self, filter: Filter) -> Self {
        let documents = self.documents().filter(|(document, _)| self.is_in(*document, filter));
        let works = documents.map(|(document, work)| {
            let work = work.iter().map(|(rater, work)| (*rater, narrowed_work(work, filter)));
            (document, work.collect())
        });
        self.of_documents(works)
    }

    fn is_in(&self, document: DocumentId, filter: Filter) -> bool {
        filter.has_document(document, self.round(document))
    }
}

impl LiveProject {
    fn narrowed(&self) -> MutexGuard<'_, Narrowed> {
        self.narrowed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves what is kept of parts.
    pub(crate) fn advance_narrowed(&self, change: &Change) {
        self.narrowed().advance(change);
    }

    /// Drops what is kept of parts.
    pub(crate) fn clear_narrowed(&self) {
        self.narrowed().clear();
    }

    /// The tallies of a part of the whole, counted here if they are not kept. Takes as long as
    /// counting the whole, at most: for threads that may block.
    pub(crate) fn narrow(&self, whole: &Arc<Tallies>, filter: Filter) -> Arc<Tallies> {
        if !filter.is_some() {
            return Arc::clone(whole);
        }
        let kept = self.narrowed().find(filter);
        if let Some(tallies) = kept.filter(|tallies| tallies.revision == whole.revision) {
            return tallies;
        }
        let tallies = Arc::new(whole.narrowed(filter));
        self.narrowed().keep(filter, Arc::clone(&tallies));
        tallies
    }

    /// The tallies of a part of the project as of now.
    pub(crate) async fn read_part<R: Reader>(
        self: &Arc<Self>,
        reader: &R,
        project: ProjectId,
        filter: Filter,
    ) -> Result<Arc<Tallies>, R::Error> {
        let whole = self.read(reader, project).await?;
        if !filter.is_some() {
            return Ok(whole);
        }
        let live = Arc::clone(self);
        Ok(tokio::task::spawn_blocking(move || live.narrow(&whole, filter)).await?)
    }
}
