//! Members of a project and invitations to it, from the side of its managers.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    Actor, AuditEvent, Code, Error as Refusal, InvitationId, MailKind, Member, MemberId,
    OpenInvitation, ProjectId, Role, UserId, base::policy::Action, checked_email,
};
use serde_json::json;
use store::{
    Tx,
    account::invitations::NewInvitation,
    outside::{audit::Audit, mail::Recipient},
};

use crate::{
    Result, Services,
    base::{
        access::permit,
        change::{ProjectChange, mail::send_link, refuse_unpublished},
        secrets::token,
    },
};

/// How long an invitation is good for.
const ACCEPT_WITHIN: TimeDelta = TimeDelta::days(14);

/// How many invitations are sent within a day: to one address, and by all projects that somebody manages.
const TO_ADDRESS_A_DAY: u64 = 5;
const BY_MANAGER_A_DAY: u64 = 200;

/// All members of the project.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<Member>> {
    permit(&services.store, actor, project, Action::ManageMembers).await?;
    Ok(store::project::members::list(&services.store, project).await?)
}

/// Invitations that nobody has accepted yet.
pub async fn list_invitations(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<OpenInvitation>> {
    permit(&services.store, actor, project, Action::ManageMembers).await?;
    let now = services.clock.now();
    Ok(store::account::invitations::list_open(&services.store, project, now).await?)
}

/// Whether invitations are sent to the address that they are for. Not by the demo: anybody can sign in there, and
/// would write to anybody.
pub fn sends_invitations(services: &Arc<Services>) -> bool {
    services.mail.is_some() && services.demo.is_none()
}

/// Makes an invitation, for one address or for whoever has the link. The answer is the token of
/// the link; it is not kept.
pub async fn invite(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    role: Role,
    email: Option<String>,
) -> Result<String> {
    invite_to(services, actor, project, Invited { role, email, claims: None }).await
}

/// Who is invited, and as what.
#[derive(Clone, Debug)]
pub struct Invited {
    pub role: Role,
    pub email: Option<String>,
    /// The placeholder whose place and work they get.
    pub claims: Option<MemberId>,
}

/// As [`invite`], also to claim the place and the work of a placeholder.
pub async fn invite_to(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    Invited { role, email, claims }: Invited,
) -> Result<String> {
    let access = permit(&services.store, actor, project, Action::ManageMembers).await?;
    let email = match email.filter(|email| !email.trim().is_empty()) {
        Some(email) => Some(checked_email(&email)?),
        None => None,
    };
    let token = token::generate();
    let change = ProjectChange::begin(services, access, project).await?;
    let members = store::project::members::list(&change.tx, project).await?;
    match claims {
        // Somebody who labels here may find their own work in a file.
        Some(placeholder) => {
            let found = members.iter().find(|member| member.id == placeholder);
            if found.is_none_or(|member| !member.is_placeholder || member.role != role) {
                let why = "this labeler cannot be claimed";
                return Err(Code::Unsuitable.of("claims", why).into());
            }
        }
        None => {
            if email.as_ref().is_some_and(|it| members.iter().any(|member| &member.email == it)) {
                let why = "this address already belongs to a member";
                return Err(Code::Taken.of("email", why).into());
            }
        }
    }
    let invitation = NewInvitation {
        token_hash: token::hash(&token),
        project: Some(project),
        role: Some(role),
        email: email.clone(),
        claims,
        created_by: Some(change.access.person.id),
        created_at: change.at,
        expires_at: change.at + ACCEPT_WITHIN,
    };
    let mailed = email.filter(|_| sends_invitations(services));
    if let Some(email) = &mailed {
        refuse_many(&change, email).await?;
    }
    let id = store::account::invitations::create(&change.tx, invitation).await?;
    if let Some(email) = mailed {
        let (kind, to) = (MailKind::Invitation, Recipient::Address(email));
        let about = (kind, Some(project));
        send_link(services, &change.tx, about, to, (&id.to_string(), &token)).await?;
    }
    let detail = json!({ "role": role, "claims": claims });
    change.end_unseen(AuditEvent::Invite, format!("invitation {id}"), detail).await?;
    Ok(token)
}

/// Refuses to write to many addresses within a day, or to one of them often: whoever is written to has not asked
/// for it.
async fn refuse_many(change: &ProjectChange<'_>, address: &str) -> Result<()> {
    let (since, manager) = (change.at - TimeDelta::days(1), change.access.person.id);
    let counted =
        store::outside::mail::count_invitations(&change.tx, (address, manager), since).await?;
    let (to_address, by_manager) = counted;
    if to_address >= TO_ADDRESS_A_DAY {
        let why = "this address was invited several times today; copy a link instead";
        return Err(Code::LimitReached.of("email", why).into());
    }
    if by_manager >= BY_MANAGER_A_DAY {
        let why = format!(
            "your projects have invited {BY_MANAGER_A_DAY} addresses today; leave the address out \
             and copy the link instead"
        );
        return Err(Code::LimitReached.of("email", why).into());
    }
    Ok(())
}

/// Takes an invitation back: its link opens nothing any more.
pub async fn delete_invitation(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: InvitationId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageMembers).await?;
    let change = ProjectChange::begin(services, access, project).await?;
    if !store::account::invitations::delete(&change.tx, project, id).await? {
        return Err(Refusal::NotFound.into());
    }
    change.end_unseen(AuditEvent::DeleteInvitation, format!("invitation {id}"), json!({})).await
}

