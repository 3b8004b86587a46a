//! Coming back from a provider: whose account it is, and the session that starts.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{Actor, AuditEvent, Code, NewAccount, ProjectId, UserId, check_name};
use serde::Deserialize;
use store::{
    Tx,
    account::users::{
        Credentials,
        directories::people,
        identities::{self, NewIdentity},
    },
};

use super::{
    asking::{Asker, Question},
    claims::{self, Claims, verified_email},
    connection::Provider,
    mapping,
    settings::Accounts,
};
use crate::{
    Result, Services,
    account::{
        Client, NewSession, audit, create, hold, invitation,
        passwords::NOBODYS,
        reset, second_factor,
        session::{self, Through},
        sign_in::refused::{self, Why},
    },
};

/// What a provider sends a browser back with.
#[derive(Debug, Deserialize)]
pub struct Answer {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
    /// Who answers (RFC 9207).
    iss: Option<String>,
}

/// What has become of it.
pub enum Entered {
    /// A session has started; `back` is the page that the browser came from.
    Session { session: NewSession, back: String },
    /// An identity was added to the account that is signed in.
    Linked,
}

/// Does what the browser was sent to the provider for. `kept` is the question that it brings back.
pub async fn enter_by_provider(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    (provider, site): (&str, &str),
    kept: Option<&str>,
    answer: Answer,
) -> Result<Entered> {
    let provider = services.providers.find(provider)?;
    let state = answer.state.as_deref().unwrap_or_default();
    let question = Question::open(services, &provider.settings.name, kept, state)?;
    if answer.iss.is_some_and(|issuer| issuer != provider.settings.issuer.as_str()) {
        return Err(provider.refused(&"somebody else answers"));
    }
    match answer.error.as_deref() {
        Some("access_denied") => {
            return Err(Code::Cancelled.because("signing in was cancelled").into());
        }
        Some(error) => return Err(provider.refused(&error)),
        None => {}
    }
    let code = answer.code.ok_or_else(|| provider.refused(&"there is no code"))?;
    // A code that is made up costs the provider a question of ours.
    let tried = question.tried(client);
    if let Err((refusal, why)) = services.failures.count(&tried, None, services.clock.now()) {
        refused::count(services, None, why, client.network());
        return Err(refusal.into());
    }
    question.use_up(services).await?;
    let entered = match claims::load(services, provider, &question, &code, site).await {
        Ok(claims) => match question.purpose {
            Asker::Owner(owner) if actor.person().is_ok_and(|user| user.id == owner) => {
                link_own(services, owner, &claims).await
            }
            Asker::Owner(_) => {
                Err(Code::OtherPerson.because("somebody else is signed in now").into())
            }
            Asker::Anybody | Asker::Invited(_) => {
                let client = Client { device: question.device.clone(), ..client.clone() };
                enter(services, &client, provider, &question, &claims).await
            }
        },
        Err(error) => Err(error),
    };
    match &entered {
        Err(crate::Error::Refused(refusal)) if refusal.code() != Code::NotOffered => {
            refused::count(services, None, Why::Provider, client.network());
        }
        _ => services.failures.take_back(&tried),
    }
    entered
}

/// Adds an identity to the account that is signed in.
async fn link_own(services: &Services, owner: UserId, claims: &Claims) -> Result<Entered> {
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    hold(&tx, owner).await?;
    match identities::find(&tx, &claims.issuer, &claims.subject).await? {
        Some(known) if known.user == owner => {}
        Some(_) => return Err(taken().into()),
        None => {
            link(&tx, owner, claims, now).await?;
        }
    }
    tx.commit().await?;
    Ok(Entered::Linked)
}

async fn link(
    tx: &Tx,
    user: UserId,
    claims: &Claims,
    now: DateTime<Utc>,
) -> Result<domain::IdentityId> {
    let new = NewIdentity {
        user,
        issuer: &claims.issuer,
        subject: &claims.subject,
        external_id: claims.directory_id.as_deref(),
        label: claims.label(),
    };
    let id = match identities::create(tx, new, now).await {
        Err(store::Error::Duplicate(_)) => return Err(taken().into()),
        created => created?,
    };
    audit(tx, Some(user), now, AuditEvent::LinkIdentity, user).await?;
    Ok(id)
}

fn taken() -> domain::Error {
    Code::Taken.of("identity", "this is linked to another account")
}

