//! What a labeler does with their copy of a document: open, save, submit, reopen.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    Actor, AssignmentContent, AssignmentId, AssignmentView, Error as Refusal, Revision,
    SaveOutcome, SaveSpans, Span, WorkState,
};
use serde_json::json;
use store::{Tx, assignments::Assignment, audit::Audit};

use crate::{
    Result, Services,
    access::{Access, permit_own},
    guidelines,
    live::{Change, Work},
    passes,
    saving::{Once, to_the_end},
};

/// The most changes that one save may carry.
const MAX_CHANGES: usize = 50_000;

/// Opens the labeler's copy of a document.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
) -> Result<AssignmentView> {
    let store = &services.store;
    let (assignment, access) = find_own(services, actor, assignment).await?;
    let document =
        store::documents::find(store, assignment.document).await?.ok_or(Refusal::NotFound)?;
    let project =
        store::projects::find(store, assignment.project).await?.ok_or(Refusal::NotFound)?;
    let labels = store::labels::list(store, assignment.project).await?;
    let suggestions = store::suggestions::list(store, assignment.document).await?;
    let neighbours = store::assignments::neighbours(store, assignment.id, access.member.id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let spans = passes::spans(store, &assignment).await?;
    Ok(AssignmentView {
        id: assignment.id,
        person: access.person.id,
        project: assignment.project,
        project_name: project.settings.name,
        document_name: document.name,
        text: document.text,
        labels,
        content: content(&assignment, spans),
        suggestions,
        guidelines_html: guidelines::render(project.settings.guidelines).await?,
        previous: neighbours.previous,
        next: neighbours.next,
        place: neighbours.place,
        places: neighbours.places,
    })
}

/// Saves changes to the copy and moves the project's agreement with them.
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
            return Err(Refusal::invalid("added", "a save has at most 50,000 changes").into());
        }
        for span in &command.added {
            span.range.checked(found.characters)?;
        }
        let step = Step {
            base: command.base,
            once: Some(once),
            action: "save spans",
            transition: WorkState::saved,
            removed: command.removed,
            added: command.added,
        };
        take(&services, &found, &access, step).await
    })
    .await
}

/// Hands the copy in: from here on, what is not marked is judged as nothing to mark.
pub async fn submit(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    base: Revision,
) -> Result<SaveOutcome> {
    change_state(services, actor, assignment, base, "submit", WorkState::submitted).await
}

/// Takes a submission back.
pub async fn reopen(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    base: Revision,
) -> Result<SaveOutcome> {
    change_state(services, actor, assignment, base, "reopen", WorkState::reopened).await
}

async fn change_state(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    base: Revision,
    action: &'static str,
    transition: fn(WorkState) -> Result<WorkState, Refusal>,
) -> Result<SaveOutcome> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let (found, access) = find_own(&services, &actor, assignment).await?;
        let (removed, added) = (Vec::new(), Vec::new());
        let step = Step { base, once: None, action, transition, removed, added };
        take(&services, &found, &access, step).await
    })
    .await
}

/// A change of a copy, relative to `base`.
struct Step {
    base: Revision,
    once: Option<Once>,
    action: &'static str,
    transition: fn(WorkState) -> Result<WorkState, Refusal>,
    removed: Vec<Span>,
    added: Vec<Span>,
}

/// Takes a step in one transaction, then moves the tallies. The number of SQL statements does
/// not depend on the project's size.
async fn take(
    services: &Services,
    found: &Assignment,
    access: &Access,
    step: Step,
) -> Result<SaveOutcome> {
    let now = services.clock.now();
    let _turn = services.live.turn(found.project).await;
    let tx = services.store.begin().await?;
    if let Some(once) = &step.once
        && let Some(answer) = once.answered(&tx).await?
    {
        return Ok(answer);
    }
    // Read again under the transaction: another tab may have saved while this one waited.
    let assignment = store::assignments::find(&tx, found.id).await?.ok_or(Refusal::NotFound)?;
    let before = passes::spans(&tx, &assignment).await?;
    if assignment.revision != step.base {
        return Ok(SaveOutcome::Conflict(content(&assignment, before)));
    }
    let state = (step.transition)(assignment.state)?;
    check_labels(&tx, &assignment, &step.added).await?;

    let before: BTreeSet<Span> = before.into_iter().collect();
    let mut after = before.clone();
    for span in &step.removed {
        after.remove(span);
    }
    after.extend(&step.added);
    let removed: Vec<Span> = before.difference(&after).copied().collect();
    let added: Vec<Span> = after.difference(&before).copied().collect();

    let moves = passes::Step { base: step.base, state, now, removed: &removed, added: &added };
    let project_revision = passes::save(&tx, &assignment, moves).await?;
    let pass = if assignment.repeat.is_some() { "repeat of assignment" } else { "assignment" };
    let audit = Audit {
        project: Some(assignment.project),
        user: Some(access.person.id),
        at: now,
        action: step.action,
        subject: format!("{pass} {}", assignment.id),
        detail: json!({ "removed": removed.len(), "added": added.len(), "state": state }),
        revision: project_revision,
    };
    store::audit::append(&tx, audit).await?;
    let outcome = SaveOutcome::Saved { revision: step.base.next(), saved_at: now };
    if let Some(once) = &step.once {
        once.remember(&tx, &outcome, now).await?;
    }
    tx.commit().await?;

    match project_revision {
        Some(revision) => {
            let works = vec![(assignment.document, Work::of_labeler(state, now, after))];
            let change = Change { revision, rater: assignment.member, works, at: now };
            services.live.apply(assignment.project, change);
        }
        // No number between raters has moved.
        None => services.live.nudge(assignment.project),
    }
    Ok(outcome)
}

/// Refuses labels of other projects.
async fn check_labels(tx: &Tx, assignment: &Assignment, added: &[Span]) -> Result<()> {
    if added.is_empty() {
        return Ok(());
    }
    let labels = store::labels::list(tx, assignment.project).await?;
    let known: BTreeSet<_> = labels.iter().map(|label| label.id).collect();
    if added.iter().all(|span| known.contains(&span.label)) {
        Ok(())
    } else {
        Err(Refusal::invalid("label", "this label does not exist in the project").into())
    }
}

/// The labeler's copy, if it is the actor's own and they are still in the project.
async fn find_own(
    services: &Services,
    actor: &Actor,
    assignment: AssignmentId,
) -> Result<(Assignment, Access)> {
    actor.person()?;
    let found =
        store::assignments::find(&services.store, assignment).await?.ok_or(Refusal::NotFound)?;
    let access = permit_own(&services.store, actor, found.project, found.user).await?;
    Ok((found, access))
}

fn content(assignment: &Assignment, spans: Vec<Span>) -> AssignmentContent {
    AssignmentContent {
        revision: assignment.revision,
        state: assignment.state,
        saved_at: assignment.saved_at,
        spans,
    }
}