/// Ends a membership. What the member did stays; their access ends with this, since every action
/// asks for the membership. The last manager cannot go.
pub async fn remove(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    member: MemberId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageMembers).await?;
    // Of two managers who remove each other at the same time, the second sees what the first did.
    let change = ProjectChange::begin(services, access, project).await?.counted().await?;
    // Who is away may come back as a reviewer, and would have labeled what comes then.
    refuse_unpublished(&change.tx, project).await?;
    let members = store::project::members::list(&change.tx, project).await?;
    let leaving = members.iter().find(|m| m.id == member).ok_or(Refusal::NotFound)?;
    refuse_last_manager(&members, leaving)?;
    store::project::members::remove(&change.tx, project, member, change.at).await?;
    let detail = json!({ "role": leaving.role });
    change.end(AuditEvent::RemoveMember, format!("member {member}"), detail).await
}

fn refuse_last_manager(members: &[Member], leaving: &Member) -> Result<(), Refusal> {
    let managers = members.iter().filter(|member| member.role == Role::Manager).count();
    if leaving.role == Role::Manager && managers == 1 {
        let why = "the last manager cannot leave; invite another first";
        return Err(Code::LastOne.because(why));
    }
    Ok(())
}

/// Lets a user into a project, with an assignment of every document that everyone gets. Whoever worked
/// in the project before comes back to that work, in the role it was done in.
pub(crate) async fn admit(
    tx: &Tx,
    project: ProjectId,
    user: UserId,
    role: Role,
    now: DateTime<Utc>,
) -> Result<MemberId> {
    // First of all, since this locks the project: an import at the same time gives its documents
    // either before this, to be found here, or after it, to a labeler who is there.
    let revision = store::project::advance(tx, project).await?;
    if store::project::members::find(tx, project, user).await?.is_some() {
        return Err(Code::AlreadyMember.because("you are already a member of this project").into());
    }
    let raters = store::project::members::list_all_raters(tx, project).await?;
    if let Some(before) = raters.iter().find(|rater| rater.user == user && rater.role != role) {
        let why = format!("you worked in this project as a {}; ask for that role", before.role);
        return Err(Code::OtherMembership.because(why).into());
    }
    let member = store::project::members::add(tx, project, user, role, now).await?;
    if role == Role::Labeler {
        give_open_documents(tx, project, &[member]).await?;
    }
    let audit = Audit {
        project: Some(project),
        user: Some(user),
        at: now,
        event: AuditEvent::Join,
        subject: format!("member {member}"),
        detail: json!({ "role": role }),
        revision: Some(revision),
    };
    store::outside::audit::append(tx, audit).await?;
    Ok(member)
}

/// Gives somebody the place and the work of a placeholder. A labeler of the project has that work
/// beside their own then, unless both have some on the same document.
pub(crate) async fn claim(
    tx: &Tx,
    project: ProjectId,
    placeholder: MemberId,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<MemberId> {
    let revision = store::project::advance(tx, project).await?;
    refuse_unpublished(tx, project).await?;
    let found = store::project::members::find_by_id(tx, project, placeholder).await?;
    let name = found.filter(|it| it.is_placeholder).ok_or(Refusal::NotFound)?.name;
    let member = match store::project::members::find(tx, project, user).await? {
        Some(member) if member.role == Role::Labeler => {
            let shared =
                store::project::placeholders::shared_work(tx, placeholder, member.id).await?;
            if let Some((_, first)) = shared.first() {
                let why = format!(
                    "you and {name} share {}, for example \"{first}\"; nobody can have a \
                     document twice",
                    domain::count(shared.len(), "document")
                );
                return Err(Code::BothHaveWork.because(why).into());
            }
            store::project::placeholders::merge(tx, placeholder, member.id).await?;
            member.id
        }
        Some(_) => {
            return Err(Code::OtherMembership
                .because("only a labeler can take over this work")
                .into());
        }
        None => {
            let raters = store::project::members::list_all_raters(tx, project).await?;
            if raters.iter().any(|rater| rater.user == user) {
                let why = "you were a member before; ask to be invited again";
                return Err(Code::OtherMembership.because(why).into());
            }
            store::project::placeholders::claim(tx, placeholder, user).await?;
            placeholder
        }
    };
    give_open_documents(tx, project, &[member]).await?;
    let audit = Audit {
        project: Some(project),
        user: Some(user),
        at: now,
        event: AuditEvent::ClaimWork,
        subject: format!("member {member}"),
        detail: json!({ "placeholder": placeholder }),
        revision: Some(revision),
    };
    store::outside::audit::append(tx, audit).await?;
    Ok(member)
}

/// Gives labelers an assignment of every document that everyone gets, unless they have it.
pub(super) async fn give_open_documents(
    tx: &Tx,
    project: ProjectId,
    labelers: &[MemberId],
) -> Result<()> {
    let documents = store::document::open_to_everyone(tx, project).await?;
    let assignments: Vec<_> = labelers
        .iter()
        .flat_map(|&member| documents.iter().map(move |&document| (document, member)))
        .collect();
    Ok(store::work::assignments::insert_many(tx, &assignments).await?)
}
