//! Tallies of a part of a project: of one question, of one label against everything else, of one document, of one round, and
//! of the same judgements by tokens or as spans that overlap. They are counted from the whole when somebody
//! asks; those of exact positions are then moved by saves like it.

use std::sync::{Arc, PoisonError, Weak};

use domain::{DocumentId, PositionKind, ProjectId};
use tokio::sync::Mutex as AsyncMutex;

use crate::{
    Change, Narrowing, Reader, Tallies, Tokens,
    project::LiveProject,
    protocol::{self, Place},
};

/// How many documents' texts are read at once, and how many characters they have together, but for one
/// that is longer.
const TEXTS: usize = 128;
const CHARACTERS: u64 = 1 << 22;

impl Tallies {
    /// Moves the tallies of a part that saves move; false if they have missed a change before, or do not
    /// fit, and are to be counted anew.
    pub(crate) fn advance(&mut self, change: &Change, part: Narrowing) -> bool {
        match protocol::place(self.revision, change.since, change.revision) {
            Place::Known => return true,
            Place::Gap => return false,
            Place::Next => self.revision = change.revision,
        }
        self.add_documents(&change.documents);
        change.works.iter().all(|(document, rater, work)| {
            !self.is_in(*document, part)
                || part
                    .work(work, None)
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
            let missing = self.in_pieces(missing);
            if missing.is_empty() {
                return Ok(known);
            }
            drop(known);
            for documents in missing {
                let read = reader.tokens(&documents).await?;
                // A document that has gone meanwhile has none.
                let none = documents.iter().map(|id| (*id, Arc::default()));
                let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
                Arc::make_mut(&mut tokens).extend(none.chain(read));
            }
        }
    }

    /// Documents whose texts are read at once.
    fn in_pieces(&self, documents: impl Iterator<Item = DocumentId>) -> Vec<Vec<DocumentId>> {
        let whole = self.ready();
        let length = |document| whole.as_ref().map_or(0, |whole| whole.characters(document));
        let (mut pieces, mut characters) = (Vec::<Vec<_>>::new(), 0);
        for document in documents {
            let more = u64::from(length(document));
            match pieces.last_mut() {
                Some(piece) if piece.len() < TEXTS && characters + more <= CHARACTERS => {
                    piece.push(document);
                    characters += more;
                }
                _ => {
                    pieces.push(vec![document]);
                    characters = more;
                }
            }
        }
        pieces
    }

    /// The turn to count a part: whoever has it may find that it has been counted meanwhile.
    pub(crate) fn turn(&self, part: Narrowing) -> Arc<AsyncMutex<()>> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = turns.get(&part).and_then(Weak::upgrade) {
            return turn;
        }
        turns.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::default();
        turns.insert(part, Arc::downgrade(&turn));
        turn
    }

    /// The tallies of a part of the whole, counted here if they are not kept; none if they are by token and it
    /// is not known where those are. For those who have their turn, on threads that may block: it takes
    /// as long as counting the whole, or many times as long where spans are paired.
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

    /// Lets go of parts that saves do not move. Freeing them takes its time, too: not on this thread.
    pub(crate) fn let_go_of_unmoved(&self) {
        let mut unmoved = Vec::new();
        self.narrowed.retain(|of, part| {
            let is_moved = of.is_moved();
            unmoved.extend((!is_moved).then(|| Arc::clone(part)));
            is_moved
        });
        if !unmoved.is_empty() {
            drop(tokio::task::spawn_blocking(move || drop(unmoved)));
        }
    }

    /// The tallies of a part of the project as of now.
    pub(crate) async fn read_part<R: Reader>(
        self: &Arc<Self>,
        reader: &R,
        project: ProjectId,
        part: Narrowing,
    ) -> Result<Arc<Tallies>, R::Error> {
        if part == Narrowing::WHOLE {
            return self.read(reader, project).await;
        }
        loop {
            let turn = self.turn(part).lock_owned().await;
            // Read now: whoever had the turn before may have counted what was saved meanwhile.
            let whole = self.read(reader, project).await?;
            if part.positions == PositionKind::Tokens {
                let documents = whole.documents().map(|(document, _)| document);
                let documents = documents.filter(|document| whole.is_in(*document, part));
                self.learn_tokens(reader, &documents.collect::<Vec<_>>()).await?;
            }
            let live = Arc::clone(self);
            let count = move || {
                // Until it is counted, also if nobody waits for it any more.
                let _turn = turn;
                live.narrow(&whole, part)
            };
            // Where what was read has been let go of meanwhile, it is read again.
            if let Some(tallies) = tokio::task::spawn_blocking(count).await? {
                return Ok(tallies);
            }
        }
    }
}
