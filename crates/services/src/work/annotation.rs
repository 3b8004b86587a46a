//! What a labeler does with their assignment: open, save, submit, reopen.

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Utc};
use domain::{
    Actor, AssignmentContent, AssignmentId, AssignmentView, Attribute, AuditEvent, Code, Delta,
    Error as Refusal, Fact, Revision, SaveOutcome, SaveSpans, VersionKind, WebhookEvent, WorkState,
    change_facts,
};
use live::{Change, Work};
use serde_json::json;
use store::{
    Tx,
    outside::audit::Audit,
    work::{assignments::Assignment, versions::NewVersion},
};

use crate::{
    Result, Services,
    agreement::own,
    base::{
        access::{Access, permit_own},
        change::{
            events::{Event, about, announce},
            idempotency::Once,
        },
    },
    project::{guidelines, label_views},
    work::{
        assignment_updates,
        saving::{self, Saved, to_the_end},
        suggestions, validation,
    },
};

/// The most changes that one save may carry.
const MAX_CHANGES: usize = 50_000;

/// Opens the labeler's assignment.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
) -> Result<AssignmentView> {
    let store = &services.store;
    let (assignment, access) = find_own(services, actor, assignment).await?;
    let document =
        store::document::find(store, assignment.document).await?.ok_or(Refusal::NotFound)?;
    let project =
        store::project::find(store, assignment.project).await?.ok_or(Refusal::NotFound)?;
    let labels = store::project::labels::list(store, assignment.project).await?;
    let details = store::project::label_details::list(store, assignment.project).await?;
    let offered = suggestions::load(services, &assignment, &document.text).await?;
    let neighbours = store::work::assignments::neighbours(store, assignment.id, access.member.id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let unfinished =
        store::work::assignments::next_unfinished(store, assignment.id, access.member.id).await?;
    let facts = assignment_updates::facts(store, &assignment).await?;
    let keys = store::account::users::keys(store, access.person.id).await?;
    Ok(AssignmentView {
        id: assignment.id,
        person: access.person.id,
        project: assignment.project,
        project_name: project.settings.name,
        document_name: document.name,
        text: document.text,
        labels: label_views::grouped(labels, &details),
        details: label_views::described(details),
        content: content(&assignment, &facts),
        suggestions: offered.imported,
        agreed: offered.agreed,
        keys,
        guidelines_html: guidelines::render(project.settings.guidelines).await?,
        previous: neighbours.previous,
        next: neighbours.next,
        unfinished,
        place: neighbours.place,
        places: neighbours.places,
    })
}

/// Saves changes to the assignment and moves the project's agreement with them.
pub async fn save(
    services: &Arc<Services>,
    actor: &Actor,
    command: SaveSpans,
) -> Result<SaveOutcome> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let (found, access) = find_own(&services, &actor, command.assignment).await?;
        let once = Once::new(access.person.id, &command.key, &command)?;
        if command.added.len() + command.removed.len() > MAX_CHANGES {
            return Err(Code::TooMany.of("added", "a save has at most 50,000 changes").into());
        }
        for fact in &command.added {
            fact.span.range.checked(found.characters)?;
        }
        let change = AssignmentChange {
            base: command.base,
            once: Some(once),
            kind: VersionKind::Save,
            restored: None,
            removed: command.removed,
            added: command.added,
        };
        commit_change(&services, &found, &access, change).await
    })
    .await
}

/// Makes these the spans and choices of the assignment, whatever stands there at `base`.
pub async fn replace(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    base: Revision,
    facts: Vec<Fact>,
) -> Result<SaveOutcome> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let (found, access) = find_own(&services, &actor, assignment).await?;
        check_facts(&facts, found.characters)?;
        let mut wanted = BTreeSet::new();
        change_facts(&mut wanted, &[], &facts);
        // What is read here is what stands at `base`, or the change is refused.
        let present = assignment_updates::facts(&services.store, &found).await?;
        let change = AssignmentChange {
            base,
            once: None,
            kind: VersionKind::Save,
            restored: None,
            removed: present.difference(&wanted).copied().collect(),
            added: wanted.difference(&present).copied().collect(),
        };
        if found.revision != base {
            return Ok(SaveOutcome::Conflict(content(&found, &present)));
        }
        commit_change(&services, &found, &access, change).await
    })
    .await
}

