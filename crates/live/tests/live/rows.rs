//! The rows of a project in memory: what saves commit, and what the engine reads.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicUsize, Ordering},
    },
};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    DocumentId, DocumentRatings, LabelId, MemberId, ProjectId, Range, RatedAssignment, Revision,
    RoundId, Span, WorkState,
};
use live::{Change, DocumentTokens, Feed, Reader, Tallies, Work};
use tokio::{
    sync::{Semaphore, mpsc},
    task::JoinError,
};

pub(crate) const PROJECT: ProjectId = ProjectId(1);
pub(crate) const DOCUMENTS: i64 = 8;

/// The rows of a project, and of any other: all have the same.
#[derive(Clone)]
pub(crate) struct Rows(pub(crate) Arc<Kept>);

pub(crate) struct Kept {
    rows: Mutex<Ratings>,
    /// A permit for each reading that may end; who has read waits for one.
    pub(crate) may_end: Semaphore,
    /// A permit for each time that rows were read.
    pub(crate) was_read: Semaphore,
    /// How many documents' tokens were read.
    pub(crate) texts_read: AtomicUsize,
}

#[derive(Default)]
pub(crate) struct Ratings {
    pub(crate) revision: Revision,
    pub(crate) assignments: BTreeMap<DocumentId, BTreeMap<MemberId, Vec<Span>>>,
    pub(crate) last: Option<(MemberId, DateTime<Utc>)>,
    /// What each revision has moved; those of which that is not known any more are missing.
    pub(crate) feed: BTreeMap<Revision, (DocumentId, MemberId)>,
}

/// A thread has panicked: rows in memory cannot fail otherwise.
#[derive(Debug)]
pub(crate) struct Panicked(JoinError);

impl From<JoinError> for Panicked {
    fn from(error: JoinError) -> Self {
        Self(error)
    }
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Reader for Rows {
    type Error = Panicked;

    async fn ratings(
        &self,
        _: ProjectId,
        pieces: mpsc::Sender<Vec<DocumentRatings>>,
    ) -> Result<Revision, Panicked> {
        let (revision, ratings) = self.ratings();
        self.0.was_read.add_permits(1);
        self.0.may_end.acquire().await.unwrap().forget();
        for piece in ratings.chunks(2) {
            pieces.send(piece.to_vec()).await.unwrap();
        }
        Ok(revision)
    }

    async fn feed(&self, _: ProjectId, since: Revision) -> Result<Feed, Panicked> {
        let rows = self.rows();
        let Some(by) = rows.last.filter(|_| since < rows.revision) else {
            return Ok(Feed::UpToDate);
        };
        let moved: Vec<_> = rows.feed.range(since.next()..).map(|(_, moved)| *moved).collect();
        if i64::try_from(moved.len()).unwrap() != rows.revision.0 - since.0 {
            return Ok(Feed::Everything);
        }
        let works = moved.into_iter().map(|(document, rater)| {
            let spans = rows.assignments.get(&document).unwrap().get(&rater).unwrap();
            (document, rater, saved(spans.clone()))
        });
        let (works, revision) = (works.collect(), rows.revision);
        let (documents, by) = (Vec::new(), Some(by));
        Ok(Feed::Change(Change { since, revision, documents, works, by }))
    }

    async fn tokens(&self, documents: &[DocumentId]) -> Result<Vec<DocumentTokens>, Panicked> {
        self.0.texts_read.fetch_add(documents.len(), Ordering::Relaxed);
        let words: Arc<[Range]> =
            (0..20_u32).map(|word| Range::new(word * 4, word * 4 + 3)).collect();
        Ok(documents.iter().map(|document| (*document, Arc::clone(&words))).collect())
    }

    async fn last_move(&self, _: ProjectId) -> Result<Option<(MemberId, DateTime<Utc>)>, Panicked> {
        Ok(self.rows().last)
    }

    async fn revisions(&self, _: &[ProjectId]) -> Result<Vec<(ProjectId, Revision)>, Panicked> {
        Ok(vec![(PROJECT, self.rows().revision)])
    }
}

fn saved(spans: Vec<Span>) -> Work {
    Work::of_labeler(WorkState::Saved, DateTime::UNIX_EPOCH, spans)
}

fn at(minute: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::minutes(minute)
}

impl Rows {
    /// Rows that nobody has to wait for, with three labelers' assignments of every document.
    pub(crate) fn filled() -> Self {
        let rows = Self::held();
        for save in 0..3 * DOCUMENTS {
            rows.save(save / 3, save % 3, spans(save));
        }
        rows.0.may_end.add_permits(1_000);
        rows
    }

    /// No rows yet, and whoever has read them is held up.
    pub(crate) fn held() -> Self {
        let (may_end, was_read) = (Semaphore::new(0), Semaphore::new(0));
        let texts_read = AtomicUsize::default();
        Self(Arc::new(Kept { rows: Mutex::default(), may_end, was_read, texts_read }))
    }

    pub(crate) fn rows(&self) -> MutexGuard<'_, Ratings> {
        self.0.rows.lock().unwrap()
    }

    pub(crate) fn ratings(&self) -> (Revision, Vec<DocumentRatings>) {
        let rows = self.rows();
        let assignments = |document| rows.assignments.get(&document).into_iter().flatten();
        let ratings = (0..DOCUMENTS).map(DocumentId).map(|document| DocumentRatings {
            document,
            round: RoundId(1),
            characters: 100,
            assignments: assignments(document)
                .map(|(member, spans)| RatedAssignment {
                    member: *member,
                    state: WorkState::Saved,
                    saved_at: DateTime::UNIX_EPOCH,
                    spans: spans.clone(),
                    choices: Vec::new(),
                })
                .collect(),
            reviews: Vec::new(),
        });
        (rows.revision, ratings.collect())
    }

    pub(crate) fn times_read(&self) -> usize {
        self.0.was_read.available_permits()
    }

    /// Commits a save, and says what has changed.
    pub(crate) fn save(&self, document: i64, rater: i64, spans: Vec<Span>) -> Change {
        let (document, rater) = (DocumentId(document), MemberId(rater));
        let mut rows = self.rows();
        rows.revision = rows.revision.next();
        let at = at(rows.revision.0);
        rows.last = Some((rater, at));
        rows.assignments.entry(document).or_default().insert(rater, spans.clone());
        let (revision, work) = (rows.revision, saved(spans));
        rows.feed.insert(revision, (document, rater));
        Change::by_one(revision, (rater, at), [(document, work)])
    }

    /// What the rows say now, counted at once.
    pub(crate) fn counted(&self) -> Tallies {
        let (revision, ratings) = self.ratings();
        Tallies::rebuild(revision, ratings)
    }
}

/// Three labelers who mark the same words, and differ in labels more the later it gets.
pub(crate) fn spans(save: i64) -> Vec<Span> {
    (0u32..8)
        .map(|word| {
            let odd = (i64::from(word) * 5 + save * 3) % 7 == 0;
            Span::new(word * 4, word * 4 + 3, LabelId(1 + i64::from(odd)))
        })
        .collect()
}
