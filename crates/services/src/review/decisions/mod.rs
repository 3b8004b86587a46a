//! Changes of one reviewer's decisions, on any number of documents: what every way of deciding
//! comes down to.

mod answers;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use domain::{
    ActId, AttributeId, AuditEvent, Code, DecidedAnswer, Decision, DocumentId, Error as Refusal,
    LabelId, LabelSet, Position, ProjectId, Range, Revision, Role, Span, Stand, Verdict, WorkState,
};
use live::{Change, DocumentWork, Work, document_work};
use serde_json::json;
use store::{
    Tx,
    agreement::ratings::{DocumentRatings, RatedReview},
    outside::audit::Audit,
    review::{Review, decision_batches::DecidedPosition, decisions::Replacement},
};
use tokio::sync::OwnedMutexGuard;

use crate::{
    Result, Services,
    agreement::own,
    base::access::Access,
    work::{
        saving::{self, Saved},
        validation,
    },
};
pub(crate) use answers::{Answered, OfLabelers};
use answers::{dated, facts_of, is_of, own_decision};

/// What is to stand on a position: a decision, or none any more.
pub(crate) type Replaced = (Range, Option<Decision>);

/// A change of a reviewer's passes over documents of a project.
pub(crate) struct ReviewChange {
    pub(crate) project: ProjectId,
    /// What the audit trail calls it.
    pub(crate) event: AuditEvent,
    /// The state of each review after it; the same for all of them.
    pub(crate) transition: fn(WorkState) -> Result<WorkState, Refusal>,
    /// Each document once.
    pub(crate) documents: Vec<DocumentChange>,
    pub(crate) validate: Validate,
    pub(crate) now: DateTime<Utc>,
}

/// What is changed on one document.
pub(crate) struct DocumentChange {
    pub(crate) document: DocumentId,
    /// The revision of the review that the change was made on; none if whichever there is will do.
    pub(crate) base: Option<Revision>,
    /// Each position once.
    pub(crate) changes: Vec<Replaced>,
    /// What is answered on positions that are changed and on the document, if it is. A decision that is not
    /// among them comes with what it has, or takes over what labelers answered.
    pub(crate) answers: BTreeMap<Range, Answered>,
}

impl DocumentChange {
    /// Changes nothing yet.
    pub(crate) const fn new(document: DocumentId, base: Option<Revision>) -> Self {
        Self { document, base, changes: Vec::new(), answers: BTreeMap::new() }
    }

    /// Whether what is answered about the document is changed.
    fn answers_document(&self) -> bool {
        self.answers.contains_key(&Span::DOCUMENT.range)
    }

    /// The positions that are changed, the document among them if an answer about it is.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Position> + use<'_> {
        let document = self.document;
        let of_document = self.answers_document().then_some(Span::DOCUMENT.range);
        let ranges = self.changes.iter().map(|(range, _)| *range).chain(of_document);
        ranges.map(move |range| Position { document, range })
    }

    /// The question about the document whose answer is changed, where it is one alone.
    fn question_of_document(&self) -> Option<AttributeId> {
        match self.answers.get(&Span::DOCUMENT.range)? {
            Answered::One(question, _) => Some(*question),
            Answered::All(_) => None,
        }
    }
}

/// What verdicts are held against.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Validate {
    /// What labelers have there now; answers are taken over from it.
    AgainstSpans,
    /// Nothing: what stood there once is put back, with its answers.
    Skip,
}

/// What became of a change.
pub(crate) enum Decided {
    Applied(Applied),
    /// A review has moved on since its base; nothing is to be kept of the transaction.
    Moved(Box<(Review, DocumentRatings)>),
}

impl Decided {
    /// The change, or a refusal in words of the caller's if a review has moved on.
    pub(crate) fn or_moved_on(self, why: &str) -> Result<Applied, Refusal> {
        match self {
            Self::Applied(applied) => Ok(applied),
            Self::Moved(_) => Err(Code::ChangedMeanwhile.of("seen", why)),
        }
    }
}

/// A change that was applied.
pub(crate) struct Applied {
    /// To be applied to the tallies after the commit.
    pub(crate) change: Change,
    /// What the reviewer had decided on the documents before.
    pub(crate) before: BTreeMap<DocumentId, RatedReview>,
}

