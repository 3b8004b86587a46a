//! Accounts: signing in and out, sessions, invitations and the first account of an installation.

pub mod administration;
mod api_token;
mod invitation;
mod keys;
mod own;
mod passkeys;
pub mod passwords;
mod reset;
mod second_factor;
mod session;
mod sign_in;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{
    Actor, AuditEvent, Code, DemoSignIn, Error as Refusal, Network, NewAccount, User, UserId,
};
use serde_json::json;
use store::{Tx, outside::audit::Audit};

pub(crate) use api_token::create_model_token;
pub use api_token::{
    actor_of_token, create_token, create_token_of, list_tokens, list_tokens_of, revoke_token,
    revoke_token_of,
};
pub use invitation::{accept, create_setup_link, join, load_invitation};
pub use keys::{load_keys, save_keys};
pub use own::{change_email, change_password, load_own};
pub use passkeys::{
    MadePasskey, RelyingParty, add_passkey, begin_passkey, begin_passkey_sign_in, remove_passkey,
    sign_in_with_passkey,
};
pub(crate) use reset::{MADE_AT_ONCE, create_reset_link as create_reset_link_in};
pub use reset::{
    choose_password, create_reset_link_of, load_reset, reset_password, send_reset_link,
};
pub use second_factor::{
    FurtherStep, SetUp, begin_app, confirm_app, load_new_app, load_step, make_recovery_codes,
    remove_app, remove_second_factors_of, take_step,
};
pub use session::{NewSession, SessionTimes, actor_of, end_session, sign_out, sign_out_everywhere};
pub use sign_in::client::Client;
pub use sign_in::provider::{
    Accounts, Answer, Asked, Entered, ProjectRole, ProviderSettings, QUESTION_KEPT, Wanted,
    ask_provider, end_by_provider, enter_by_provider, scim, sign_in_ways, unlink_identities_of,
    unlink_identity,
};
pub use sign_in::{SignedIn, sign_in};

pub(crate) use second_factor::remove_all;
pub(crate) use sign_in::device::KNOWN_FOR;
pub(crate) use sign_in::failures::{SignInFailures, keep_failures, store_failures};
pub(crate) use sign_in::provider::Providers;
pub(crate) use sign_in::throttle::{FROM_ONE_PLACE, Pace};

use crate::{Result, Services, account::passwords::Owner};

/// Who is signed in, if anybody.
pub fn viewer(actor: Actor) -> Option<User> {
    match actor {
        Actor::Anonymous | Actor::Directory(_) => None,
        Actor::Person(user) | Actor::Token(user, _) => Some(user),
    }
}

/// Whether people are sent links by mail, or only given them.
pub fn sends_mail(services: &Arc<Services>) -> bool {
    services.mail.is_some()
}

/// The sign-ins of the demo; none on any other server.
pub fn demo_sign_ins(services: &Arc<Services>) -> Vec<DemoSignIn> {
    services.demo.clone().unwrap_or_default()
}

/// The person who is asking, by themselves: what opens an account is not for programs to change.
fn by_person(actor: &Actor) -> Result<&User, Refusal> {
    match actor {
        Actor::Person(user) => Ok(user),
        Actor::Anonymous => Err(Refusal::SignInRequired),
        Actor::Token(..) | Actor::Directory(_) => {
            Err(Code::PeopleOnly.because("only people can do this, not programs"))
        }
    }
}

/// Holds an account that is enabled: nobody disables or erases it before the transaction ends, and nothing is written
/// about one that was while somebody asked.
async fn hold(tx: &Tx, user: UserId) -> Result<()> {
    if store::account::users::lock_enabled(tx, user).await? {
        return Ok(());
    }
    Err(Code::AccountDisabled.because("this account is disabled").into())
}

/// Creates an account, by whoever runs the server.
pub async fn add_user(
    services: &Arc<Services>,
    account: NewAccount,
    may_create_projects: bool,
) -> Result<UserId> {
    let account = account.checked()?;
    let owner = Owner::new(&account.email, &account.name);
    let password = account.password.clone();
    let hash = services.passwords.choose(Network::LOCAL, password, owner).await?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let why = "this address already has an account";
    let user = create(&tx, &account, &hash, may_create_projects, now, why).await?;
    audit(&tx, None, now, AuditEvent::AddUser, user).await?;
    tx.commit().await?;
    Ok(user)
}

/// Lets the owner of an account create projects, or not any more, by whoever runs the server.
pub async fn set_may_create_projects_of(
    services: &Arc<Services>,
    email: &str,
    may: bool,
) -> Result<()> {
    let known = store::account::users::find_by_email(&services.store, email.trim()).await?;
    let user = known.ok_or(Refusal::NotFound)?.user.id;
    let tx = services.store.begin().await?;
    set_may_create_projects(services, &tx, None, user, may).await?;
    Ok(tx.commit().await?)
}

/// The same, by an administrator or by whoever runs the server, who has been permitted to.
pub(crate) async fn set_may_create_projects(
    services: &Services,
    tx: &Tx,
    by: Option<UserId>,
    user: UserId,
    may: bool,
) -> Result<()> {
    store::account::users::set_may_create_projects(tx, user, may).await?;
    let event = if may { AuditEvent::AllowProjects } else { AuditEvent::RefuseProjects };
    audit(tx, by, services.clock.now(), event, user).await
}

/// Creates an account, or refuses an address that has one and says `why`. The first account of a
/// server administers it.
async fn create(
    tx: &Tx,
    account: &NewAccount,
    hash: &str,
    may_create_projects: bool,
    now: DateTime<Utc>,
    why: &str,
) -> Result<UserId> {
    let (email, name) = (account.email.as_str(), account.name.as_str());
    let is_first = store::account::users::count(tx).await? == 0;
    let user = match store::account::users::create(tx, email, name, hash, may_create_projects, now)
        .await
    {
        Err(store::Error::Duplicate(_)) => return Err(Code::Taken.of("email", why).into()),
        created => created?,
    };
    if is_first {
        store::account::administration::set_administrator(tx, user, true).await?;
    }
    Ok(user)
}

/// Records something that was done to an account and belongs to no project.
pub(crate) async fn audit(
    tx: &Tx,
    by: Option<UserId>,
    at: DateTime<Utc>,
    event: AuditEvent,
    whose: UserId,
) -> Result<()> {
    audit_of(tx, by, at, event, format!("user {whose}")).await
}

/// Records an action that belongs to no project.
async fn audit_of(
    tx: &Tx,
    by: Option<UserId>,
    at: DateTime<Utc>,
    event: AuditEvent,
    subject: String,
) -> Result<()> {
    let row =
        Audit { project: None, user: by, at, event, subject, detail: json!({}), revision: None };
    Ok(store::outside::audit::append(tx, row).await?)
}
