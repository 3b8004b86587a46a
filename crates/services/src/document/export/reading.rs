//! Reads what is exported from one snapshot of the database, a stretch of documents at a time.

use std::collections::{HashMap, VecDeque};

use domain::{
    DocumentId, DocumentRatings, Documents, ExportFormat, ExportQuery, Fact, MemberId, ProjectId,
    Span, WorkState,
};
use formats::{
    AnnotatedAnswer, AnnotatedDocument, AnnotatedSpan, AnnotatedWork, GoldDocument, GoldSpan, Loss,
    LossReason,
};
use live::{Work, document_work};
use store::{Snapshot, document::exports::Head};

use super::source::{ExportPart, RaterName, Source};
use crate::{
    Result,
    review::{
        gold::{Answered, Words, answer_of, gold_id, gold_positions, written},
        quorum::Quorums,
    },
};

/// How many documents are looked for at a time, and how many characters of text are in memory at
/// most, if no single document has more.
const HEADS: u32 = 200;
const CHARACTERS: u64 = 2_000_000;

/// A document to write, with what is not handed to its writer.
pub(super) struct Piece {
    pub(super) content: Content,
    pub(super) losses: Vec<Loss>,
}

/// A document as the file has it.
pub(super) enum Content {
    Annotated(AnnotatedDocument),
    /// With where each span comes from, byte for byte as a locked version is hashed.
    Gold(GoldDocument),
}

/// Reads the documents of one part, in the order of their import.
pub(super) struct Reader<'a> {
    db: &'a Snapshot,
    project: ProjectId,
    part: &'a ExportPart,
    query: ExportQuery,
    words: Words,
    last: Option<DocumentId>,
    waiting: VecDeque<Head>,
}

impl<'a> Reader<'a> {
    pub(super) async fn new(
        db: &'a Snapshot,
        project: ProjectId,
        part: &'a ExportPart,
        query: ExportQuery,
    ) -> Result<Self> {
        let words = Words::load(db, project).await?;
        let waiting = VecDeque::new();
        Ok(Self { db, project, part, query, words, last: None, waiting })
    }

