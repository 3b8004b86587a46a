//! Starting a round: the guidelines are changed, and what nobody has touched is done under them.

use std::sync::Arc;

use domain::{
    Actor, AuditEvent, Code, Error as Refusal, NewRound, ProjectId, base::policy::Action,
};
use serde_json::json;
use store::project::{guidelines::Edit, rounds::NewRow};

use crate::{
    Result, Services,
    base::{
        access::permit,
        change::{ProjectChange, refuse_unpublished},
    },
};

/// Starts the project's next round and says its number. The documents that nobody has saved work
/// on move into it; those that are imported from now on join it.
pub async fn start(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    new: NewRound,
) -> Result<u64> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let new = new.checked()?;
    // Nobody saves while it is decided which documents nobody has saved.
    let change = ProjectChange::begin_alone(services, access, project).await?.counted().await?;
    let (tx, at, user) = (&change.tx, change.at, Some(change.access.person.id));
    // What is still to come would come into this round, and half of its import into the one before.
    refuse_unpublished(tx, project).await?;
    let present =
        store::project::rounds::list(tx, project).await?.last().map_or(0, |last| last.number);
    if present != new.after {
        let why = format!("round {present} has been started meanwhile; check it first");
        return Err(Code::ChangedMeanwhile.of("after", why).into());
    }
    let found = store::project::find(tx, project).await?.ok_or(Refusal::NotFound)?;
    let version = match &new.guidelines {
        Some(text) => {
            let edit = Edit { author: user, note: &new.note, at };
            store::project::guidelines::change(tx, project, text, edit).await?
        }
        None => found.guidelines_version,
    };
    let (title, note) = (&new.title, &new.note);
    let row = NewRow { title, note, guidelines_version: version, by: user, at };
    let round = store::project::rounds::insert(tx, project, row).await?;
    let moved = store::project::rounds::move_untouched(tx, project, round).await?;
    let number = present + 1;
    let detail = json!({ "documents": moved, "guidelines_version": version });
    change.end(AuditEvent::StartRound, format!("round {number}"), detail).await?;
    Ok(number)
}
