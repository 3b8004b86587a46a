//! What labelers' saves do to assignments. Those of one project that wait at the same time are written
//! together: one by one, each would pay for the same questions and for a commit of its own.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use domain::{
    AssignmentId, Attribute, AuditEvent, Code, Delta, Error as Refusal, Fact, LabelId, ProjectId,
    Revision, SaveOutcome, VersionKind, WebhookEvent, WorkState, change_facts,
};
use live::{Change, Work};
use serde_json::json;
use store::{
    Tx,
    base::answered_requests::RequestKey,
    outside::audit::Audit,
    work::{assignments::Assignment, versions::NewVersion},
};

use crate::{
    Error, Result,
    agreement::own,
    base::{
        access::Access,
        change::{
            events::{Event, about, announce},
            idempotency::Once,
        },
    },
    work::{
        assignment_updates::{self, content},
        validation,
    },
};

/// A change of an assignment, relative to `base`.
pub(crate) struct AssignmentChange {
    pub(crate) base: Revision,
    pub(crate) once: Option<Once>,
    pub(crate) kind: VersionKind,
    /// The version that is made current again.
    pub(crate) restored: Option<Revision>,
    pub(crate) removed: Vec<Fact>,
    pub(crate) added: Vec<Fact>,
}

/// A change with who makes it to which assignment.
pub(crate) struct Save {
    /// The key of the program's request that it is, if it is one.
    pub(crate) request: Option<RequestKey>,
    pub(crate) assignment: AssignmentId,
    pub(crate) access: Access,
    pub(crate) change: AssignmentChange,
}

/// What saves have come to: an answer for each, and what all of them change in the tallies.
pub(crate) struct Written {
    pub(crate) answers: Vec<Result<SaveOutcome>>,
    pub(crate) change: Option<Change>,
}

/// Writes saves of one project, no two of the same assignment. Nothing is written of one that is refused, or
/// that is not based on what stands there. The number of statements depends on neither the project's size
/// nor the number of saves, but for what is submitted or repeated.
///
/// # Errors
/// Of what no single save can be blamed for: nothing of them is to be kept.
pub(crate) async fn write(
    tx: &Tx,
    project: ProjectId,
    saves: &[Save],
    now: DateTime<Utc>,
) -> Result<Written> {
    let ids: Vec<_> = saves.iter().map(|save| save.assignment).collect();
    // Read under the transaction: another tab may have saved while these waited.
    let found = store::work::assignments::find_to_save(tx, &ids).await?;
    let facts = assignment_updates::facts_of_many(tx, &found).await?;
    let mut found: HashMap<_, _> =
        found.into_iter().zip(facts).map(|(it, facts)| (it.id, (it, facts))).collect();
    let mut known = Known { project, labels: None, attributes: None };
    let mut answers = Vec::with_capacity(saves.len());
    let mut steps = Vec::new();
    for save in saves {
        // Whoever was removed or erased while their save waited has nothing here any more.
        let stands = found.remove(&save.assignment).filter(|(it, _)| !it.member_removed);
        let stands = stands.ok_or(Refusal::NotFound);
        let next = match stands {
            Ok(stands) => prepare(tx, &mut known, save, stands, now).await,
            Err(refusal) => Err(refusal.into()),
        };
        match next {
            Ok(Next::Answer(answer)) => answers.push(Ok(answer)),
            Ok(Next::Write(next)) => {
                answers.push(Ok(next.outcome()));
                steps.push((save, next));
            }
            Err(Error::Refused(refusal)) => answers.push(Err(Error::Refused(refusal))),
            Err(error) => return Err(error),
        }
    }
    let change = if steps.is_empty() { None } else { keep(tx, project, &steps, now).await? };
    let answered =
        steps.iter().filter_map(|(save, next)| Some((save.change.once.as_ref()?, next.outcome())));
    let answered: Vec<_> = answered.collect();
    Once::remember(tx, answered.iter().map(|(once, answer)| (*once, answer)), now).await?;
    Ok(Written { answers, change })
}

