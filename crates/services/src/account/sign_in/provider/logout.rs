//! Back-channel logout: a provider says that somebody's sessions are over.

use std::{collections::BTreeSet, sync::Arc};

use domain::{AuditEvent, UserId};
use store::{
    Tx,
    account::{sessions, users::identities},
};

use super::verifying::{LogoutClaims, verify_logout};
use crate::{Result, Services, account::audit, base::secrets::token};

/// Ends the sessions that a logout token is about: those of one session at the provider if it names one
/// (`sid`), else all that were started by whom it names (`sub`). Streams ask for their session every ten
/// seconds and end with it.
pub async fn end_by_provider(
    services: &Arc<Services>,
    provider: &str,
    logout_token: &str,
) -> Result<()> {
    let provider = services.providers.find(provider)?;
    let claims = verify_logout(services, provider, logout_token).await?;
    let issuer = provider.settings.issuer.as_str();
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let hash = token::hash(&format!("logout {issuer} {}", claims.jti));
    if !store::account::used_challenges::use_up(&tx, &hash, claims.expires_at()).await? {
        return Err(provider.refused(&"this was said before"));
    }
    for user in end(&tx, issuer, &claims).await? {
        audit(&tx, None, now, AuditEvent::EndSessionsByProvider, user).await?;
    }
    Ok(tx.commit().await?)
}

/// Ends them, and says whose they were.
async fn end(tx: &Tx, issuer: &str, claims: &LogoutClaims) -> Result<BTreeSet<UserId>> {
    match (&claims.sub, &claims.sid) {
        (Some(subject), session) => {
            let Some(known) = identities::find(tx, issuer, subject).await? else {
                return Ok(BTreeSet::new());
            };
            // Whoever is signing in by it right now is in, or waits for this.
            identities::lock_of_user(tx, known.user).await?;
            let ended = sessions::delete_of_identity(tx, known.id, session.as_deref()).await?;
            Ok((ended > 0).then_some(known.user).into_iter().collect())
        }
        (None, Some(session)) => {
            Ok(sessions::delete_of_provider_session(tx, issuer, session).await?)
        }
        (None, None) => Ok(BTreeSet::new()),
    }
}
