//! Changes of one reviewer's decisions, on any number of documents: what every way of deciding
//! comes down to.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use domain::{
    AuditEvent, Decision, DocumentId, Error as Refusal, LabelId, LabelSet, ProjectId, Range,
    Revision, Role, Verdict, WorkState,
};
use serde_json::json;
use store::{
    Tx,
    agreement::ratings::DocumentRatings,
    outside::audit::Audit,
    review::{Review, decisions::Replacement},
};

use crate::{
    Result,
    agreement::own,
    base::access::Access,
    live::{Change, DocumentWork, Work, document_work},
};

/// What is to stand on a position: a decision, or none any more.
pub(crate) type Replaced = (Range, Option<Decision>);

/// A change of a reviewer's passes over documents of a project.
pub(crate) struct Step {
    pub(crate) project: ProjectId,
    /// What the audit trail calls it.
    pub(crate) event: AuditEvent,
    /// The state of each review after it; the same for all of them.
    pub(crate) transition: fn(WorkState) -> Result<WorkState, Refusal>,
    /// Each document once.
    pub(crate) parts: Vec<Part>,
    pub(crate) fits: Fits,
    pub(crate) now: DateTime<Utc>,
}

/// What a step changes on one document.
pub(crate) struct Part {
    pub(crate) document: DocumentId,
    /// The revision of the review that the change was made on; none if whichever there is will do.
    pub(crate) base: Option<Revision>,
    /// Each position once.
    pub(crate) changes: Vec<Replaced>,
}

/// What verdicts are held against.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fits {
    /// What labelers have there now.
    Marks,
    /// Nothing: what stood there once is put back.
    Before,
}

/// What became of a step.
pub(crate) enum Outcome {
    Taken(Taken),
    /// A review has moved on since its base; nothing is to be kept of the transaction.
    Moved(Box<(Review, DocumentRatings)>),
}

/// A step that was taken.
pub(crate) struct Taken {
    /// To be applied to the tallies after the commit.
    pub(crate) change: Change,
    /// What the reviewer had on the documents before.
    pub(crate) before: BTreeMap<DocumentId, Work>,
}

impl Taken {
    /// The reviewer's decision on a position before and after the step.
    pub(crate) fn decisions(
        &self,
        document: DocumentId,
        range: Range,
    ) -> (Option<Decision>, Option<Decision>) {
        let after = self.change.works.iter().find(|(changed, _)| *changed == document);
        (
            self.before.get(&document).and_then(|work| work.decision(range)),
            after.and_then(|(_, work)| work.decision(range)),
        )
    }
}

/// Takes a step in a transaction. The number of SQL statements depends neither on the project's
/// size nor on how many documents are changed.
pub(crate) async fn take(tx: &Tx, access: &Access, step: &Step) -> Result<Outcome> {
    let reviewer = access.member.id;
    let documents: Vec<_> = step.parts.iter().map(|part| part.document).collect();
    let reviews = store::review::find_or_create_many(tx, &documents, reviewer).await?;
    let mut ratings: BTreeMap<_, _> = store::agreement::ratings::load_documents(tx, &documents)
        .await?
        .into_iter()
        .map(|ratings| (ratings.document, ratings))
        .collect();
    let mut before = BTreeMap::new();
    let mut state = WorkState::Open;
    for part in &step.parts {
        let review = reviews.get(&part.document).ok_or(Refusal::NotFound)?;
        let ratings = ratings.remove(&part.document).ok_or(Refusal::NotFound)?;
        if part.base.is_some_and(|base| base != review.revision) {
            return Ok(Outcome::Moved(Box::new((review.clone(), ratings))));
        }
        state = (step.transition)(review.state)?;
        let (_, mut work) = document_work(ratings);
        if step.fits == Fits::Marks {
            check_verdicts(&work, &part.changes)?;
        }
        if let Some(own) = work.remove(&reviewer) {
            before.insert(part.document, own);
        }
    }
    check_labels(tx, step).await?;

    let moved: Vec<_> = reviews.values().map(|review| (review.id, review.revision)).collect();
    if !store::review::save_many(tx, &moved, state, step.now).await? {
        return Err(crate::Error::broken("a review moved under a held turn"));
    }
    store::review::decisions::replace(tx, &replacements(step, &reviews)).await?;
    let revision = store::project::advance(tx, step.project).await?;
    store::outside::audit::append(tx, audit(step, access, state, revision)).await?;
    if state == WorkState::Submitted {
        own::submitted(tx, step.project, &documents).await?;
    }
    let ids: Vec<_> = moved.iter().map(|(id, _)| *id).collect();
    let mut decisions: HashMap<_, _> = store::review::decisions::list(tx, &ids).await?;
    let works = reviews
        .iter()
        .map(|(document, review)| {
            let decisions = decisions.remove(&review.id).unwrap_or_default();
            (*document, Work::of_reviewer(state, step.now, decisions))
        })
        .collect();
    let change = Change { revision, rater: reviewer, works, at: step.now };
    Ok(Outcome::Taken(Taken { change, before }))
}

fn replacements(step: &Step, reviews: &BTreeMap<DocumentId, Review>) -> Vec<Replacement> {
    step.parts
        .iter()
        .filter_map(|part| Some((reviews.get(&part.document)?.id, &part.changes)))
        .flat_map(|(review, changes)| {
            changes.iter().map(move |(range, decision)| Replacement {
                review,
                range: *range,
                decision: decision.clone(),
            })
        })
        .collect()
}

fn audit(step: &Step, access: &Access, state: WorkState, revision: Revision) -> Audit {
    let decisions: usize = step.parts.iter().map(|part| part.changes.len()).sum();
    let subject = match step.parts.as_slice() {
        [part] => format!("document {}", part.document),
        parts => format!("{} documents", parts.len()),
    };
    Audit {
        project: Some(step.project),
        user: Some(access.person.id),
        at: step.now,
        event: step.event,
        subject,
        detail: json!({ "decisions": decisions, "state": state }),
        revision: Some(revision),
    }
}

/// Refuses labels of other projects.
async fn check_labels(tx: &Tx, step: &Step) -> Result<()> {
    let used: BTreeSet<LabelId> = step
        .parts
        .iter()
        .flat_map(|part| &part.changes)
        .filter_map(|(_, decision)| decision.as_ref())
        .flat_map(|decision| decision.labels.iter())
        .collect();
    if used.is_empty() {
        return Ok(());
    }
    let labels = store::project::labels::list(tx, step.project).await?;
    let known: BTreeSet<_> = labels.iter().map(|label| label.id).collect();
    if used.is_subset(&known) {
        Ok(())
    } else {
        Err(Refusal::invalid("labels", "a label does not exist in the project").into())
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
            return Err(Refusal::invalid(
                "verdict",
                "the labelers have changed this position meanwhile; load the document again",
            )
            .into());
        }
    }
    Ok(())
}