/// Refuses more than a save may carry, and what lies outside a text of so many characters.
fn check_facts(facts: &[Fact], characters: u32) -> Result<()> {
    if facts.len() > MAX_CHANGES {
        return Err(Code::TooMany.of("added", "a save has at most 50,000 changes").into());
    }
    for fact in facts {
        fact.span.range.checked(characters)?;
    }
    Ok(())
}

/// Hands the assignment in: from here on, what is not marked is judged as nothing to mark. Refused while a
/// span breaks the limits of its label or a required attribute has no choice; the refusal's field
/// names the first such position, `spans.START-END`, and its words all of them.
pub async fn submit(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    base: Revision,
) -> Result<SaveOutcome> {
    change_state(services, actor, assignment, base, VersionKind::Submit).await
}

/// Takes a submission back.
pub async fn reopen(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    base: Revision,
) -> Result<SaveOutcome> {
    change_state(services, actor, assignment, base, VersionKind::Reopen).await
}

async fn change_state(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    base: Revision,
    kind: VersionKind,
) -> Result<SaveOutcome> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let (found, access) = find_own(&services, &actor, assignment).await?;
        let (removed, added) = (Vec::new(), Vec::new());
        let change = AssignmentChange { base, once: None, kind, restored: None, removed, added };
        commit_change(&services, &found, &access, change).await
    })
    .await
}

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

/// Commits a change in one transaction, then moves the tallies. The number of SQL statements does
/// not depend on the project's size.
pub(crate) async fn commit_change(
    services: &Services,
    found: &Assignment,
    access: &Access,
    change: AssignmentChange,
) -> Result<SaveOutcome> {
    let now = services.clock.now();
    let lock = services.live.lock_project(found.project).await;
    let write = async |tx: &Tx| write(tx, found.id, access, &change, now).await;
    saving::save(services, (found.project, lock), change.once.as_ref(), now, write).await
}

/// What is a labeler's own in a save.
async fn write(
    tx: &Tx,
    id: AssignmentId,
    access: &Access,
    change: &AssignmentChange,
    now: DateTime<Utc>,
) -> Result<Saved<SaveOutcome>> {
    // Read again under the transaction: another tab may have saved while this one waited.
    let assignment = store::work::assignments::find(tx, id).await?.ok_or(Refusal::NotFound)?;
    let mut facts = assignment_updates::facts(tx, &assignment).await?;
    if assignment.revision != change.base {
        return Ok(Saved::Conflict(SaveOutcome::Conflict(content(&assignment, &facts))));
    }
    let (event, transition) = meaning(change.kind);
    let state = transition(assignment.state)?;
    check_known(tx, &assignment, &change.added).await?;
    if matches!(change.kind, VersionKind::Submit) {
        validation::check(tx, &assignment, &facts).await?;
    }
    // What is there is not added again, and what is gone not removed: the history says what this save did.
    let (removed, added) = change_facts(&mut facts, &change.removed, &change.added);
    let delta = Delta { removed, added };
    let detail = detail(change, &delta, state);
    let revision = change.base.next();

    let version = NewVersion {
        pass: assignment_updates::pass(&assignment),
        revision,
        at: now,
        by: Some(access.person.id),
        kind: change.kind,
        restored: change.restored,
        state,
        delta,
    };
    let project_revision = assignment_updates::save(tx, &assignment, version).await?;
    if change.kind == VersionKind::Submit {
        announce(tx, submission(&assignment, access, now)).await?;
    }
    if state == WorkState::Submitted {
        // Whoever hands a document in has taken it up again, and looked at what was said of it.
        store::work::flags::submitted(tx, assignment.document, assignment.member).await?;
        if assignment.repeat.is_none() {
            own::submitted(tx, assignment.project, &[assignment.document]).await?;
        }
    }
    let pass = if assignment.repeat.is_some() { "repeat of assignment" } else { "assignment" };
    let audit = Audit {
        project: Some(assignment.project),
        user: Some(access.person.id),
        at: now,
        event,
        subject: format!("{pass} {}", assignment.id),
        detail,
        revision: project_revision,
    };
    store::outside::audit::append(tx, audit).await?;
    let moved = project_revision.map(|revision| moved(&assignment, &facts, revision, state, now));
    Ok(Saved::Done(SaveOutcome::Saved { revision, saved_at: now }, moved))
}

