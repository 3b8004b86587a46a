//! Tallies of a part of a project: of one label against everything else, of one document, of one
//! round. They are counted from the whole when somebody asks, and then moved by saves like it.

use domain::{DocumentId, Filter};

use crate::{
    Change, Tallies, Work,
    protocol::{self, Place},
};

/// What a filter leaves of one rater's work.
pub(crate) fn narrowed_work(work: &Work, filter: Filter) -> Work {
    let mut work = work.clone();
    if filter.label.is_some() {
        for (_, labels) in &mut work.judgements {
            *labels = filter.judgement(labels);
        }
    }
    work
}

impl Tallies {
    /// Moves the tallies of what a filter leaves by a change; false if they have missed one before it
    /// or do not fit, and are to be counted anew.
    pub(crate) fn advance(&mut self, change: &Change, filter: Filter) -> bool {
        match protocol::place(self.revision, change.since, change.revision) {
            Place::Known => return true,
            Place::Gap => return false,
            Place::Next => self.revision = change.revision,
        }
        self.add_documents(&change.documents);
        change.works.iter().all(|(document, rater, work)| {
            !self.is_in(*document, filter)
                || self.replace(*document, *rater, narrowed_work(work, filter)).is_ok()
        })
    }

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
