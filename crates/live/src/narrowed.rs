//! Tallies of a part of a project: of one label against everything else, of one document, of one round, and
//! of the same judgements by tokens or as spans that overlap. They are counted from the whole when somebody
//! asks, and then moved by saves like it.

use std::sync::{Arc, PoisonError};

use domain::{DocumentId, PositionKind, ProjectId};

use crate::{
    Change, Narrowing, Reader, Tallies, Tokens,
    project::LiveProject,
    protocol::{self, Place},
};

/// How many documents' texts are read at once.
const TEXTS: usize = 128;

impl Tallies {
    /// Moves the tallies of a part by a change; false if they have missed one before it, do not fit, or
    /// it is not known where the tokens are, and they are to be counted anew.
    pub(crate) fn advance(
        &mut self,
        change: &Change,
        part: Narrowing,
        tokens: &Arc<Tokens>,
    ) -> bool {
        match protocol::place(self.revision, change.since, change.revision) {
            Place::Known => return true,
            Place::Gap => return false,
            Place::Next => self.revision = change.revision,
        }
        self.add_documents(&change.documents);
        self.learn(tokens);
        change.works.iter().all(|(document, rater, work)| {
            !self.is_in(*document, part)
                || part
                    .work(work, tokens.of(*document))
                    .is_some_and(|work| self.replace(*document, *rater, work).is_ok())
        })
    }

    /// The tallies of a part of what these are of, which are of the whole; none if they are by token and it is
    /// not known where those are.
    pub fn narrowed(&self, part: Narrowing, tokens: &Arc<Tokens>) -> Option<Self> {
        let documents = self.documents().filter(|(document, _)| self.is_in(*document, part));
        let works = documents.map(|(document, work)| {
            let tokens = tokens.of(document);
            let of_raters =
                work.iter().map(|(rater, work)| Some((*rater, part.work(work, tokens)?)));
            Some((document, of_raters.collect::<Option<_>>()?))
        });
        let works = works.collect::<Option<_>>()?;
        Some(self.of_documents(works, part.positions, Arc::clone(tokens)))
    }

    fn is_in(&self, document: DocumentId, part: Narrowing) -> bool {
        part.filter.has_document(document, self.round(document))
    }
}

impl LiveProject {
    /// Lets go of all parts, and of where tokens are.
    pub(crate) fn forget_parts(&self) {
        self.narrowed.retain(|_, _| false);
        *self.tokens.lock().unwrap_or_else(PoisonError::into_inner) = Arc::default();
    }

    /// Takes in where tokens are, as if it had been read.
    #[cfg(test)]
    pub(crate) fn know(&self, tokens: &Arc<Tokens>) {
        *self.tokens.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(tokens);
    }

    /// The tokens that are known.
    pub(crate) fn tokens(&self) -> Arc<Tokens> {
        Arc::clone(&self.tokens.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Where the tokens of documents are; of those of which it is not known, it is read.
    pub(crate) async fn learn_tokens<R: Reader>(
        &self,
        reader: &R,
        documents: &[DocumentId],
    ) -> Result<Arc<Tokens>, R::Error> {
        loop {
            let known = self.tokens();
            let missing = documents.iter().copied().filter(|id| known.of(*id).is_none());
            let missing: Vec<_> = missing.collect();
            if missing.is_empty() {
                return Ok(known);
            }
            for documents in missing.chunks(TEXTS) {
                let read = reader.tokens(documents).await?;
                // A document that has gone meanwhile has none.
                let none = documents.iter().map(|id| (*id, Arc::default()));
                let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
                Arc::make_mut(&mut tokens).extend(none.chain(read));
            }
        }
    }

    /// The tallies of a part of the whole, counted here if they are not kept; none if they are by token and it
    /// is not known where those are. Takes as long as counting the whole, or a few times as long where
    /// spans are paired: for threads that may block.
    pub(crate) fn narrow(&self, whole: &Arc<Tallies>, part: Narrowing) -> Option<Arc<Tallies>> {
        if part == Narrowing::WHOLE {
            return Some(Arc::clone(whole));
        }
        let kept = self.narrowed.find(|kept| *kept == part);
        if let Some(tallies) = kept.filter(|tallies| tallies.revision == whole.revision) {
            return Some(tallies);
        }
        let tallies = Arc::new(whole.narrowed(part, &self.tokens())?);
        self.narrowed.keep(part, Arc::clone(&tallies), |kept| *kept == part);
        Some(tallies)
    }

    /// The tallies of a part of the project as of now.
    pub(crate) async fn read_part<R: Reader>(
        self: &Arc<Self>,
        reader: &R,
        project: ProjectId,
        part: Narrowing,
    ) -> Result<Arc<Tallies>, R::Error> {
        loop {
            let whole = self.read(reader, project).await?;
            if part == Narrowing::WHOLE {
                return Ok(whole);
            }
            if part.positions == PositionKind::Tokens {
                let documents = whole.documents().map(|(document, _)| document);
                self.learn_tokens(reader, &documents.collect::<Vec<_>>()).await?;
            }
            let live = Arc::clone(self);
            let narrowed = tokio::task::spawn_blocking(move || live.narrow(&whole, part)).await?;
            // Where what was read has been let go of meanwhile, it is read again.
            if let Some(tallies) = narrowed {
                return Ok(tallies);
            }
        }
    }
}
