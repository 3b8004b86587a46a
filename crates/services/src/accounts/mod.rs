//! Accounts: signing in and out, sessions, invitations and the first account of an installation.

mod api_token;
mod invitation;
mod keys;
mod session;
mod throttle;
pub(crate) mod token;

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use domain::{
    Actor, AuditEvent, DemoSignIn, Error as Refusal, NewAccount, User, UserId, check_password,
};
use serde_json::json;
use store::{Tx, audit::Audit, users::Credentials};

pub use api_token::{
    actor_of_token, create_token, create_token_of, list_tokens, list_tokens_of, revoke_token,
    revoke_token_of,
};
pub use invitation::{accept, create_setup_link, join, load_invitation};
pub use keys::{load_keys, save_keys};
pub use session::{NewSession, actor_of, sign_out};
pub(crate) use throttle::Strangers;

use crate::{Result, Services, passwords::NOBODYS};
use throttle::Failures;

/// When a wrong sign-in is answered, at the earliest: what is stored of a failure differs between
/// known and unknown addresses, and takes less time than this.
const ANSWER_AFTER: Duration = Duration::from_millis(250);

/// Who is signed in, if anybody.
pub fn viewer(actor: Actor) -> Option<User> {
    match actor {
        Actor::Anonymous => None,
        Actor::Person(user) | Actor::Token(user, _) => Some(user),
    }
}

/// The sign-ins of the demo; none on any other server.
pub fn demo_sign_ins(services: &Arc<Services>) -> Vec<DemoSignIn> {
    services.demo.as_ref().map(|demo| demo.sign_ins().to_vec()).unwrap_or_default()
}

/// Starts a session for whoever knows the password. Says the same, after the same time, whether
/// the password is wrong or the address has no account.
pub async fn sign_in(
    services: &Arc<Services>,
    email: &str,
    password: String,
) -> Result<NewSession> {
    let started = tokio::time::Instant::now();
    let email = email.trim().to_lowercase();
    let now = services.clock.now();
    let known = count_try(services, &email, now).await?;
    let hash = known.as_ref().map_or(NOBODYS, |known| known.password_hash.as_str()).to_owned();
    let right = services.passwords.verify(password, hash).await?;
    let Some(known) = known.filter(|known| right && !known.is_disabled) else {
        tokio::time::sleep_until(started + ANSWER_AFTER).await;
        return Err(Refusal::WrongCredentials.into());
    };

    let tx = services.store.begin().await?;
    store::users::clear_failures(&tx, known.user.id).await?;
    let session = session::start(&tx, known.user.id, now).await?;
    audit(&tx, Some(known.user.id), now, AuditEvent::SignIn, known.user.id).await?;
    tx.commit().await?;
    Ok(session)
}

/// Counts a try before it is made and takes it back only when the password is right, so that many
/// tries at the same moment count as many.
async fn count_try(
    services: &Services,
    email: &str,
    now: DateTime<Utc>,
) -> Result<Option<Credentials>> {
    let Some(known) = store::users::find_by_email(&services.store, email).await? else {
        services.passwords.strangers().count(email, now)?;
        return Ok(None);
    };
    failures(&known).check(now)?;
    let tx = services.store.begin().await?;
    let Some(known) = store::users::lock(&tx, known.user.id).await? else { return Ok(None) };
    failures(&known).check(now)?;
    let counted = failures(&known).one_more(now);
    store::users::record_failure(&tx, known.user.id, counted.count, counted.locked_until).await?;
    tx.commit().await?;
    Ok(Some(known))
}

fn failures(known: &Credentials) -> Failures {
    Failures { count: known.failed_attempts, locked_until: known.locked_until }
}

/// Creates an account, by whoever runs the server.
pub async fn add_user(
    services: &Arc<Services>,
    account: NewAccount,
    may_create_projects: bool,
) -> Result<UserId> {
    let account = account.checked()?;
    let hash = services.passwords.hash(account.password.clone()).await?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let why = "this address has an account already";
    let user = create(&tx, &account, &hash, may_create_projects, now, why).await?;
    audit(&tx, None, now, AuditEvent::AddUser, user).await?;
    tx.commit().await?;
    Ok(user)
}

/// Gives an account a new password and ends its sessions and tokens, by whoever runs the server.
pub async fn reset_password(
    services: &Arc<Services>,
    email: &str,
    new_password: String,
) -> Result<()> {
    let email = email.trim().to_lowercase();
    check_password(&new_password, &email)?;
    let hash = services.passwords.hash(new_password).await?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let known = store::users::find_by_email(&tx, &email).await?;
    let user = known.ok_or(Refusal::NotFound)?.user.id;
    store::users::set_password(&tx, user, &hash).await?;
    store::users::clear_failures(&tx, user).await?;
    store::sessions::delete_of_user(&tx, user, None).await?;
    store::api_tokens::delete_of_user(&tx, user).await?;
    audit(&tx, None, now, AuditEvent::ResetPassword, user).await?;
    tx.commit().await?;
    Ok(())
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
    let is_first = store::users::count(tx).await? == 0;
    let user = match store::users::create(tx, email, name, hash, may_create_projects, now).await {
        Err(store::Error::Duplicate(_)) => return Err(Refusal::invalid("email", why).into()),
        created => created?,
    };
    if is_first {
        store::administration::set_administrator(tx, user, true).await?;
    }
    Ok(user)
}

/// Records an action that belongs to no project.
pub(crate) async fn audit(
    tx: &Tx,
    by: Option<UserId>,
    at: DateTime<Utc>,
    event: AuditEvent,
    whose: UserId,
) -> Result<()> {
    let row = Audit {
        project: None,
        user: by,
        at,
        event,
        subject: format!("user {whose}"),
        detail: json!({}),
        revision: None,
    };
    Ok(store::audit::append(tx, row).await?)
}
