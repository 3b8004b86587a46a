//! Who is asking, and whether the policy table lets them.

use domain::{
    Actor, Error as Refusal, Member, ProjectId, Role, User, UserId,
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

/// As [`permit`], where a labeler may do it with their own copy only.
pub(crate) async fn permit_copy(
    db: &impl Db,
    actor: &Actor,
    project: ProjectId,
    action: Action,
    owner: UserId,
) -> Result<Access> {
    check(db, actor, project, action, Some(owner)).await
}

/// As [`permit`], where it is not known yet whose it is: a labeler passes as with their own.
pub(crate) async fn permit_where_own(
    db: &impl Db,
    actor: &Actor,
    project: ProjectId,
    action: Action,
) -> Result<Access> {
    check(db, actor, project, action, Some(actor.person()?.id)).await
}

/// Refuses a reviewer who is to review a second time and has not ended it: until then, nothing of
/// what others have decided is shown to them, by whatever way.
pub(crate) async fn independent(db: &impl Db, access: &Access) -> Result<()> {
    if access.member.role == Role::Reviewer
        && store::second_reviews::is_waiting(db, access.member.id).await?
    {
        let why = "this opens for you once your second reviews, and those of whoever reviewed \
                   before you, are ended: you decide independently";
        return Err(Refusal::denied(why).into());
    }
    Ok(())
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
        Actor::Person(user) | Actor::Token(user, _) => {
            store::members::find(db, project, user.id).await?
        }
    };
    let owns = actor.person().is_ok_and(|user| Some(user.id) == owner);
    if !actor.leads_to(project) {
        return Err(Refusal::NotFound.into());
    }
    actor.within_scope(action)?;
    permits(action, Standpoint::inside(actor, member.as_ref().map(|m| m.role), owns))?;
    let person = actor.person()?.clone();
    let access = Access { person, member: member.ok_or(Refusal::NotFound)? };
    if action == Action::ViewAgreement {
        independent(db, &access).await?;
    }
    Ok(access)
}
