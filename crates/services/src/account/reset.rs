//! New passwords for those who have forgotten theirs: given by whoever runs the server, or chosen by
//! a link that an administrator has made or that was sent to them. The link works once, for a day.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{AuditEvent, Error as Refusal, MailKind, PasswordResetView, UserId, check_password};
use store::{Db, Tx, account::users::Credentials, outside::mail::Recipient};

use super::{
    audit,
    sign_in::{client::Client, device, failures::Try, provider::refuse_passwords},
};
use crate::{
    Result, Services,
    account::passwords::Owner,
    base::{change::mail::send_link, secrets::token},
};

/// How long a link is good for.
const WITHIN: TimeDelta = TimeDelta::days(1);

/// For how many seconds one link is sent, however often it is asked for.
const AGAIN_AFTER: i64 = 15 * 60;

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
/// Whether there is such an account, nobody learns: the answer is there before it is looked for.
pub fn send_reset_link(services: &Arc<Services>, email: &str) {
    let (services, email) = (Arc::clone(services), email.trim().to_owned());
    tokio::spawn(async move {
        if let Err(error) = send_link_to(&services, &email).await {
            tracing::warn!(%error, "a link to a new password could not be sent");
        }
    });
}

/// Sends the link, unless one was sent within the same quarter of an hour.
async fn send_link_to(services: &Services, email: &str) -> Result<()> {
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let known = store::account::users::find_by_email(&tx, email).await?;
    let Some(Credentials { user, .. }) = known.filter(|it| !it.is_disabled && !it.is_demo) else {
        return Ok(());
    };
    let (token, to) = (token::generate(), Recipient::Account(user.id));
    let matter = format!("{} {}", user.id, now.timestamp().div_euclid(AGAIN_AFTER));
    let kind = (MailKind::PasswordReset, None);
    if send_link(services, &tx, kind, to, (&matter, &token)).await? {
        keep_link(&tx, &token, None, user.id, now).await?;
    }
    Ok(tx.commit().await?)
}

/// Makes such a link for an account in the place of the one made before, by an administrator or by
/// whoever runs the server, who has been permitted to. The answer is its token; it is not kept.
pub(crate) async fn create_reset_link(
    tx: &Tx,
    by: Option<UserId>,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<String> {
    let token = token::generate();
    keep_link(tx, &token, by, user, now).await?;
    Ok(token)
}

async fn keep_link(
    tx: &Tx,
    token: &str,
    by: Option<UserId>,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<()> {
    let hash = token::hash(token);
    store::account::password_resets::create(tx, &hash, user, by, now, now + WITHIN).await?;
    audit(tx, by, now, AuditEvent::CreateResetLink, user).await
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
    let hash = services.passwords.choose(client.source(), password, owner).await?;
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
    let hash = services.passwords.choose(Client::LOCAL.source(), password, owner).await?;
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