/// What the tallies are to know of an assignment that was saved.
pub(crate) fn moved(
    assignment: &Assignment,
    facts: &BTreeSet<Fact>,
    revision: Revision,
    state: WorkState,
    at: DateTime<Utc>,
) -> Change {
    let spans: BTreeSet<_> = assignment_updates::spans_of(facts).into_iter().collect();
    let work = Work::of_labeler(state, at, spans);
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

fn detail(change: &AssignmentChange, delta: &Delta, state: WorkState) -> serde_json::Value {
    let (removed, added) = (delta.removed.len(), delta.added.len());
    match change.restored {
        None => json!({ "removed": removed, "added": added, "state": state }),
        Some(version) => json!({
            "removed": removed, "added": added, "state": state, "version": version,
        }),
    }
}

/// Refuses labels of other projects, and choices that their label does not have. Those that are no
/// longer offered are taken: they may have been made while they were. What a label's limits forbid is
/// taken, too: limits may change while somebody works, and work is never lost for it.
async fn check_known(tx: &Tx, assignment: &Assignment, added: &[Fact]) -> Result<()> {
    if added.is_empty() {
        return Ok(());
    }
    let labels = store::project::labels::list(tx, assignment.project).await?;
    let known: BTreeSet<_> = labels.iter().map(|label| label.id).collect();
    if !added.iter().all(|fact| known.contains(&fact.span.label)) {
        return Err(Code::Unknown.of("label", "this label does not exist in the project").into());
    }
    if added.iter().all(|fact| fact.choice.is_none()) {
        return Ok(());
    }
    let attributes = store::project::attributes::list(tx, assignment.project).await?;
    let has = |attribute: &Attribute, fact: &Fact| {
        let is_of_label = attribute.label == fact.span.label;
        is_of_label
            && fact.choice.is_some_and(|choice| {
                choice.attribute == attribute.id && attribute.choice(choice.number).is_some()
            })
    };
    let is_known = |fact: &Fact| fact.choice.is_none() || attributes.iter().any(|it| has(it, fact));
    if added.iter().all(is_known) {
        Ok(())
    } else {
        Err(Code::Unknown.of("choice", "the label has no such attribute or choice").into())
    }
}

/// The labeler's assignment, if it is the actor's own and they are still in the project.
pub(crate) async fn find_own(
    services: &Services,
    actor: &Actor,
    assignment: AssignmentId,
) -> Result<(Assignment, Access)> {
    actor.person()?;
    let found = store::work::assignments::find(&services.store, assignment)
        .await?
        .ok_or(Refusal::NotFound)?;
    let access = permit_own(&services.store, actor, found.project, found.user).await?;
    Ok((found, access))
}

fn content(assignment: &Assignment, facts: &BTreeSet<Fact>) -> AssignmentContent {
    AssignmentContent {
        revision: assignment.revision,
        state: assignment.state,
        saved_at: assignment.saved_at,
        spans: assignment_updates::spans_of(facts),
        choices: facts.iter().filter(|fact| fact.choice.is_some()).copied().collect(),
    }
}
