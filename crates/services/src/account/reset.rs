//! New passwords for those who have forgotten theirs: given by whoever runs the server, or chosen by
//! a link that an administrator has made or that was sent to them. The link works once, for a day.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{AuditEvent, Error as Refusal, MailKind, PasswordResetView, UserId, check_password};
use store::{Db, Tx, account::users::Credentials, outside::mail::Recipient};
use tokio::task::JoinHandle;

use super::{
    audit, hold,
    sign_in::{client::Client, device, failures::Try, provider::refuse_passwords},
};
use crate::{
    Result, Services,
    account::passwords::{NOBODYS, Owner},
    base::{change::mail::send_link, secrets::token},
};

/// How long a link is good for.
const WITHIN: TimeDelta = TimeDelta::days(1);

/// How long after a link that was sent another one is, while that one can be used.
const AGAIN_AFTER: TimeDelta = TimeDelta::minutes(15);

/// How many links that can be used an account is sent.
const OPEN_AT_MOST: usize = 5;

/// How many links are made at the same time, for people who are not signed in: each may take a transaction.
pub(crate) const MADE_AT_ONCE: usize = 4;

/// Makes the link by which the owner of the account with this address chooses a new password, by
/// whoever runs the server. The answer is its token.
pub async fn create_reset_link_of(services: &Arc<Services>, email: &str) -> Result<String> {
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let known = store::account::users::find_by_email(&tx, email.trim()).await?;
    let user = known.ok_or(Refusal::NotFound)?.user.id;
    let token = create_reset_link(&tx, None, user, now).await?;
    tx.commit().await?;
    Ok(token)
}

/// Has such a link be sent to the owner of the account with this address, who has forgotten their password.
/// Whether there is such an account, nobody learns: the answer is there before it is looked for, and nobody has
/// to wait for what it holds. Asking counts as a wrong password from where it comes.
pub fn send_reset_link(
    services: &Arc<Services>,
    client: &Client,
    email: &str,
) -> Result<JoinHandle<()>> {
    refuse_passwords(services)?;
    services.failures.count_source(client.network(), services.clock.now())?;
    let making = Arc::clone(&services.resets).try_acquire_owned();
    let making = making.map_err(|_| Refusal::TooManyAttempts { seconds: 2 })?;
    let (services, email) = (Arc::clone(services), email.trim().to_owned());
    Ok(tokio::spawn(async move {
        let _making = making;
        if let Err(error) = send_link_to(&services, &email).await {
            tracing::warn!(%error, "a link to a new password could not be sent");
        }
    }))
}

/// Sends the link, unless the account has one that was sent lately, or many. Nothing is written where none is
/// sent: anybody can ask.
async fn send_link_to(services: &Services, email: &str) -> Result<()> {
    let now = services.clock.now();
    let known = store::account::users::find_by_email(&services.store, email).await?;
    let Some(Credentials { user, .. }) = known.filter(may_be_sent_link) else { return Ok(()) };
    // Of two who ask at the same time, both have the same last mail, and one is sent.
    let kind = MailKind::PasswordReset;
    let last = store::outside::mail::last_of(&services.store, kind, user.id).await?;
    let sent = store::account::password_resets::list_sent(&services.store, user.id, now).await?;
    if sent.len() >= OPEN_AT_MOST || sent.first().is_some_and(|at| now - *at < AGAIN_AFTER) {
        return Ok(());
    }
    let (token, to) = (token::generate(), Recipient::Account(user.id));
    let matter = format!("{} after {}", user.id, last.map_or(0, |mail| mail.0));
    let tx = services.store.begin().await?;
    hold(&tx, user.id).await?;
    if send_link(services, &tx, (kind, None), to, (&matter, &token)).await? {
        let hash = token::hash(&token);
        store::account::password_resets::add_sent(&tx, &hash, user.id, now, now + WITHIN).await?;
        audit(&tx, None, now, AuditEvent::CreateResetLink, user.id).await?;
    }
    Ok(tx.commit().await?)
}

