//! Invitations from the side of whoever holds the link, and the link that sets a server up.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    Actor, AuditEvent, Code, Error as Refusal, InvitationView, MailKind, NewAccount, ProjectId,
    Role, User, UserId,
};
use store::{
    Db, Tx,
    account::invitations::{Invitation, NewInvitation},
};

use super::{
    SignedIn, audit, create, hold, session,
    sign_in::{self, client::Client},
};
use crate::{
    Result, Services,
    account::passwords::{NOBODYS, Owner},
    base::{change::mail::key, secrets::token},
    project::members,
};

/// How long the set-up link is good for.
const SET_UP_WITHIN: TimeDelta = TimeDelta::days(7);

/// What an invitation offers. Open to everybody who holds its link.
pub async fn load_invitation(services: &Arc<Services>, token: &str) -> Result<InvitationView> {
    let invitation = find(&services.store, token, services.clock.now()).await?;
    let project = invitation.project.map(|(_, name)| name);
    Ok(InvitationView {
        project: project.zip(invitation.role),
        email: invitation.email,
        expires_at: invitation.expires_at,
    })
}

/// Creates an account by an invitation and signs in with it. Open to everybody who holds
/// the invitation's link.
pub async fn accept(
    services: &Arc<Services>,
    client: &Client,
    token: &str,
    account: NewAccount,
) -> Result<SignedIn> {
    sign_in::provider::refuse_passwords(services)?;
    let account = account.checked()?;
    let now = services.clock.now();
    // Looked up before the password is hashed: hashing is work that only an invitation buys.
    check_address(&find(&services.store, token, now).await?, &account.email)?;
    let owner = Owner::new(&account.email, &account.name);
    let password = account.password.clone();
    let hash = services.passwords.choose(client.network(), password, owner).await?;

    let tx = services.store.begin().await?;
    let (user, project) = create_invited(&tx, token, &account, &hash, now).await?;
    let signed_in = match sign_in::further_of_new(services, user, &hash)? {
        Some(step) => SignedIn::Further(step),
        None => SignedIn::Done(session::start(services, &tx, client, user, None, now).await?),
    };
    tx.commit().await?;
    if let Some(project) = project {
        services.live.invalidate(project);
    }
    Ok(signed_in)
}

/// Creates the account of whoever holds an invitation, and lets it into the project.
async fn create_invited(
    tx: &Tx,
    token: &str,
    account: &NewAccount,
    hash: &str,
    now: DateTime<Utc>,
) -> Result<(UserId, Option<ProjectId>)> {
    let invitation = find(tx, token, now).await?;
    check_address(&invitation, &account.email)?;
    let manages = invitation.role.is_none() || passes_projects_on(&invitation);
    let why = "this address already has an account; sign in, then open the link again";
    let user = create(tx, account, hash, manages, now, why).await?;
    let project = use_up(tx, &invitation, user, now).await?;
    audit(tx, Some(user), now, AuditEvent::CreateAccount, user).await?;
    Ok((user, project))
}

/// The same for whom a provider names: no password opens the account.
pub(super) async fn accept_by_provider(
    tx: &Tx,
    token: &str,
    account: &NewAccount,
    now: DateTime<Utc>,
) -> Result<(UserId, Option<ProjectId>)> {
    create_invited(tx, token, account, NOBODYS, now).await
}

/// Joins the project of an invitation as who one is signed in as.
pub async fn join(services: &Arc<Services>, actor: &Actor, token: &str) -> Result<ProjectId> {
    let person: &User = actor.person()?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    hold(&tx, person.id).await?;
    let invitation = find(&tx, token, now).await?;
    check_address(&invitation, &person.email)?;
    if passes_projects_on(&invitation) {
        store::account::users::set_may_create_projects(&tx, person.id, true).await?;
    }
    let project = use_up(&tx, &invitation, person.id, now).await?.ok_or(Refusal::NotFound)?;
    tx.commit().await?;
    services.live.invalidate(project);
    Ok(project)
}

/// Makes the link by which the first account is created, in place of the one made before; none
/// once there is an account.
pub async fn create_setup_link(services: &Arc<Services>) -> Result<Option<String>> {
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    if store::account::users::count(&tx).await? > 0 {
        return Ok(None);
    }
    let token = token::generate();
    store::account::invitations::delete_set_up(&tx).await?;
    let invitation = NewInvitation {
        token_hash: token::hash(&token),
        project: None,
        role: None,
        email: None,
        claims: None,
        created_by: None,
        created_at: now,
        expires_at: now + SET_UP_WITHIN,
    };
    store::account::invitations::create(&tx, invitation).await?;
    tx.commit().await?;
    Ok(Some(token))
}

/// The open invitation with this token. The set-up link opens nothing once there is an account.
async fn find(db: &impl Db, token: &str, now: DateTime<Utc>) -> Result<Invitation> {
    let found = store::account::invitations::find(db, &token::hash(token), now).await?;
    let invitation = found.ok_or(Refusal::NotFound)?;
    if invitation.project.is_none() && store::account::users::count(db).await? > 0 {
        return Err(Refusal::NotFound.into());
    }
    Ok(invitation)
}

/// Uses an invitation up, and lets the user into its project if it has one.
async fn use_up(
    tx: &Tx,
    invitation: &Invitation,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<Option<ProjectId>> {
    if !store::account::invitations::accept(tx, invitation.id, user, now).await? {
        return Err(Refusal::NotFound.into());
    }
    // The address of the mail goes with the account, whatever its own will be by then.
    let mail = key(MailKind::Invitation, &invitation.id.to_string());
    store::outside::mail::give_to(tx, &mail, user).await?;
    match (&invitation.project, invitation.role) {
        (Some((project, _)), Some(role)) => {
            match invitation.claims {
                Some(placeholder) => members::claim(tx, *project, placeholder, user, now).await?,
                None => members::admit(tx, *project, user, role, now).await?,
            };
            Ok(Some(*project))
        }
        _ => Ok(None),
    }
}

/// Whether whoever accepts may create projects: managers may, unless the one who invites them may
/// not any more.
fn passes_projects_on(invitation: &Invitation) -> bool {
    invitation.role == Some(Role::Manager) && invitation.maker_creates_projects
}

/// Refuses an invitation that was made for another address.
fn check_address(invitation: &Invitation, email: &str) -> Result<(), Refusal> {
    match &invitation.email {
        Some(invited) if invited != email => {
            Err(Code::Unsuitable.of("email", "this invitation is for another e-mail address"))
        }
        _ => Ok(()),
    }
}