impl Applied {
    /// What the reviewer has decided on a position before and after the change, which is `wanted`.
    fn decided(&self, position: Position, wanted: &ReviewChange) -> DecidedPosition {
        let Position { document, range } = position;
        let before = self.before.get(&document);
        let after = self.change.works.iter().find(|(changed, ..)| *changed == document);
        let after = after.map(|(.., work)| work);
        let part = wanted.documents.iter().find(|part| part.document == document);
        let question = part.and_then(DocumentChange::question_of_document);
        let (before, after) = match question.filter(|_| range == Span::DOCUMENT.range) {
            Some(question) => (
                before.and_then(|review| own_answer(review, question)).map(Stand::Document),
                after.and_then(|work| work.document_answer(question)).map(Stand::Document),
            ),
            None => (
                before.and_then(|review| own_decision(review, range)).cloned().map(Stand::Position),
                after.and_then(|work| work.decision(range)).map(Stand::Position),
            ),
        };
        DecidedPosition { position, before, after, left_alone: false }
    }
}

/// The answer of a review to a question about its document.
pub(crate) fn own_answer(review: &RatedReview, question: AttributeId) -> Option<DecidedAnswer> {
    review.answers.iter().find(|it| is_of(&it.answer, question)).copied()
}

/// Applies a change on positions as one act that can be undone as a whole: all of it, or nothing, in
/// the words of `moved_on`, where a review has.
pub(crate) async fn decide_at_once(
    services: &Services,
    lock: OwnedMutexGuard<()>,
    access: &Access,
    change: ReviewChange,
    positions: impl Iterator<Item = Position>,
    moved_on: &str,
) -> Result<ActId> {
    let (project, now) = (change.project, change.now);
    let write = async |tx: &Tx| {
        let applied = apply_decisions(tx, access, &change).await?.or_moved_on(moved_on)?;
        let kept: Vec<_> = positions.map(|position| applied.decided(position, &change)).collect();
        let by = access.member.id;
        let act = store::review::decision_batches::insert(tx, project, by, &kept, now).await?;
        Ok(Saved::Done(act, Some(applied.change)))
    };
    saving::save(services, (project, lock), None, now, write).await
}

/// Applies a change in a transaction. The number of SQL statements depends neither on the project's
/// size nor on how many documents are changed.
pub(crate) async fn apply_decisions(
    tx: &Tx,
    access: &Access,
    wanted: &ReviewChange,
) -> Result<Decided> {
    let reviewer = access.member.id;
    let documents: Vec<_> = wanted.documents.iter().map(|part| part.document).collect();
    let reviews = store::review::find_or_create_many(tx, &documents, reviewer).await?;
    let mut ratings: BTreeMap<_, _> = store::agreement::ratings::load_documents(tx, &documents)
        .await?
        .into_iter()
        .map(|ratings| (ratings.document, ratings))
        .collect();
    let mut before: BTreeMap<_, RatedReview> = BTreeMap::new();
    let mut state = WorkState::Open;
    let (mut replacements, mut of_documents) = (Vec::new(), Vec::new());
    for part in &wanted.documents {
        let review = reviews.get(&part.document).ok_or(Refusal::NotFound)?;
        let ratings = ratings.remove(&part.document).ok_or(Refusal::NotFound)?;
        if part.base.is_some_and(|base| base != review.revision) {
            return Ok(Decided::Moved(Box::new((review.clone(), ratings))));
        }
        state = (wanted.transition)(review.state)?;
        let own = ratings.reviews.iter().find(|review| review.member == reviewer);
        let changes = match wanted.validate {
            Validate::AgainstSpans => {
                OfLabelers::of(&ratings).answered(&part.changes, &part.answers, own)
            }
            Validate::Skip => part.changes.clone(),
        };
        let replaced = |(range, decision)| Replacement { review: review.id, range, decision };
        replacements.extend(changes.into_iter().map(replaced));
        let of_document = part.answers.get(&Span::DOCUMENT.range);
        let of_document = of_document.map(|it| (review.id, dated(it, own, wanted.now)));
        of_documents.extend(of_document);
        before.extend(own.map(|own| (part.document, own.clone())));
        if wanted.validate == Validate::AgainstSpans {
            check_verdicts(&document_work(ratings).1, &part.changes)?;
        }
    }
    check_labels(tx, wanted).await?;
    answers::check(tx, wanted.project, &replacements, &of_documents).await?;

    let moved: Vec<_> = reviews.values().map(|review| (review.id, review.revision)).collect();
    if !store::review::save(tx, &moved, state, wanted.now).await? {
        return Err(crate::Error::broken("a review moved under a held lock"));
    }
    store::review::decisions::replace(tx, &replacements).await?;
    store::review::answers::replace(tx, &of_documents).await?;
    let saves = [(reviewer, documents)];
    let revisions = store::agreement::feed::advance(tx, wanted.project, &saves).await?;
    let (revision, [(_, documents)]) = (revisions.into_iter().max().unwrap_or_default(), saves);
    store::outside::audit::append(tx, audit(wanted, access, state, revision)).await?;
    if state == WorkState::Submitted {
        own::submitted(tx, wanted.project, &documents).await?;
    }
    let ids: Vec<_> = moved.iter().map(|(id, _)| *id).collect();
    let mut decisions: HashMap<_, _> = store::review::decisions::list(tx, &ids).await?;
    let mut of_documents: HashMap<_, _> = of_documents.into_iter().collect();
    let mut works = Vec::with_capacity(reviews.len());
    for (document, review) in &reviews {
        let decisions = decisions.remove(&review.id).unwrap_or_default();
        let unchanged = || before.get(document).map(|own| own.answers.clone()).unwrap_or_default();
        let answers = of_documents.remove(&review.id).unwrap_or_else(unchanged);
        if state == WorkState::Submitted {
            let facts = facts_of(&decisions, &answers);
            validation::check_answers(tx, (wanted.project, *document), &facts).await?;
        }
        let work = Work::of_reviewer(state, wanted.now, decisions).answering(answers);
        works.push((*document, work));
    }
    let change = Change::by_one(revision, (reviewer, wanted.now), works);
    Ok(Decided::Applied(Applied { change, before }))
}