/// Whether somebody signs in with this account by a password: nobody gets one for an account that only a
/// provider opens by reading its mail.
fn may_be_sent_link(known: &Credentials) -> bool {
    !known.is_disabled && !known.is_demo && known.password_hash != NOBODYS
}

/// Makes such a link for an account in the place of those of before, by an administrator or by
/// whoever runs the server, who has been permitted to. The answer is its token; it is not kept.
pub(crate) async fn create_reset_link(
    tx: &Tx,
    by: Option<UserId>,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<String> {
    let token = token::generate();
    let hash = token::hash(&token);
    store::account::password_resets::create(tx, &hash, user, by, now, now + WITHIN).await?;
    audit(tx, by, now, AuditEvent::CreateResetLink, user).await?;
    Ok(token)
}

/// Whose password a link changes. Open to everybody who holds it.
pub async fn load_reset(services: &Arc<Services>, token: &str) -> Result<PasswordResetView> {
    let (known, expires_at) = find(&services.store, token, services.clock.now()).await?;
    Ok(PasswordResetView { name: known.user.name, email: known.user.email, expires_at })
}

/// Gives the account of a link the password that whoever holds it chose, and uses the link up. All
/// sessions and tokens end; this browser counts as one that its owner has signed in with. The answer
/// is the token by which it is known.
pub async fn choose_password(
    services: &Arc<Services>,
    client: &Client,
    token: &str,
    password: String,
) -> Result<String> {
    refuse_passwords(services)?;
    let now = services.clock.now();
    // Looked up before the password is hashed: hashing is work that only a link buys.
    let (known, _) = find(&services.store, token, now).await?;
    let user = &known.user;
    check_password(&password, &user.email)?;
    let owner = Owner::new(&user.email, &user.name);
    let hash = services.passwords.choose(client.network(), password, owner).await?;
    let tx = services.store.begin().await?;
    if !store::account::password_resets::use_up(&tx, &token::hash(token)).await? {
        return Err(Refusal::NotFound.into());
    }
    replace(services, &tx, &known, &hash).await?;
    let device = device::note(&tx, client, user.id, now).await?;
    audit(&tx, Some(user.id), now, AuditEvent::ResetPassword, user.id).await?;
    tx.commit().await?;
    Ok(device)
}

/// Gives an account a new password and ends its sessions and tokens, by whoever runs the server.
pub async fn reset_password(services: &Arc<Services>, email: &str, password: String) -> Result<()> {
    let email = email.trim().to_lowercase();
    check_password(&password, &email)?;
    let known = store::account::users::find_by_email(&services.store, &email).await?;
    let known = known.ok_or(Refusal::NotFound)?;
    let owner = Owner::new(&email, &known.user.name);
    let hash = services.passwords.choose(Client::LOCAL.network(), password, owner).await?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    replace(services, &tx, &known, &hash).await?;
    audit(&tx, None, now, AuditEvent::ResetPassword, known.user.id).await?;
    Ok(tx.commit().await?)
}

async fn find(
    db: &impl Db,
    token: &str,
    now: DateTime<Utc>,
) -> Result<(Credentials, DateTime<Utc>)> {
    let reset = store::account::password_resets::find(db, &token::hash(token), now).await?;
    let reset = reset.ok_or(Refusal::NotFound)?;
    let known = store::account::users::find_credentials(db, reset.user).await?;
    Ok((known.ok_or(Refusal::NotFound)?, reset.expires_at))
}

/// Replaces a password, and ends whatever the old one has opened.
pub(super) async fn replace(
    services: &Services,
    tx: &Tx,
    known: &Credentials,
    hash: &str,
) -> Result<()> {
    let user = known.user.id;
    store::account::users::set_password(tx, user, hash).await?;
    let subject = Try::at_address(&known.user.email, &Client::LOCAL).subject;
    services.failures.forget(&subject);
    store::account::sign_in_failures::delete(tx, &subject).await?;
    store::account::sessions::delete_of_user(tx, user, None).await?;
    store::account::devices::delete_of_user(tx, user, None).await?;
    store::account::password_resets::delete_of_user(tx, user).await?;
    Ok(store::account::tokens::delete_of_user(tx, user).await?)
}
