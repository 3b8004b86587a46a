//! Signing in: first it is proven who somebody is, then their session starts.

pub(crate) mod agent;
pub(crate) mod client;
pub(crate) mod device;
pub(crate) mod failures;
pub(crate) mod provider;
pub(crate) mod refused;
pub(crate) mod throttle;

use std::{sync::Arc, time::Duration};

use domain::{Code, Error as Refusal, User, UserId};

use super::{
    NewSession,
    second_factor::{FurtherStep, begin, enter},
    sign_in::{client::Client, failures::Try, provider::refuse_passwords, refused::Why},
};
use crate::{Result, Services, account::passwords::NOBODYS};

/// When a wrong sign-in is answered, at the earliest. Whatever is done for known and for unknown
/// addresses takes less time than this.
pub(super) const ANSWER_AFTER: Duration = Duration::from_millis(250);

/// How far signing in has come.
pub enum SignedIn {
    /// To a session.
    Done(NewSession),
    /// To a second step: there is a second factor to prove, or one to set up.
    Further(FurtherStep),
}

impl SignedIn {
    /// The session, if it has come to one.
    pub fn session(self) -> Option<NewSession> {
        match self {
            Self::Done(session) => Some(session),
            Self::Further(_) => None,
        }
    }
}

/// Starts a session for whoever knows the password, or leads them to what else it takes. Says the
/// same, after the same time, whether the password is wrong or the address has no account.
pub async fn sign_in(
    services: &Arc<Services>,
    client: &Client,
    email: &str,
    password: String,
) -> Result<SignedIn> {
    refuse_passwords(services)?;
    let proven = prove(services, client, email, password).await?;
    if let Some(step) = further(services, &proven)? {
        services.failures.start_anew(&proven.tried);
        return Ok(SignedIn::Further(step));
    }
    Ok(SignedIn::Done(start(services, client, proven).await?))
}

/// The second step of signing in, for whoever has to take one.
fn further(services: &Services, proven: &Proven) -> Result<Option<FurtherStep>> {
    if !proven.has_second_factor && !services.requires_second_factor {
        return Ok(None);
    }
    begin(services, proven.user.id, &proven.password_hash).map(Some)
}

/// The same for an account that was just created.
pub(super) fn further_of_new(
    services: &Services,
    user: UserId,
    password_hash: &str,
) -> Result<Option<FurtherStep>> {
    if !services.requires_second_factor {
        return Ok(None);
    }
    begin(services, user, password_hash).map(Some)
}

/// Somebody of whom the password was right. Nothing else makes one.
struct Proven {
    user: User,
    password_hash: String,
    has_second_factor: bool,
    tried: Try,
}

/// Checks a password, within the limits on how often somebody may try.
async fn prove(
    services: &Arc<Services>,
    client: &Client,
    email: &str,
    password: String,
) -> Result<Proven> {
    let started = tokio::time::Instant::now();
    let email = email.trim().to_lowercase();
    let now = services.clock.now();
    // Reading only: nothing here waits for whoever is writing, whether there is an account or not.
    let known = store::account::users::find_by_email(&services.store, &email).await?;
    let tried = match device::known(services, client, &email).await? {
        Some(device) => Try::in_browser(&email, &device),
        None => Try::at_address(&email, client),
    };
    let whose = known.as_ref().map(|known| known.user.id);
    let refuse = |why| refused::count(services, whose, why, client.network());
    let stored = store::account::sign_in_failures::find(&services.store, &tried.subject).await?;
    if let Err((refusal, why)) = services.failures.count(&tried, stored, now) {
        refuse(why);
        return Err(refusal.into());
    }
    let hash = known.as_ref().map_or(NOBODYS, |known| known.password_hash.as_str()).to_owned();
    let right = match services.passwords.verify(client.network(), password, hash).await {
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
            return Ok(Proven {
                user: known.user,
                password_hash: known.password_hash,
                has_second_factor: known.has_second_factor,
                tried,
            });
        }
        _ => Why::Password,
    };
    refuse(why);
    tokio::time::sleep_until(started + ANSWER_AFTER).await;
    Err(Refusal::WrongCredentials.into())
}

/// Starts the session of somebody who has proven who they are, in the place of the one that the
/// browser had.
async fn start(services: &Arc<Services>, client: &Client, proven: Proven) -> Result<NewSession> {
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    services.failures.forget(&proven.tried.subject);
    store::account::sign_in_failures::delete(&tx, &proven.tried.subject).await?;
    let session = enter(services, &tx, client, &proven.user, now).await?;
    tx.commit().await?;
    metrics::counter!("concord_sign_ins_total").increment(1);
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
    let known = store::account::users::find_credentials(&services.store, user.id).await?;
    let known = known.ok_or(Refusal::SignInRequired)?;
    let tried = Try::at_own(user.id);
    let stored = store::account::sign_in_failures::find(&services.store, &tried.subject).await?;
    let counted = services.failures.count(&tried, stored, now);
    counted.map_err(|(refusal, _)| refusal)?;
    let right = services.passwords.verify(client.network(), password, known.password_hash).await;
    if right.is_err() {
        services.failures.take_back(&tried);
    }
    if !right? {
        refused::count(services, Some(user.id), Why::Password, client.network());
        return Err(Code::WrongProof.of("present", "this is not your current password").into());
    }
    services.failures.start_anew(&tried);
    Ok(())
}
