//! What is the same for every kind of second factor while it is set up or taken away.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{Actor, Code, User};
use store::Tx;

use super::{recovery_codes, step};
use crate::{
    Result, Services,
    account::{
        NewSession, by_person, own,
        sign_in::{client::Client, confirm, provider::refuse_stale},
    },
    base::access::has_second_factor,
};

/// Who is setting a second factor up.
pub(in crate::account) enum Enrolling {
    /// Somebody who is signed in.
    Own(User),
    /// Somebody who gets in once it is done: the server lets nobody in without one.
    Entering(User),
}

impl Enrolling {
    pub(in crate::account) fn user(&self) -> &User {
        match self {
            Self::Own(user) | Self::Entering(user) => user,
        }
    }
}

/// Who is setting a second factor up: whoever is signed in, or in the middle of it.
pub(in crate::account) async fn enrolling(
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

/// The same, proven by the present password where it was not proven a moment ago; who has none has proven lately
/// to a provider who they are.
pub(in crate::account) async fn proven(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    present: String,
) -> Result<Enrolling> {
    let enrolling = enrolling(services, actor, client).await?;
    if let Enrolling::Own(user) = &enrolling {
        if own::has_password(services, user.id).await? {
            confirm(services, client, user, present).await?;
        } else {
            refuse_stale(services, client).await?;
        }
    }
    Ok(enrolling)
}

/// Notes a factor that was just set up, in the transaction that stores it: other sessions end, and
/// an account gets recovery codes with its first factor. The answer is what is shown of them.
pub(in crate::account) async fn added(
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
    recovery_codes::replace(tx, user.id, now).await
}

/// Notes that a factor was removed, in the transaction that does it; refuses to remove the last one
/// where the server asks for one.
pub(in crate::account) async fn removed(
    services: &Services,
    tx: &Tx,
    client: &Client,
    user: &User,
    now: DateTime<Utc>,
) -> Result<()> {
    store::account::second_factors::refresh(tx, user.id, now).await?;
    if services.requires_second_factor && !has_second_factor(tx, user.id).await? {
        let why = "this server requires a second factor: set up another before you remove this one";
        return Err(Code::LastOne.because(why).into());
    }
    own::end_others(tx, user, client).await
}

/// What setting a second factor up came to.
pub struct SetUp {
    /// The account's recovery codes, if these are its first.
    pub recovery_codes: Vec<String>,
    /// The session of whoever got in by it.
    pub session: Option<NewSession>,
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
