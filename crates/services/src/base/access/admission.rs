//! Whether somebody is let in at all, asked by what the address of a request names, before anything
//! that they send is read. What an action needs beyond that, it permits itself.

use std::sync::Arc;

use domain::{Actor, AssignmentId, DocumentId, Error as Refusal, ProjectId, base::policy::Action};

use crate::{
    Result, Services,
    base::access::{permit_assignment, permit_outside, permit_where_own, refused},
};

/// What a request is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The actor themselves, or the site.
    Site,
    Project(ProjectId),
    Assignment(AssignmentId),
    Document(DocumentId),
}

/// Refuses a token that is for something else, before anything is looked up.
pub fn in_scope(
    services: &Services,
    actor: &Actor,
    action: Action,
    place: Place,
) -> Result<(), Refusal> {
    let project = match place {
        Place::Project(project) => Some(project),
        _ => None,
    };
    let allowed = actor.within_scope(action);
    allowed.inspect_err(|_| refused(&services.store, actor, project, action))
}

/// Refuses what the actor may not do there, in the words of the table. What somebody may do with
/// their own is let pass where the place does not say whose it is.
pub async fn admit(
    services: &Arc<Services>,
    actor: &Actor,
    action: Action,
    place: Place,
) -> Result<()> {
    let store = &services.store;
    match place {
        Place::Site => {
            permit_outside(store, actor, action)?;
        }
        Place::Project(project) => {
            permit_where_own(store, actor, project, action).await?;
        }
        Place::Assignment(assignment) => {
            actor.person()?;
            let found = store::work::assignments::find(store, assignment).await?;
            let found = found.ok_or(Refusal::NotFound)?;
            permit_assignment(store, actor, found.project, action, found.user).await?;
        }
        Place::Document(document) => {
            actor.person()?;
            let found = store::document::project_of(store, document).await?;
            permit_where_own(store, actor, found.ok_or(Refusal::NotFound)?, action).await?;
        }
    }
    Ok(())
}