/// What is to become of a save.
enum Next {
    /// Nothing is written: it was answered before, or is based on what does not stand there any more.
    Answer(SaveOutcome),
    Write(Box<NextVersion>),
}

/// An assignment as it is to be.
struct NextVersion {
    assignment: Assignment,
    facts: BTreeSet<Fact>,
    version: NewVersion,
}

impl NextVersion {
    const fn outcome(&self) -> SaveOutcome {
        SaveOutcome::Saved { revision: self.version.revision, saved_at: self.version.at }
    }
}

/// The state that a change leads to.
type Transition = fn(WorkState) -> Result<WorkState, Refusal>;

/// What a change is called in the audit trail, and where it leads.
const fn meaning(kind: VersionKind) -> (AuditEvent, Transition) {
    match kind {
        VersionKind::Save => (AuditEvent::SaveSpans, WorkState::saved),
        VersionKind::Submit => (AuditEvent::Submit, WorkState::submitted),
        VersionKind::Reopen => (AuditEvent::Reopen, WorkState::reopened),
        VersionKind::Restore => (AuditEvent::RestoreVersion, WorkState::saved),
    }
}

async fn prepare(
    tx: &Tx,
    known: &mut Known,
    Save { access, change, .. }: &Save,
    (assignment, mut facts): (Assignment, BTreeSet<Fact>),
    now: DateTime<Utc>,
) -> Result<Next> {
    if assignment.revision != change.base {
        // A save that was answered has moved the revision on from its base. So only here may it be one that
        // is sent again.
        let before = match &change.once {
            Some(once) => once.answered(tx).await?,
            None => None,
        };
        let conflict = || SaveOutcome::Conflict(content(&assignment, &facts));
        return Ok(Next::Answer(before.unwrap_or_else(conflict)));
    }
    let (_, transition) = meaning(change.kind);
    let state = transition(assignment.state)?;
    known.check(tx, &change.added).await?;
    if matches!(change.kind, VersionKind::Submit) {
        validation::check(tx, &assignment, &facts).await?;
    }
    // What is there is not added again, and what is gone not removed: the history says what this save did.
    let (removed, added) = change_facts(&mut facts, &change.removed, &change.added);
    let version = NewVersion {
        pass: assignment_updates::pass(&assignment),
        revision: change.base.next(),
        at: now,
        by: Some(access.person.id),
        kind: change.kind,
        restored: change.restored,
        state,
        delta: Delta { removed, added },
    };
    Ok(Next::Write(Box::new(NextVersion { assignment, facts, version })))
}

/// Writes next versions with all that goes with them, and says what they change in the tallies: nothing if
/// no number between raters moves.
async fn keep(
    tx: &Tx,
    project: ProjectId,
    steps: &[(&Save, Box<NextVersion>)],
    now: DateTime<Utc>,
) -> Result<Option<Change>> {
    let versions: Vec<_> =
        steps.iter().map(|(_, next)| (&next.assignment, &next.version)).collect();
    let revisions = assignment_updates::save(tx, project, &versions, now).await?;
    let mut first_passes = Vec::new();
    for (save, next) in steps {
        let assignment = &next.assignment;
        if save.change.kind == VersionKind::Submit {
            announce(tx, submission(assignment, &save.access, now)).await?;
        }
        if next.version.state == WorkState::Submitted {
            // Whoever hands a document in has taken it up again, and looked at what was said of it.
            store::work::flags::submitted(tx, assignment.document, assignment.member).await?;
            first_passes.extend(assignment.repeat.is_none().then_some(assignment.document));
        }
    }
    if !first_passes.is_empty() {
        own::submitted(tx, project, &first_passes).await?;
    }
    let audits: Vec<_> = steps
        .iter()
        .zip(&revisions)
        .map(|((save, next), revision)| audit(save, next, *revision, now))
        .collect();
    store::outside::audit::append_all(tx, Some(project), &audits).await?;
    let counted = steps.iter().zip(&revisions);
    let mut moved = counted.filter_map(|((_, next), revision)| Some((next, (*revision)?)));
    let Some((next, first)) = moved.next() else { return Ok(None) };
    let mut change = change_by(next, first, now);
    for (next, revision) in moved {
        let Change { works, by, .. } = change_by(next, revision, now);
        change.works.extend(works);
        (change.revision, change.by) = (revision, by);
    }
    Ok(Some(change))
}

