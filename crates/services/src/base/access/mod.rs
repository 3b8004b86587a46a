//! Who is asking, and whether the policy table lets them.

pub mod admission;
pub mod answers;
pub(crate) mod concurrency;
pub mod storage_space;

use domain::{
    Actor, Code, Error as Refusal, Member, ProjectId, Role, User, UserId,
    base::policy::{Action, Standpoint, permits},
};
use store::{Db, outside::audit::Refused};

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

/// Lets the owner of an assignment work on it, or refuses in the words of the table.
pub(crate) async fn permit_own(
    db: &impl Db,
    actor: &Actor,
    project: ProjectId,
    owner: UserId,
) -> Result<Access> {
    check(db, actor, project, Action::Annotate, Some(owner)).await
}

/// As [`permit`], where a labeler may do it with their own assignment only.
pub(crate) async fn permit_assignment(
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
        && store::review::second_reviews::is_waiting(db, access.member.id).await?
    {
        let why = "available once your second reviews and the first reviews are finished: you \
                    decide independently";
        return Err(Code::SecondReviewsOpen.because(why).into());
    }
    Ok(())
}

/// Lets somebody do what belongs to no project, or refuses in the words of the table.
pub(crate) fn permit_outside(db: &impl Db, actor: &Actor, action: Action) -> Result<(), Refusal> {
    let allowed =
        actor.within_scope(action).and_then(|()| permits(action, Standpoint::outside(actor)));
    allowed.inspect_err(|_| refused(db, actor, None, action))
}

/// Counts a refusal for the audit trail. Of strangers nothing is known that could be told.
pub(crate) fn refused(db: &impl Db, actor: &Actor, project: Option<ProjectId>, action: Action) {
    if let Ok(person) = actor.person() {
        let what = action.words();
        db.count_refusal(Refused::Action { user: Some(person.id), project, what });
    }
}

async fn check(
    db: &impl Db,
    actor: &Actor,
    project: ProjectId,
    action: Action,
    owner: Option<UserId>,
) -> Result<Access> {
    let asking = match actor {
        Actor::Anonymous | Actor::Directory(_) => None,
        Actor::Person(user) | Actor::Token(user, _) => {
            store::project::members::find_asking(db, project, user.id).await?
        }
    };
    let owns = actor.person().is_ok_and(|user| Some(user.id) == owner);
    let role = asking.as_ref().map(|asking| asking.member.role);
    let standpoint = Standpoint::inside(actor, role, owns);
    let allowed = if actor.leads_to(project) {
        actor.within_scope(action).and_then(|()| permits(action, standpoint))
    } else {
        Err(Refusal::NotFound)
    };
    if let Err(refusal) = allowed {
        refused(db, actor, Some(project), action);
        return Err(refusal.into());
    }
    let person = actor.person()?.clone();
    let asking = asking.ok_or(Refusal::NotFound)?;
    if asking.lacks_second_factor && !person.has_factor_elsewhere {
        return Err(Refusal::SecondFactorRequired.into());
    }
    let access = Access { person, member: asking.member };
    if action == Action::ViewAgreement {
        independent(db, &access).await?;
    }
    Ok(access)
}

/// Refuses whoever has no second factor, before they ask it of others.
pub(crate) async fn refuse_without_second_factor(db: &impl Db, user: &User) -> Result<()> {
    if user.has_factor_elsewhere || has_second_factor(db, user.id).await? {
        return Ok(());
    }
    let why =
        "set up your own second factor first: without one you would lose access to the project";
    Err(Code::NoSecondFactor.of("requires_second_factor", why).into())
}

/// Whether an account has a second factor.
pub(crate) async fn has_second_factor(db: &impl Db, user: UserId) -> Result<bool> {
    let known = store::account::users::find_credentials(db, user).await?;
    Ok(known.is_some_and(|known| known.has_second_factor))
}
