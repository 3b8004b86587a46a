//! Sessions: a random token in the browser's cookie, its hash in the database.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{Actor, AuditEvent, Error as Refusal, IdentityId, OwnSession, User, UserId};
use store::Tx;

use super::{
    audit, by_person, hold,
    sign_in::{client::Client, device, provider::refuse_passwords},
};
use crate::{Result, Services, base::secrets::token};

/// How often it is noted that a session is in use, at the most.
const TOUCH_EVERY: TimeDelta = TimeDelta::hours(1);

/// How long a request waits to note that. A long import keeps others from writing; pages go on.
const TOUCH_WITHIN: Duration = Duration::from_secs(1);

/// How long sessions last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionTimes {
    /// Without being used.
    pub idle: TimeDelta,
    /// At most.
    pub longest: TimeDelta,
}

impl Default for SessionTimes {
    fn default() -> Self {
        Self { idle: TimeDelta::days(14), longest: TimeDelta::days(90) }
    }
}

impl SessionTimes {
    /// When a session ends that is used now.
    fn end(self, started: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
        (now + self.idle).min(started + self.longest)
    }

    /// How often it is noted that a session is in use: often enough that none ends early that is.
    fn touch_every(self) -> TimeDelta {
        TOUCH_EVERY.min(self.idle / 20)
    }
}

/// A session that was just started. The tokens are known to the browser only.
pub struct NewSession {
    pub token: String,
    /// By which the browser is known from now on.
    pub device: String,
    /// When it ends if it is not used.
    pub expires_at: DateTime<Utc>,
}

impl std::fmt::Debug for NewSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSession").field("expires_at", &self.expires_at).finish_non_exhaustive()
    }
}

/// What a provider has said of somebody whose session starts.
pub(super) struct Through {
    pub(super) identity: IdentityId,
    /// What the provider calls its own session (`sid`).
    pub(super) session: Option<String>,
    /// When they proved there who they are, if the provider says so.
    pub(super) proven_at: Option<DateTime<Utc>>,
    /// Whether it vouches for a second factor.
    pub(super) has_factor: bool,
}

/// Starts a session in a browser, in the place of the one that it had.
pub(super) async fn start(
    services: &Services,
    tx: &Tx,
    client: &Client,
    user: UserId,
    through: Option<Through>,
    now: DateTime<Utc>,
) -> Result<NewSession> {
    hold(tx, user).await?;
    if let Some(old) = &client.session {
        store::account::sessions::delete(tx, &token::hash(old)).await?;
    }
    let device = device::note(tx, client, user, now).await?;
    let expires_at = services.sessions.end(now, now);
    let session = NewSession { token: token::generate(), device, expires_at };
    let (identity, provider_session, proven_at, has_factor_elsewhere) = match through {
        Some(Through { identity, session, proven_at, has_factor }) => {
            (Some(identity), session, proven_at, has_factor)
        }
        None => (None, None, None, false),
    };
    let row = store::account::sessions::NewSession {
        token_hash: token::hash(&session.token),
        user,
        device: client.device_name(),
        address: client.address.to_canonical().to_string(),
        identity,
        provider_session,
        proven_at,
        has_factor_elsewhere,
        created_at: now,
        expires_at,
    };
    store::account::sessions::create(tx, row).await?;
    Ok(session)
}

/// Who holds this session's token: nobody, if the session has ended.
pub async fn actor_of(services: &Arc<Services>, token: &str) -> Result<Actor> {
    let hash = token::hash(token);
    let now = services.clock.now();
    let times = services.sessions;
    let found = store::account::sessions::find(&services.store, &hash, now).await?;
    // What was started when sessions could last longer ends as others do now.
    let found = found.filter(|session| times.end(session.created_at, session.last_seen_at) > now);
    // Nor does one open anything whose owner has to set a second factor up first, or to come through a
    // provider; whoever does has proven there what it takes, while the settings have that provider.
    let found = found.filter(|session| {
        if session.is_by_provider {
            session.issuer.as_ref().is_some_and(|issuer| services.providers.have(issuer))
        } else {
            let is_enough = session.has_second_factor || !services.requires_second_factor;
            is_enough && refuse_passwords(services).is_ok()
        }
    });
    let Some(session) = found else { return Ok(Actor::Anonymous) };
    if now - session.last_seen_at >= times.touch_every() {
        let expires_at = times.end(session.created_at, now);
        let touched =
            tokio::time::timeout(TOUCH_WITHIN, touch(services, &hash, now, expires_at)).await;
        if let Ok(touched) = touched {
            touched?;
        }
    }
    // Only while the settings say so: what counts for one may have changed since.
    let has_factor_elsewhere = session.has_factor_elsewhere
        && session.issuer.as_ref().is_some_and(|issuer| services.providers.vouch(issuer));
    Ok(Actor::Person(User { has_factor_elsewhere, ..session.user }))
}

async fn touch(
    services: &Services,
    hash: &str,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    let tx = services.store.begin().await?;
    store::account::sessions::touch(&tx, hash, now, expires_at).await?;
    Ok(tx.commit().await?)
}

/// Ends the session with this token, if there is one.
pub async fn sign_out(services: &Arc<Services>, token: Option<String>) -> Result<()> {
    let Some(token) = token else { return Ok(()) };
    let hash = token::hash(&token);
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    if let Some(session) = store::account::sessions::find(&tx, &hash, now).await? {
        store::account::sessions::delete(&tx, &hash).await?;
        audit(&tx, Some(session.user.id), now, AuditEvent::SignOut, session.user.id).await?;
    }
    Ok(tx.commit().await?)
}

/// The sessions of somebody, the one that was used last first. `token` is that of the session which
/// asks.
pub(super) async fn list(
    services: &Services,
    user: &User,
    token: Option<&str>,
) -> Result<Vec<OwnSession>> {
    let now = services.clock.now();
    let times = services.sessions;
    let own = token.map(token::hash);
    let rows = store::account::sessions::list_of_user(&services.store, user.id, now).await?;
    let sessions = rows.into_iter().filter_map(|row| {
        let expires_at = times.end(row.created_at, row.last_seen_at).min(row.expires_at);
        (expires_at > now).then(|| OwnSession {
            is_this: own.as_deref() == Some(row.token_hash.as_str()),
            device: row.device,
            address: row.address,
            started_at: row.created_at,
            last_seen_at: row.last_seen_at,
            expires_at,
        })
    });
    Ok(sessions.collect())
}

/// Ends one's own session that was started at this moment.
pub async fn end_session(
    services: &Arc<Services>,
    actor: &Actor,
    started_at: DateTime<Utc>,
) -> Result<()> {
    let user = by_person(actor)?.id;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    if !store::account::sessions::delete_started(&tx, user, started_at).await? {
        return Err(Refusal::NotFound.into());
    }
    audit(&tx, Some(user), now, AuditEvent::EndSession, user).await?;
    Ok(tx.commit().await?)
}

/// Ends all of one's own sessions, with the one that asks.
pub async fn sign_out_everywhere(services: &Arc<Services>, actor: &Actor) -> Result<()> {
    let user = by_person(actor)?.id;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    store::account::sessions::delete_of_user(&tx, user, None).await?;
    audit(&tx, Some(user), now, AuditEvent::SignOutEverywhere, user).await?;
    Ok(tx.commit().await?)
}
