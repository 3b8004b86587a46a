//! Signing in: first it is proven who somebody is, then their session starts.

use std::{sync::Arc, time::Duration};

use domain::{AuditEvent, Error as Refusal, User};

use super::{
    NewSession, audit,
    client::Client,
    device,
    failures::Try,
    refused::{self, Why},
    session,
};
use crate::{Result, Services, passwords::NOBODYS};

/// When a wrong sign-in is answered, at the earliest. Whatever is done for known and for unknown
/// addresses takes less time than this.
const ANSWER_AFTER: Duration = Duration::from_millis(250);

/// Starts a session for whoever knows the password. Says the same, after the same time, whether
/// the password is wrong or the address has no account.
pub async fn sign_in(
    services: &Arc<Services>,
    client: &Client,
    email: &str,
    password: String,
) -> Result<NewSession> {
    let proven = prove(services, client, email, password).await?;
    start(services, client, proven).await
}

/// Somebody of whom the password was right. Nothing else makes one.
pub(super) struct Proven {
    pub(super) user: User,
    tried: Try,
}

/// Checks a password, within the limits on how often somebody may try.
pub(super) async fn prove(
    services: &Arc<Services>,
    client: &Client,
    email: &str,
    password: String,
) -> Result<Proven> {
    let started = tokio::time::Instant::now();
    let email = email.trim().to_lowercase();
    let now = services.clock.now();
    // Reading only: nothing here waits for whoever is writing, whether there is an account or not.
    let known = store::users::find_by_email(&services.store, &email).await?;
    let tried = match device::known(services, client, &email).await? {
        Some(device) => Try::in_browser(&email, &device),
        None => Try::at_address(&email, client),
    };
    let whose = known.as_ref().map(|known| known.user.id);
    let refuse = |why| refused::count(services, whose, why, client.source());
    let stored = store::sign_in_failures::find(&services.store, &tried.subject).await?;
    if let Err((refusal, why)) = services.failures.count(&tried, stored, now) {
        refuse(why);
        return Err(refusal.into());
    }
    let hash = known.as_ref().map_or(NOBODYS, |known| known.password_hash.as_str()).to_owned();
    let right = match services.passwords.verify(client.source(), password, hash).await {
        Ok(right) => right,
        Err(error) => {
            services.failures.take_back(&tried);
            return Err(error);
        }
    };
    let why = match known {
        Some(known) if right && known.is_demo && services.demo.is_none() => Why::Demo,
        Some(known) if right && !known.is_disabled => {
            services.failures.forgive(&tried);
            return Ok(Proven { user: known.user, tried });
        }
        _ => Why::Password,
    };
    refuse(why);
    tokio::time::sleep_until(started + ANSWER_AFTER).await;
    Err(Refusal::WrongCredentials.into())
}

/// Starts the session of somebody who has proven who they are, in the place of the one that the
/// browser had.
pub(super) async fn start(
    services: &Arc<Services>,
    client: &Client,
    proven: Proven,
) -> Result<NewSession> {
    let now = services.clock.now();
    let user = proven.user.id;
    let tx = services.store.begin().await?;
    services.failures.forget(&proven.tried.subject);
    store::sign_in_failures::delete(&tx, &proven.tried.subject).await?;
    let session = session::start(services, &tx, client, user, now).await?;
    audit(&tx, Some(user), now, AuditEvent::SignIn, user).await?;
    tx.commit().await?;
    Ok(session)
}

/// Checks the password of somebody who is signed in and is about to change what others must not.
pub(super) async fn confirm(
    services: &Arc<Services>,
    client: &Client,
    user: &User,
    password: String,
) -> Result<()> {
    let now = services.clock.now();
    let known = store::users::find_credentials(&services.store, user.id).await?;
    let known = known.ok_or(Refusal::SignInRequired)?;
    let tried = Try::at_own(user.id);
    let stored = store::sign_in_failures::find(&services.store, &tried.subject).await?;
    let counted = services.failures.count(&tried, stored, now);
    counted.map_err(|(refusal, _)| refusal)?;
    let right = services.passwords.verify(client.source(), password, known.password_hash).await;
    if right.is_err() {
        services.failures.take_back(&tried);
    }
    if !right? {
        refused::count(services, Some(user.id), Why::Password, client.source());
        return Err(Refusal::invalid("present", "this is not your present password").into());
    }
    services.failures.start_anew(&tried);
    Ok(())
}