    /// The next documents, which may be none where nobody worked on these; none at all at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<Piece>>> {
        if self.waiting.is_empty() {
            let heads =
                store::document::exports::heads(self.db, self.project, self.last, HEADS).await?;
            self.last = heads.last().map(|head| head.id).or(self.last);
            self.waiting = heads.into();
        }
        let mut stretch = Vec::new();
        let mut characters = 0;
        while let Some(head) = self.waiting.pop_front() {
            characters += head.characters;
            if characters > CHARACTERS && !stretch.is_empty() {
                self.waiting.push_front(head);
                break;
            }
            stretch.push(head);
        }
        if stretch.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.pieces(&stretch).await?))
    }

    async fn pieces(&self, heads: &[Head]) -> Result<Vec<Piece>> {
        let ids: Vec<_> = heads.iter().map(|head| head.id).collect();
        match &self.part.source {
            Source::Own(rater) => self.own(heads, &ids, rater).await,
            Source::Rater(rater) => self.of_raters(heads, &ids, std::slice::from_ref(rater)).await,
            Source::Labelers(raters) => self.of_raters(heads, &ids, raters).await,
            Source::Gold => {
                let ratings = store::agreement::ratings::load_documents(self.db, &ids).await?;
                let quorums = Quorums::load_documents(self.db, self.project, &ids).await?;
                let mut by_document: HashMap<_, _> = ratings
                    .into_iter()
                    .map(|ratings| {
                        let answered = Answered::of(&ratings);
                        let (id, work) = document_work(ratings);
                        let quorum = quorums.of(id);
                        let positions = gold_positions(&work, &self.words.labels, quorum);
                        let answers = self.words.answers(&answered.gold(&work, quorum));
                        (id, (written(&positions), answers))
                    })
                    .collect();
                self.gold(heads, &ids, true, |head| {
                    let (spans, answers) = by_document.remove(&head.id).unwrap_or_default();
                    Some((head.name.clone(), spans, answers))
                })
                .await
            }
            Source::GoldVersion(number) => {
                let db = self.db;
                let locked =
                    store::review::gold_versions::documents_among(db, self.project, *number, &ids)
                        .await?;
                let mut locked: HashMap<_, _> =
                    locked.into_iter().map(|locked| (locked.document, locked)).collect();
                let has_own_ids =
                    store::review::gold_versions::has_own_ids(db, self.project, *number).await?;
                self.gold(heads, &ids, has_own_ids.unwrap_or_default(), |head| {
                    let locked = locked.remove(&head.id)?;
                    let answers = locked.answers.into_iter().map(answer_of).collect();
                    Some((locked.name, written(&locked.positions), answers))
                })
                .await
            }
        }
    }

    /// Gold documents, as `held` has their names, spans and answers; with their own ids, or those of the database.
    async fn gold(
        &self,
        heads: &[Head],
        ids: &[DocumentId],
        has_own_ids: bool,
        mut held: impl FnMut(&Head) -> Option<(String, Vec<GoldSpan>, Vec<AnnotatedAnswer>)>,
    ) -> Result<Vec<Piece>> {
        let mut texts = store::document::texts(self.db, ids).await?;
        let piece = |head: &Head| {
            let (name, spans, answers) = held(head)?;
            let (_, text) = texts.remove(&head.id)?;
            let content = if self.query.format == ExportFormat::JsonLines {
                let id = gold_id(has_own_ids, head.id, head.external_id.clone());
                Content::Gold(GoldDocument { id, name, text, spans, answers })
            } else {
                Content::Annotated(AnnotatedDocument {
                    id: head.external_id.clone(),
                    name,
                    text,
                    spans: spans.iter().map(AnnotatedSpan::from).collect(),
                    answers,
                    work: Vec::new(),
                })
            };
            Some(Piece { content, losses: Vec::new() })
        };
        Ok(heads.iter().filter_map(piece).collect())
    }

    /// A labeler's assignments as they have them before them.
    async fn own(
        &self,
        heads: &[Head],
        ids: &[DocumentId],
        rater: &RaterName,
    ) -> Result<Vec<Piece>> {
        let mut assignments =
            store::document::exports::own_assignments(self.db, rater.id, ids).await?;
        assignments.retain(|_, assignment| self.counts(assignment.state));
        let work = |head: &Head| {
            let assignment = assignments.remove(&head.id)?;
            let spans = assignment.spans.iter().filter_map(|span| self.words.span(*span));
            let work = AnnotatedWork {
                rater: rater.name.clone(),
                spans: spans.collect(),
                answers: self.words.answers(&assignment.choices),
            };
            Some(vec![Judged { work, rejected: 0 }])
        };
        self.judged(heads, work).await
    }

    /// What these raters have.
    async fn of_raters(
        &self,
        heads: &[Head],
        ids: &[DocumentId],
        raters: &[RaterName],
    ) -> Result<Vec<Piece>> {
        let ratings = store::agreement::ratings::load_documents(self.db, ids).await?;
        let with_answers = ratings.into_iter().map(|ratings| {
            let answers = answers_of(&ratings, raters);
            let (id, work) = document_work(ratings);
            (id, (work, answers))
        });
        let mut works: HashMap<_, _> = with_answers.collect();
        let work = |head: &Head| {
            let (mut work, mut answers) = works.remove(&head.id)?;
            let judged = |rater: &RaterName| {
                let work = work.remove(&rater.id).filter(|work| self.counts(work.state))?;
                let answers = answers.remove(&rater.id).unwrap_or_default();
                Some(self.judged_by(rater, &work, &answers))
            };
            let judged: Vec<_> = raters.iter().filter_map(judged).collect();
            (!judged.is_empty()).then_some(judged)
        };
        self.judged(heads, work).await
    }

    fn judged_by(&self, rater: &RaterName, work: &Work, answers: &[Fact]) -> Judged {
        let spans = work.judgements.iter().flat_map(|(range, set)| {
            set.iter().filter_map(|label| self.words.span(Span { range: *range, label }))
        });
        let rejected = work.judgements.values().filter(|set| set.is_empty()).count();
        let (rater, spans) = (rater.name.clone(), spans.collect());
        let answers = self.words.answers(answers);
        Judged { work: AnnotatedWork { rater, spans, answers }, rejected }
    }

    /// Documents with the work of those who have judged them.
    async fn judged(
        &self,
        heads: &[Head],
        mut work: impl FnMut(&Head) -> Option<Vec<Judged>>,
    ) -> Result<Vec<Piece>> {
        let found: Vec<_> = heads.iter().filter_map(|head| Some((head, work(head)?))).collect();
        let ids: Vec<_> = found.iter().map(|(head, _)| head.id).collect();
        let mut texts = store::document::texts(self.db, &ids).await?;
        let piece = |(head, judged): (&Head, Vec<Judged>)| {
            let (name, text) = texts.remove(&head.id)?;
            let losses = judged.iter().filter_map(|judged| judged.loss(&name)).collect();
            let work = judged.into_iter().map(|judged| judged.work).collect();
            let (id, spans, answers) = (head.external_id.clone(), Vec::new(), Vec::new());
            let mut document = AnnotatedDocument { id, name, text, spans, answers, work };
            if self.is_of_one_unnamed() {
                for work in document.work.drain(..) {
                    document.spans.extend(work.spans);
                    document.answers.extend(work.answers);
                }
            }
            Some(Piece { content: Content::Annotated(document), losses })
        };
        Ok(found.into_iter().filter_map(piece).collect())
    }

    /// Whether the file is one rater's and names nobody.
    fn is_of_one_unnamed(&self) -> bool {
        let format = self.query.format;
        !format.names_raters()
            && !format.is_one_document()
            && !matches!(self.part.source, Source::Labelers(_))
    }

    fn counts(&self, state: WorkState) -> bool {
        self.query.documents == Documents::Saved || state == WorkState::Submitted
    }
}

/// What these raters have answered in a document.
fn answers_of(ratings: &DocumentRatings, raters: &[RaterName]) -> HashMap<MemberId, Vec<Fact>> {
    let of_labelers = ratings.assignments.iter().map(|it| (it.member, it.choices.clone()));
    let of_reviewers = ratings.reviews.iter().map(|review| {
        let of_document = review.answers.iter().map(|it| it.answer);
        let of_spans =
            review.decisions.iter().flat_map(|decision| decision.answers.iter().copied());
        (review.member, of_document.chain(of_spans).collect())
    });
    let all = of_labelers.chain(of_reviewers);
    all.filter(|(member, _)| raters.iter().any(|rater| rater.id == *member)).collect()
}

/// What one rater has in one document.
struct Judged {
    work: AnnotatedWork,
    /// How many positions a reviewer rejected.
    rejected: usize,
}

impl Judged {
    /// What is neither spans nor answers, and so in no file.
    fn loss(&self, document: &str) -> Option<Loss> {
        let positions = self.rejected;
        (positions > 0).then(|| Loss {
            document: document.to_owned(),
            rater: Some(self.work.rater.clone()),
            span: None,
            reason: LossReason::RejectionsLeftOut { positions },
        })
    }
}
