//! The second step of signing in, between the password and the session. What the first step has
//! proven is in a cookie, sealed: nothing is stored of whoever stops halfway.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::{AuditEvent, Code, Error as Refusal, SignInStep, User, UserId};
use serde::{Deserialize, Serialize};
use store::{Tx, account::users::Credentials};

use super::{codes, recovery_codes};
use crate::{
    Purpose, Result, Services,
    account::{
        NewSession, audit, hold, session,
        sign_in::{
            client::Client,
            device,
            failures::Try,
            refused::{self, Why},
        },
    },
    base::secrets::token,
};

/// How long the first step is good for.
const WITHIN: TimeDelta = TimeDelta::minutes(10);

const CONTEXT: &str = "step of signing in";

/// Whoever has proven the first factor needs another one.
pub struct FurtherStep {
    /// What the browser comes back with; nobody can read or change it.
    pub token: String,
}

/// What a token holds.
#[derive(Serialize, Deserialize)]
struct Proven {
    user: UserId,
    at: DateTime<Utc>,
    /// A hash of what is stored of the password: another password makes the step void.
    password: String,
}

/// Begins the second step for an account of which the password was right.
pub(in crate::account) fn begin(
    services: &Services,
    user: UserId,
    password_hash: &str,
) -> Result<FurtherStep> {
    let password = token::hash(password_hash);
    let proven = Proven { user, at: services.clock.now(), password };
    let text = serde_json::to_string(&proven).map_err(crate::Error::broken)?;
    Ok(FurtherStep { token: services.key.seal(Purpose::SecondFactors, CONTEXT, &text)? })
}

/// The account of which the browser has proven the password a moment ago.
async fn find(services: &Services, client: &Client) -> Result<Credentials> {
    let known = async {
        let sealed = client.step.as_deref()?;
        let text = services.key.open(Purpose::SecondFactors, CONTEXT, sealed).ok()?;
        let proven: Proven = serde_json::from_str(&text).ok()?;
        (services.clock.now() - proven.at <= WITHIN).then_some(proven)
    };
    let proven = known.await.ok_or(Refusal::SignInRequired)?;
    let known = store::account::users::find_credentials(&services.store, proven.user).await?;
    let is_same = |known: &Credentials| {
        !known.is_disabled && token::hash(&known.password_hash) == proven.password
    };
    Ok(known.filter(is_same).ok_or(Refusal::SignInRequired)?)
}

/// Whoever gets in once they have set a second factor up. With one, nobody sets up another before
/// they have used it.
pub(super) async fn entering(services: &Services, client: &Client) -> Result<User> {
    let known = find(services, client).await?;
    if known.has_second_factor || !services.requires_second_factor {
        return Err(Refusal::SignInRequired.into());
    }
    Ok(known.user)
}

/// What is missing of signing in, for whoever is in the middle of it.
pub async fn load_step(services: &Arc<Services>, client: &Client) -> Result<SignInStep> {
    let known = find(services, client).await?;
    let app = store::account::second_factors::find_app(&services.store, known.user.id).await?;
    Ok(SignInStep {
        email: known.user.email,
        sets_up: !known.has_second_factor,
        has_passkey: store::account::passkeys::exist_of_user(&services.store, known.user.id)
            .await?,
        has_app: app.is_some_and(|app| app.confirmed.is_some()),
    })
}

/// Starts the session of whoever has proven the first factor, by a code of their app or a recovery
/// code. Either works once.
pub async fn take_step(
    services: &Arc<Services>,
    client: &Client,
    code: &str,
) -> Result<NewSession> {
    let user = find(services, client).await?.user;
    let now = services.clock.now();
    let tried = match device::known(services, client, &user.email).await? {
        Some(device) => Try::second_in_browser(user.id, &device),
        None => Try::second_of(user.id),
    };
    let refuse = |why| refused::count(services, Some(user.id), why, client.network());
    let stored = store::account::sign_in_failures::find(&services.store, &tried.subject).await?;
    if let Err((refusal, why)) = services.failures.count(&tried, stored, now) {
        refuse(why);
        return Err(refusal.into());
    }
    let step = codes::step_of(services, &user, code, now).await?;
    let tx = services.store.begin().await?;
    hold(&tx, user.id).await?;
    let is_right = match step {
        Some(step) => store::account::second_factors::use_step(&tx, user.id, step).await?,
        None => use_recovery_code(&tx, user.id, code, now).await?,
    };
    if !is_right {
        refuse(Why::Code);
        let why = "this code is wrong or already used";
        return Err(Code::WrongProof.of("code", why).into());
    }
    services.failures.forget(&tried.subject);
    store::account::sign_in_failures::delete(&tx, &tried.subject).await?;
    let session = enter(services, &tx, client, &user, now).await?;
    tx.commit().await?;
    Ok(session)
}

async fn use_recovery_code(tx: &Tx, user: UserId, code: &str, now: DateTime<Utc>) -> Result<bool> {
    let is_right = store::account::second_factors::use_recovery_code(
        tx,
        user,
        &recovery_codes::hash(code),
        now,
    )
    .await?;
    if is_right {
        audit(tx, Some(user), now, AuditEvent::UseRecoveryCode, user).await?;
    }
    Ok(is_right)
}

/// Starts the session of somebody who has proven all that there is to prove.
pub(in crate::account) async fn enter(
    services: &Services,
    tx: &Tx,
    client: &Client,
    user: &User,
    now: DateTime<Utc>,
) -> Result<NewSession> {
    let session = session::start(services, tx, client, user.id, None, now).await?;
    audit(tx, Some(user.id), now, AuditEvent::SignIn, user.id).await?;
    Ok(session)
}
