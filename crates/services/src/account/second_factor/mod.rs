//! Second factors: what somebody signs in with beside their password.

mod app;
mod recovery;
mod step;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{Actor, AuditEvent, Code, Error as Refusal, SecondFactors, User, UserId};
use store::{Db, Tx};

use super::{
    audit, by_person, own,
    sign_in::{self, client::Client},
};
use crate::{Result, Services};

pub use app::{SetUp, begin_app, confirm_app, load_new_app, remove_app};
pub use recovery::make_recovery_codes;
pub use step::{FurtherStep, load_step, take_step};

pub(super) use app::finish;
pub(super) use step::{begin, enter};

/// Who is setting a second factor up.
pub(super) enum Enrolling {
    /// Somebody who is signed in.
    Own(User),
    /// Somebody who gets in once it is done: the server lets nobody in without one.
    Entering(User),
}

impl Enrolling {
    pub(super) fn user(&self) -> &User {
        match self {
            Self::Own(user) | Self::Entering(user) => user,
        }
    }
}

/// Who is setting a second factor up: whoever is signed in, or in the middle of it.
pub(super) async fn enrolling(
    services: &Services,
    actor: &Actor,
    client: &Client,
) -> Result<Enrolling> {
    if matches!(actor, Actor::Anonymous) {
        return Ok(Enrolling::Entering(step::entering(services, client).await?));
    }
    let user = by_person(actor)?;
    own::refuse_demo(services, user).await?;
    Ok(Enrolling::Own(user.clone()))
}

/// The same, proven by the present password where it was not proven a moment ago.
pub(super) async fn proven(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    present: String,
) -> Result<Enrolling> {
    let enrolling = enrolling(services, actor, client).await?;
    if let Enrolling::Own(user) = &enrolling {
        sign_in::confirm(services, client, user, present).await?;
    }
    Ok(enrolling)
}

/// Notes a factor that was just set up, in the transaction that stores it: other sessions end, and
/// an account gets recovery codes with its first factor. The answer is what is shown of them.
pub(super) async fn added(
    tx: &Tx,
    client: &Client,
    user: &User,
    now: DateTime<Utc>,
) -> Result<Vec<String>> {
    store::account::second_factors::refresh(tx, user.id, now).await?;
    own::end_others(tx, user, client).await?;
    if store::account::second_factors::count_recovery_codes(tx, user.id).await?.all > 0 {
        return Ok(Vec::new());
    }
    recovery::replace(tx, user.id, now).await
}

/// Notes that a factor was removed, in the transaction that does it; refuses to remove the last one
/// where the server asks for one.
pub(super) async fn removed(
    services: &Services,
    tx: &Tx,
    client: &Client,
    user: &User,
    now: DateTime<Utc>,
) -> Result<()> {
    store::account::second_factors::refresh(tx, user.id, now).await?;
    if services.requires_second_factor && !has_one(tx, user.id).await? {
        let why = "this server asks for a second factor: set another up before you remove this one";
        return Err(Code::LastOne.because(why).into());
    }
    own::end_others(tx, user, client).await
}

/// Refuses whoever has no second factor, before they ask it of others.
pub(crate) async fn refuse_without_second_factor(db: &impl Db, user: UserId) -> Result<()> {
    if has_one(db, user).await? {
        return Ok(());
    }
    let why =
        "set your own second factor up first: without one, the project would not open for you";
    Err(Code::NoSecondFactor.of("requires_second_factor", why).into())
}

async fn has_one(db: &impl Db, user: UserId) -> Result<bool> {
    let known = store::account::users::find_credentials(db, user).await?;
    Ok(known.is_some_and(|known| known.has_second_factor))
}

/// What somebody has.
pub(super) async fn list(services: &Services, user: UserId) -> Result<SecondFactors> {
    let db = services.store.begin_read().await?;
    let app = store::account::second_factors::find_app(&db, user).await?;
    let passkeys = store::account::passkeys::list_of_user(&db, user).await?;
    let codes = store::account::second_factors::count_recovery_codes(&db, user).await?;
    Ok(SecondFactors {
        app_since: app.and_then(|app| app.confirmed).map(|(_, since)| since),
        passkeys: passkeys.into_iter().map(store::account::passkeys::Passkey::shown).collect(),
        recovery_codes: (codes.unused, codes.all),
        required: services.requires_second_factor,
    })
}

/// Takes all second factors from the account with this address and ends its sessions, by whoever
/// runs the server: for people who have lost theirs.
pub async fn remove_second_factors_of(services: &Arc<Services>, email: &str) -> Result<()> {
    let known = store::account::users::find_by_email(&services.store, email.trim()).await?;
    let user = known.ok_or(Refusal::NotFound)?.user.id;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    remove_all(&tx, user, now).await?;
    audit(&tx, None, now, AuditEvent::RemoveSecondFactors, user).await?;
    Ok(tx.commit().await?)
}

/// Takes all second factors from an account and ends its sessions.
pub(crate) async fn remove_all(tx: &Tx, user: UserId, now: DateTime<Utc>) -> Result<()> {
    store::account::second_factors::delete_of_user(tx, user, now).await?;
    Ok(store::account::sessions::delete_of_user(tx, user, None).await?)
}
