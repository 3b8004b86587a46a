//! Who is asking, and whether the policy table lets them.

use domain::{
    Actor, Error as Refusal, Member, ProjectId, User, UserId,
    policy::{Action, Standpoint, permits},
};
use store::Db;

use crate::Result;

/// Somebody who was permitted to do something in a project.
pub(crate) struct Access {
    pub(crate) person: User,
    pub(crate) member: Member,
}

/// Lets a member of the project do `action`, or refuses in the words of the table.
pub(crate) async fn permit(
    db: &impl Db,
    actor: &Actor,
    project: ProjectId,
    action: Action,
) -> Result<Access> {
    check(db, actor, project, action, None).await
}

/// Lets the owner of a copy work on it, or refuses in the words of the table.
pub(crate) async fn permit_own(
    db: &impl Db,
    actor: &Actor,
    project: ProjectId,
    owner: UserId,
) -> Result<Access> {
    check(db, actor, project, Action::Annotate, Some(owner)).await
}

async fn check(
    db: &impl Db,
    actor: &Actor,
    project: ProjectId,
    action: Action,
    owner: Option<UserId>,
) -> Result<Access> {
    let member = match actor {
        Actor::Anonymous => None,
        Actor::Person(user) => store::members::find(db, project, user.id).await?,
    };
    let owns = matches!(actor, Actor::Person(user) if Some(user.id) == owner);
    permits(action, Standpoint::inside(actor, member.as_ref().map(|m| m.role), owns))?;
    let person = actor.person()?.clone();
    Ok(Access { person, member: member.ok_or(Refusal::NotFound)? })
}