fn audit(change: &ReviewChange, access: &Access, state: WorkState, revision: Revision) -> Audit {
    let decisions: usize = change.documents.iter().map(|part| part.changes.len()).sum();
    let answered = change.documents.iter().filter(|part| part.answers_document()).count();
    let subject = match change.documents.as_slice() {
        [part] => format!("document {}", part.document),
        parts => format!("{} documents", parts.len()),
    };
    Audit {
        project: Some(change.project),
        user: Some(access.person.id),
        at: change.now,
        event: change.event,
        subject,
        detail: json!({ "decisions": decisions, "answered": answered, "state": state }),
        revision: Some(revision),
    }
}

/// Refuses labels of other projects.
async fn check_labels(tx: &Tx, change: &ReviewChange) -> Result<()> {
    let used: BTreeSet<LabelId> = change
        .documents
        .iter()
        .flat_map(|part| &part.changes)
        .filter_map(|(_, decision)| decision.as_ref())
        .flat_map(|decision| decision.labels.iter())
        .collect();
    if used.is_empty() {
        return Ok(());
    }
    let labels = store::project::labels::list(tx, change.project).await?;
    let known: BTreeSet<_> = labels.iter().map(|label| label.id).collect();
    if used.is_subset(&known) {
        Ok(())
    } else {
        Err(Code::Unknown.of("labels", "a label does not exist in the project").into())
    }
}

/// Refuses verdicts that do not describe what happens: accepting what nobody marked so, adding
/// what somebody marked.
fn check_verdicts(work: &DocumentWork, changes: &[Replaced]) -> Result<()> {
    let mut marked: BTreeMap<_, Vec<&LabelSet>> = BTreeMap::new();
    for labeler in work.values().filter(|work| work.role == Role::Labeler) {
        for (range, labels) in &labeler.judgements {
            marked.entry(*range).or_default().push(labels);
        }
    }
    for (range, decision) in changes {
        let there = marked.get(range).map_or(&[][..], Vec::as_slice);
        let fits = match decision.as_ref().map(|decision| (decision.verdict, &decision.labels)) {
            None => true,
            Some((Verdict::Accept, labels)) => there.contains(&labels),
            Some((Verdict::Relabel, labels)) => !there.is_empty() && !there.contains(&labels),
            Some((Verdict::Reject, _)) => !there.is_empty(),
            Some((Verdict::Add, _)) => there.is_empty(),
        };
        if !fits {
            return Err(Code::ChangedMeanwhile
                .of("verdict", "labelers have changed this position meanwhile; reload the document")
                .into());
        }
    }
    Ok(())
}
