//! What was counted of each document by itself, kept for as long as the work on it stays the same: after a
//! save, what it has moved is counted again, and nothing else.

use std::{
    panic::resume_unwind,
    sync::{Arc, Mutex, PoisonError, Weak},
    thread,
};

use domain::DocumentId;
use live::{DocumentWork, Recent, Tallies};

/// As many questions are remembered, whatever projects they are of.
const KEPT: usize = 6;

/// Fewer documents are counted before a thread has started.
const WORTH_A_THREAD: usize = 64;

/// Parts by the question that they answer, which says of which project, too. The work that a part is of is
/// held by a weak reference: it is never changed in place then, and known again by its address.
pub(crate) struct ByDocument<T, Q>(Recent<Q, Arc<Mutex<Parts<T>>>>);

/// The document, its work when it was counted, and what came of that; in the order of documents.
type Parts<T> = Vec<(DocumentId, Weak<DocumentWork>, Arc<T>)>;

impl<T, Q> Default for ByDocument<T, Q> {
    fn default() -> Self {
        Self::of(KEPT)
    }
}

impl<T, Q> ByDocument<T, Q> {
    /// Nothing yet, and never of more than so many questions.
    pub(crate) fn of(most: usize) -> Self {
        Self(Recent::of(most))
    }
}

impl<T: Send + Sync, Q: Clone + PartialEq> ByDocument<T, Q> {
    /// What comes of every document that somebody has worked on, in order. What is kept is taken where it
    /// `holds`, beside the work being the same. For threads that may block.
    pub(crate) fn each(
        &self,
        tallies: &Tallies,
        question: &Q,
        holds: impl Fn(DocumentId, &T) -> bool,
        count: impl Fn(DocumentId, &DocumentWork) -> T + Sync,
    ) -> Vec<(DocumentId, Arc<T>)> {
        let place = self.0.find_or_keep(
            |_| false,
            |asked| asked == question,
            || (question.clone(), Arc::default()),
        );
        // Who asks the same at the same time waits, and counts nothing.
        let mut kept = place.lock().unwrap_or_else(PoisonError::into_inner);
        let mut former = std::mem::take(&mut *kept).into_iter().peekable();
        let mut parts = Vec::with_capacity(former.len());
        let mut missing = Vec::new();
        for (document, work) in tallies.shared_documents() {
            while former.next_if(|(former, ..)| *former < document).is_some() {}
            let same = former.next_if(|(former, of, part)| {
                *former == document
                    && std::ptr::eq(of.as_ptr(), Arc::as_ptr(work))
                    && holds(document, part)
            });
            let part = same.map(|(.., part)| part);
            if part.is_none() {
                missing.push((parts.len(), document, &**work));
            }
            parts.push((document, Arc::downgrade(work), part));
        }
        for (place, part) in count_all(&missing, &count) {
            if let Some((.., missing)) = parts.get_mut(place) {
                *missing = Some(Arc::new(part));
            }
        }
        let parts =
            parts.into_iter().filter_map(|(document, of, part)| Some((document, of, part?)));
        *kept = parts.collect();
        kept.iter().map(|(document, _, part)| (*document, Arc::clone(part))).collect()
    }
}

/// Counts documents on all cores.
fn count_all<T: Send>(
    documents: &[(usize, DocumentId, &DocumentWork)],
    count: &(impl Fn(DocumentId, &DocumentWork) -> T + Sync),
) -> Vec<(usize, T)> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = documents.len().div_ceil(threads).max(WORTH_A_THREAD);
    let count_part = |part: &[(usize, DocumentId, &DocumentWork)]| {
        let counted = part.iter().map(|(place, document, work)| (*place, count(*document, work)));
        counted.collect::<Vec<_>>()
    };
    let mut parts = documents.chunks(share);
    let first = parts.next().unwrap_or_default();
    thread::scope(|scope| {
        let others: Vec<_> = parts.map(|part| scope.spawn(|| count_part(part))).collect();
        let mut counted = count_part(first);
        for other in others {
            match other.join() {
                Ok(other) => counted.extend(other),
                Err(panic) => resume_unwind(panic),
            }
        }
        counted
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use chrono::{DateTime, Utc};
    use domain::{LabelId, MemberId, Revision, RoundId, Span, WorkState};
    use live::Work;
    use store::agreement::ratings::DocumentRatings;

    use super::*;

    fn work(spans: u32) -> Work {
        let spans = (0..spans).map(|at| Span::new(at, at + 1, LabelId(1)));
        Work::of_labeler(WorkState::Saved, DateTime::<Utc>::UNIX_EPOCH, spans)
    }

    fn spans(work: &DocumentWork) -> usize {
        work.values().map(|work| work.judgements.len()).sum()
    }

    #[test]
    fn only_what_was_moved_is_counted_again_and_what_comes_is_as_if_all_were() {
        let rows = (1..=300).map(|document| DocumentRatings {
            document: DocumentId(document),
            round: RoundId(1),
            characters: 1_000,
            assignments: Vec::new(),
            reviews: Vec::new(),
        });
        let mut tallies = Tallies::rebuild(Revision(1), rows.collect());
        let (parts, counted) = (ByDocument::default(), AtomicU64::new(0));
        let ask = |tallies: &Tallies, least: usize| {
            let before = counted.load(Ordering::Relaxed);
            let found = parts.each(
                tallies,
                &(),
                |_, part| *part >= least,
                |_, work| {
                    counted.fetch_add(1, Ordering::Relaxed);
                    spans(work)
                },
            );
            let now: Vec<_> = found.iter().map(|(document, part)| (*document, **part)).collect();
            let all: Vec<_> = tallies.documents().map(|(id, work)| (id, spans(work))).collect();
            assert_eq!(now, all);
            counted.load(Ordering::Relaxed) - before
        };
        for document in 1..=300 {
            let size = if document < 200 { 1 } else { 2 };
            tallies.replace(DocumentId(document), MemberId(1), work(size)).unwrap();
        }
        assert_eq!((ask(&tallies, 0), ask(&tallies, 0)), (300, 0));
        tallies.replace(DocumentId(7), MemberId(1), work(9)).unwrap();
        tallies.replace(DocumentId(7), MemberId(2), work(3)).unwrap();
        let former = tallies.clone();
        tallies.replace(DocumentId(301), MemberId(2), work(3)).unwrap();
        assert_eq!((ask(&tallies, 0), ask(&tallies, 0)), (2, 0));
        // Of a state that somebody still holds, what is there no more is left out.
        assert_eq!((ask(&former, 0), ask(&tallies, 0)), (0, 1));
        // What does not hold for another reason is counted, too.
        assert_eq!(ask(&tallies, 2), 198);
    }
}
