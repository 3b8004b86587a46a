//! Sessions: a random token in the browser's cookie, its hash in the database.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{Actor, AuditEvent, UserId};
use store::Tx;

use super::{audit, token};
use crate::{Result, Services};

/// How long a session lasts without being used.
const IDLE: TimeDelta = TimeDelta::days(14);

/// How long a session lasts at most.
const ABSOLUTE: TimeDelta = TimeDelta::days(90);

/// How often it is noted that a session is in use.
const TOUCH_EVERY: TimeDelta = TimeDelta::hours(1);

/// How long a request waits to note that. A long import keeps others from writing; pages go on.
const TOUCH_WITHIN: Duration = Duration::from_secs(1);

/// A session that was just started. The token is known to the browser only.
pub struct NewSession {
    pub token: String,
    /// When it ends if it is not used.
    pub expires_at: DateTime<Utc>,
}

impl std::fmt::Debug for NewSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSession").field("expires_at", &self.expires_at).finish_non_exhaustive()
    }
}

/// Starts a session.
pub(super) async fn start(tx: &Tx, user: UserId, now: DateTime<Utc>) -> Result<NewSession> {
    let session = NewSession { token: token::generate(), expires_at: now + IDLE };
    let hash = token::hash(&session.token);
    store::sessions::create(tx, &hash, user, now, session.expires_at).await?;
    Ok(session)
}

/// Who holds this session's token: nobody, if the session has ended.
pub async fn actor_of(services: &Arc<Services>, token: &str) -> Result<Actor> {
    let hash = token::hash(token);
    let now = services.clock.now();
    let Some(session) = store::sessions::find(&services.store, &hash, now).await? else {
        return Ok(Actor::Anonymous);
    };
    if now - session.last_seen_at >= TOUCH_EVERY {
        let expires_at = (now + IDLE).min(session.created_at + ABSOLUTE);
        let touched =
            tokio::time::timeout(TOUCH_WITHIN, touch(services, &hash, now, expires_at)).await;
        if let Ok(touched) = touched {
            touched?;
        }
    }
    Ok(Actor::Person(session.user))
}

async fn touch(
    services: &Services,
    hash: &str,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<()> {
    let tx = services.store.begin().await?;
    store::sessions::touch(&tx, hash, now, expires_at).await?;
    Ok(tx.commit().await?)
}

/// Ends the session with this token, if there is one.
pub async fn sign_out(services: &Arc<Services>, token: Option<String>) -> Result<()> {
    let Some(token) = token else { return Ok(()) };
    let hash = token::hash(&token);
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    if let Some(session) = store::sessions::find(&tx, &hash, now).await? {
        store::sessions::delete(&tx, &hash).await?;
        audit(&tx, Some(session.user.id), now, AuditEvent::SignOut, session.user.id).await?;
    }
    Ok(tx.commit().await?)
}