fn change_by(next: &NextVersion, revision: Revision, now: DateTime<Utc>) -> Change {
    moved(&next.assignment, &next.facts, revision, next.version.state, now)
}

/// What the tallies are to know of an assignment that was saved.
pub(crate) fn moved(
    assignment: &Assignment,
    facts: &BTreeSet<Fact>,
    revision: Revision,
    state: WorkState,
    at: DateTime<Utc>,
) -> Change {
    let work = Work::of_labeler(state, at, facts.iter().copied());
    Change::by_one(revision, (assignment.member, at), [(assignment.document, work)])
}

/// That a labeler has handed an assignment in. Its history is a page that managers have, too.
fn submission(assignment: &Assignment, access: &Access, at: DateTime<Utc>) -> Event {
    let Assignment { id, document, document_name, member, .. } = assignment;
    Event {
        kind: WebhookEvent::AssignmentSubmitted,
        at,
        project: assignment.project,
        about: about([
            ("assignment", json!({ "id": id, "is_repeat": assignment.repeat.is_some() })),
            ("document", json!({ "id": document, "name": document_name })),
            ("labeler", json!({ "id": member, "name": access.person.name })),
        ]),
        path: format!("/assignments/{id}/history"),
    }
}

fn audit(
    save: &Save,
    NextVersion { assignment, version, .. }: &NextVersion,
    revision: Option<Revision>,
    at: DateTime<Utc>,
) -> Audit {
    let (event, _) = meaning(version.kind);
    let pass = if assignment.repeat.is_some() { "repeat of assignment" } else { "assignment" };
    let (removed, added) = (version.delta.removed.len(), version.delta.added.len());
    let state = version.state;
    let detail = match version.restored {
        None => json!({ "removed": removed, "added": added, "state": state }),
        Some(version) => json!({
            "removed": removed, "added": added, "state": state, "version": version,
        }),
    };
    Audit {
        project: Some(assignment.project),
        user: Some(save.access.person.id),
        at,
        event,
        subject: format!("{pass} {}", assignment.id),
        detail,
        revision,
    }
}

/// The labels and attributes of a project, read when the first save adds something.
struct Known {
    project: ProjectId,
    labels: Option<BTreeSet<LabelId>>,
    attributes: Option<Vec<Attribute>>,
}

impl Known {
    /// Refuses labels of other projects, and choices that their label does not have. Those that are no
    /// longer offered are taken: they may have been made while they were. What a label's limits forbid is
    /// taken, too: limits may change while somebody works, and work is never lost for it.
    async fn check(&mut self, tx: &Tx, added: &[Fact]) -> Result<()> {
        if added.is_empty() {
            return Ok(());
        }
        if self.labels.is_none() {
            let labels = store::project::labels::list(tx, self.project).await?;
            self.labels = Some(labels.into_iter().map(|label| label.id).collect());
        }
        let labels = self.labels.iter().flatten();
        let has_label =
            |label: &LabelId| labels.clone().any(|it| it == label) || *label == LabelId::DOCUMENT;
        if !added.iter().all(|fact| has_label(&fact.span.label)) {
            let why = "this label does not exist in the project";
            return Err(Code::Unknown.of("label", why).into());
        }
        if added.iter().all(|fact| fact.choice.is_none()) {
            return Ok(());
        }
        if self.attributes.is_none() {
            self.attributes = Some(store::project::attributes::list(tx, self.project).await?);
        }
        let attributes = self.attributes.iter().flatten();
        let is_known =
            |fact: &Fact| fact.choice.is_none() || attributes.clone().any(|it| it.has(fact));
        if added.iter().all(is_known) {
            Ok(())
        } else {
            let why = "the label has no such attribute or choice";
            Err(Code::Unknown.of("choice", why).into())
        }
    }
}
