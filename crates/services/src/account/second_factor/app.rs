//! Setting up an app that makes codes, and taking it away again.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::{Actor, AuditEvent, Code, Error as Refusal, NewApp, UserId};
use rand::RngCore;
use totp_rs::Secret;

use super::{
    codes::{broken, check, codes, context, open},
    enrolling::{Enrolling, SetUp, enrolling, finish, proven, removed},
};
use crate::{
    Purpose, Result, Services,
    account::{audit, hold, sign_in::client::Client},
};

/// How long somebody has to scan the secret and type a code.
const WITHIN: TimeDelta = TimeDelta::minutes(15);

/// Begins to set an app up, by whoever is signed in and knows the present password, or is in the
/// middle of signing in. The app that is in use stays until the new one is confirmed.
pub async fn begin_app(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    present: String,
) -> Result<()> {
    let enrolling = proven(services, actor, client, present).await?;
    let user = enrolling.user().id;
    let mut secret = [0; 20];
    rand::rng().fill_bytes(&mut secret);
    let secret = Secret::new_stack(secret).to_base32();
    let sealed = services.key.seal(Purpose::SecondFactors, &context(user), &secret)?;
    let tx = services.store.begin().await?;
    hold(&tx, user).await?;
    store::account::second_factors::begin_app(&tx, user, &sealed, services.clock.now()).await?;
    Ok(tx.commit().await?)
}

/// The app that whoever is asking is setting up, for it to read.
pub async fn load_new_app(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
) -> Result<NewApp> {
    let enrolling = enrolling(services, actor, client).await?;
    let (_, secret) = find_new(services, enrolling.user().id).await?;
    let url = codes(&secret, &enrolling.user().email)?.to_url().map_err(broken)?;
    Ok(NewApp { secret, url })
}

/// Takes codes from the app from now on: its owner has typed one.
pub async fn confirm_app(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    code: &str,
) -> Result<SetUp> {
    let enrolling = enrolling(services, actor, client).await?;
    let user = enrolling.user();
    let (sealed, secret) = find_new(services, user.id).await?;
    let now = services.clock.now();
    let Some(step) = check(&codes(&secret, &user.email)?, code, now) else {
        let why = "this is not the app's current code";
        return Err(Code::WrongProof.of("code", why).into());
    };
    let tx = services.store.begin().await?;
    hold(&tx, user.id).await?;
    if !store::account::second_factors::confirm_app(&tx, user.id, &sealed, step, now).await? {
        return Err(Refusal::NotFound.into());
    }
    audit(&tx, Some(user.id), now, AuditEvent::SetUpAuthenticatorApp, user.id).await?;
    let set_up = finish(services, &tx, client, &enrolling, now).await?;
    tx.commit().await?;
    Ok(set_up)
}

/// Takes no codes from the app of whoever is asking any more.
pub async fn remove_app(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    present: String,
) -> Result<()> {
    let Enrolling::Own(user) = proven(services, actor, client, present).await? else {
        return Err(Refusal::SignInRequired.into());
    };
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    if !store::account::second_factors::delete_app(&tx, user.id).await? {
        return Err(Refusal::NotFound.into());
    }
    removed(services, &tx, client, &user, now).await?;
    audit(&tx, Some(user.id), now, AuditEvent::RemoveAuthenticatorApp, user.id).await?;
    Ok(tx.commit().await?)
}

/// The secret that is being set up, sealed and open; nothing once the time for it is over.
async fn find_new(services: &Services, user: UserId) -> Result<(String, String)> {
    let app = store::account::second_factors::find_app(&services.store, user).await?;
    let (sealed, since) = app.and_then(|app| app.new).ok_or(Refusal::NotFound)?;
    if services.clock.now() - since > WITHIN {
        return Err(Refusal::NotFound.into());
    }
    let secret = open(services, user, &sealed).ok_or(Refusal::NotFound)?;
    Ok((sealed, secret))
}
