//! Apps that make codes from a secret and the time (RFC 6238): six digits, a new code every thirty
//! seconds, HMAC-SHA-1, as all of them do.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{Actor, AuditEvent, Code, Error as Refusal, NewApp, User, UserId};
use rand::RngCore;
use store::Tx;
use totp_rs::{Algorithm, Builder, Secret, Totp};

use super::{Enrolling, added, enrolling, proven, removed, step};
use crate::{
    Error, Purpose, Result, Services,
    account::{NewSession, audit, sign_in::client::Client},
};

/// How long somebody has to scan the secret and type a code.
const WITHIN: TimeDelta = TimeDelta::minutes(15);

/// The name by which apps know the server.
const ISSUER: &str = "Concord";

/// How many codes before and after the present one are taken: clocks differ.
const SKEW: u16 = 1;

/// Seconds for which a code is the present one.
const STEP: u64 = 30;

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

/// What setting a second factor up came to.
pub struct SetUp {
    /// The account's recovery codes, if these are its first.
    pub recovery_codes: Vec<String>,
    /// The session of whoever got in by it.
    pub session: Option<NewSession>,
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
        let why = "this is not the code that the app shows now";
        return Err(Code::WrongProof.of("code", why).into());
    };
    let tx = services.store.begin().await?;
    if !store::account::second_factors::confirm_app(&tx, user.id, &sealed, step, now).await? {
        return Err(Refusal::NotFound.into());
    }
    audit(&tx, Some(user.id), now, AuditEvent::SetUpAuthenticatorApp, user.id).await?;
    let set_up = finish(services, &tx, client, &enrolling, now).await?;
    tx.commit().await?;
    Ok(set_up)
}

/// Ends setting a factor up: whoever was in the middle of signing in gets in.
pub(in crate::account) async fn finish(
    services: &Services,
    tx: &Tx,
    client: &Client,
    enrolling: &Enrolling,
    now: DateTime<Utc>,
) -> Result<SetUp> {
    let recovery_codes = added(tx, client, enrolling.user(), now).await?;
    let session = match enrolling {
        Enrolling::Own(_) => None,
        Enrolling::Entering(user) => Some(step::enter(services, tx, client, user, now).await?),
    };
    Ok(SetUp { recovery_codes, session })
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

/// The step of time that a code of somebody's app is of; none if it is not right.
pub(super) async fn step_of(
    services: &Services,
    user: &User,
    code: &str,
    now: DateTime<Utc>,
) -> Result<Option<i64>> {
    let app = store::account::second_factors::find_app(&services.store, user.id).await?;
    let Some((sealed, _)) = app.and_then(|app| app.confirmed) else { return Ok(None) };
    let Some(secret) = open(services, user.id, &sealed) else { return Ok(None) };
    Ok(check(&codes(&secret, &user.email)?, code, now))
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

/// A secret that was sealed with another key of the server opens nothing: its owner has recovery
/// codes, and an administrator.
fn open(services: &Services, user: UserId, sealed: &str) -> Option<String> {
    let opened = services.key.open(Purpose::SecondFactors, &context(user), sealed);
    opened
        .inspect_err(|error| tracing::error!(%user, %error, "an app's codes cannot be checked"))
        .ok()
}

fn context(user: UserId) -> String {
    format!("authenticator app of user {user}")
}

/// The codes of a secret, base32.
fn codes(secret: &str, email: &str) -> Result<Totp> {
    let secret = Secret::try_from_base32(secret).map_err(broken)?;
    let codes = Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(6)
        .with_skew(SKEW)
        .with_step_duration(STEP)
        .with_secret(secret)
        .with_issuer(Some(ISSUER))
        // A colon would end the name of the server in the address that apps read.
        .with_account_name(email.replace(':', ""))
        .build();
    codes.map_err(broken)
}

fn broken(error: impl std::fmt::Display) -> Error {
    Error::broken(error.to_string())
}

/// The step of time that a code is of, if it is right at this moment.
fn check(codes: &Totp, code: &str, now: DateTime<Utc>) -> Option<i64> {
    let code: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let seconds = u64::try_from(now.timestamp()).ok()?;
    i64::try_from(codes.check(&code, seconds)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B, of which apps show the last six digits.
        let secret = Secret::from(b"12345678901234567890".to_vec()).to_base32();
        let codes = codes(&secret, "a:b@example.org").unwrap();
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(check(&codes, code, at(seconds)), Some(seconds / 30));
            assert_eq!(
                check(&codes, &format!(" {} {}", &code[..3], &code[3..]), at(seconds)),
                Some(seconds / 30)
            );
            assert_eq!(check(&codes, code, at(seconds + 30)), Some(seconds / 30));
            assert_eq!(check(&codes, code, at(seconds + 90)), None);
        }
        for wrong in ["", "28708", "2870822", "+87082", "２８７０８２"] {
            assert_eq!(check(&codes, wrong, at(59)), None, "{wrong}");
        }
        let url = codes.to_url().unwrap();
        assert!(url.starts_with("otpauth://totp/Concord:ab%40example.org?secret="), "{url}");
    }
}