/// Starts a session for whoever the provider names.
async fn enter(
    services: &Services,
    client: &Client,
    provider: &Provider,
    question: &Question,
    claims: &Claims,
) -> Result<Entered> {
    let now = services.clock.now();
    let settings = &provider.settings;
    let tx = services.store.begin().await?;
    let known = identities::find(&tx, &claims.issuer, &claims.subject).await?;
    let owner = if let Some(known) = known {
        hold(&tx, known.user).await?;
        let said = (claims.label(), claims.directory_id.as_deref());
        if !identities::note_use(&tx, known.id, said, now).await? {
            return Err(Code::ChangedMeanwhile.because("it was unlinked at this moment").into());
        }
        Owner { user: known.user, identity: known.id, joined: None, is_invited: false }
    } else {
        let account = find_account(services, &tx, provider, question, claims, now).await?;
        let identity = link(&tx, account.user, claims, now).await?;
        let AccountFound { user, joined, is_invited } = account;
        Owner { user, identity, joined, is_invited }
    };
    let known = store::account::users::find_credentials(&tx, owner.user).await?;
    if known.is_none_or(|known| known.is_disabled || known.is_demo && services.demo.is_none()) {
        return Err(Code::AccountDisabled.because("this account is disabled").into());
    }
    let mut groups = claims.groups.clone();
    for (name, external_id) in people::group_names(&tx, &settings.name, owner.user).await? {
        groups.get_or_insert_default().extend(mapping::names_of_group(name, external_id));
    }
    let mut joined = mapping::apply(&tx, settings, owner.user, groups.as_deref(), now).await?;
    joined.extend(owner.joined);
    let through = Through {
        identity: owner.identity,
        session: claims.session.clone(),
        proven_at: claims.proven_at,
        has_factor: claims.has_factor,
    };
    let session = session::start(services, &tx, client, owner.user, Some(through), now).await?;
    audit(&tx, Some(owner.user), now, AuditEvent::SignIn, owner.user).await?;
    tx.commit().await?;
    for project in joined {
        services.live.invalidate(project);
    }
    metrics::counter!("concord_sign_ins_total").increment(1);
    let back = match &question.purpose {
        // Whoever has an account accepts on the invitation's own page.
        Asker::Invited(token) if !owner.is_invited => format!("/invitations/{token}"),
        _ => question.back.clone(),
    };
    Ok(Entered::Session { session, back })
}

/// Whose account it is, and the identity that says so.
struct Owner {
    user: UserId,
    identity: domain::IdentityId,
    joined: Option<ProjectId>,
    is_invited: bool,
}

/// An account that has not had the identity so far.
struct AccountFound {
    user: UserId,
    /// The project that came with it.
    joined: Option<ProjectId>,
    /// Whether an invitation was accepted.
    is_invited: bool,
}

/// The account that belongs to an identity which is not known yet: the one with the same address where
/// the settings say so, else a new one for whoever is invited, or for anybody.
async fn find_account(
    services: &Services,
    tx: &Tx,
    provider: &Provider,
    question: &Question,
    claims: &Claims,
    now: DateTime<Utc>,
) -> Result<AccountFound> {
    let settings = &provider.settings;
    // The provider's own directory has said who this is: nobody else gets in any more.
    if let Some(id) = &claims.directory_id
        && let Some(user) = people::find_by_external_id(tx, &settings.name, id).await?
        && let Some(known) = store::account::users::find_credentials(tx, user).await?
    {
        hand_over(services, tx, &known, now).await?;
        return Ok(AccountFound { user, joined: None, is_invited: false });
    }
    if let (true, Some(email)) = (settings.join_by_email, &claims.email)
        && let Some(known) = store::account::users::find_by_email(tx, email).await?
        && store::account::administration::find(tx, known.user.id).await?.is_some()
    {
        hand_over(services, tx, &known, now).await?;
        return Ok(AccountFound { user: known.user.id, joined: None, is_invited: false });
    }
    if let Asker::Invited(token) = &question.purpose {
        let account = account(claims)?;
        let (user, joined) = invitation::accept_by_provider(tx, token, &account, now).await?;
        return Ok(AccountFound { user, joined, is_invited: true });
    }
    if settings.accounts != Accounts::Any {
        let why = "no account here belongs to this sign-in; ask for an invitation";
        return Err(Code::UnknownIdentity.because(why).into());
    }
    // The first account administers the server: that is for whoever has set it up to say.
    let groups = claims.groups.as_deref().unwrap_or_default();
    if store::account::users::count(tx).await? == 0 && !settings.makes_administrator(groups) {
        let why = "this server is not set up yet";
        return Err(Code::UnknownIdentity.because(why).into());
    }
    let why = "this address has an account: sign in as before, then link this sign-in to it";
    let user = create(tx, &account(claims)?, NOBODYS, false, now, why).await?;
    audit(tx, Some(user), now, AuditEvent::CreateAccount, user).await?;
    Ok(AccountFound { user, joined: None, is_invited: false })
}

/// Ends whatever has opened an account before the provider's word does, or its directory's: nobody has verified
/// that whoever made it has its address, or linked what opens it.
pub(super) async fn hand_over(
    services: &Services,
    tx: &Tx,
    known: &Credentials,
    now: DateTime<Utc>,
) -> Result<()> {
    reset::replace(services, tx, known, NOBODYS).await?;
    identities::delete_of_user(tx, known.user.id).await?;
    second_factor::remove_all(tx, known.user.id, now).await
}

/// The account that a provider's word makes: no password opens it.
fn account(claims: &Claims) -> Result<NewAccount, domain::Error> {
    let email = verified_email(claims)?;
    let usual = email.split('@').next().unwrap_or(&email).to_owned();
    let said = claims.name.as_deref().unwrap_or(&usual);
    let name = check_name("name", "a name", said, 1..=100).unwrap_or(usual);
    Ok(NewAccount { email, name, password: String::new() })
}
