//! What a labeler does with their assignment: open, save, submit, reopen.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    Actor, AssignmentId, AssignmentView, Code, Error as Refusal, Fact, Revision, SaveOutcome,
    SaveSpans, VersionKind, change_facts,
};
use store::work::assignments::Assignment;

use crate::{
    Result, Services,
    base::{
        access::{Access, permit_own},
        change::idempotency::Once,
    },
    project::label_views,
    work::{
        assignment_updates::{self, content},
        saving::{assignments::AssignmentChange, to_the_end, together::commit},
        suggestions,
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
    let guidelines = project.settings.guidelines;
    let (guidelines_html, details) =
        label_views::render_details(&services.markdown, guidelines, details).await?;
    Ok(AssignmentView {
        id: assignment.id,
        person: access.person.id,
        project: assignment.project,
        project_name: project.settings.name,
        document_name: document.name,
        text: document.text,
        labels: label_views::grouped(labels, &details),
        details,
        content: content(&assignment, &facts),
        suggestions: offered.imported,
        agreed: offered.agreed,
        keys,
        guidelines_html,
        previous: neighbours.previous,
        next: neighbours.next,
        unfinished,
        place: neighbours.place,
        places: neighbours.places,
    })
}

/// The spans and choices of the assignment, and which revision of it these are: nothing else is read.
pub async fn facts(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
) -> Result<(Revision, BTreeSet<Fact>)> {
    let (assignment, _) = find_own(services, actor, assignment).await?;
    let facts = assignment_updates::facts(&services.store, &assignment).await?;
    Ok((assignment.revision, content(&assignment, &facts).facts()))
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
            fact.checked(found.characters)?;
        }
        let change = AssignmentChange {
            base: command.base,
            once: Some(once),
            kind: VersionKind::Save,
            restored: None,
            removed: command.removed,
            added: command.added,
        };
        commit(&services, &found, access, change).await
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
        commit(&services, &found, access, change).await
    })
    .await
}

/// Refuses more than a save may carry, and what lies outside a text of so many characters.
fn check_facts(facts: &[Fact], characters: u32) -> Result<()> {
    if facts.len() > MAX_CHANGES {
        return Err(Code::TooMany.of("added", "a save has at most 50,000 changes").into());
    }
    for fact in facts {
        fact.checked(characters)?;
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
        commit(&services, &found, access, change).await
    })
    .await
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
