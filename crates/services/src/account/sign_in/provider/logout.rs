//! Back-channel logout: a provider says that somebody's sessions are over.

use std::{str::FromStr, sync::Arc};

use domain::AuditEvent;
use serde_json::Value;
use store::account::users::identities;

use super::{
    connection::{Token, TokenClaims},
    verifying::{Use, verify},
};
use crate::{Result, Services, account::audit, base::secrets::token};

/// What a logout token says has happened.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// Ends the sessions that a logout token is about: those of one session at the provider if it names one
/// (`sid`), else all that were started by that identity. Streams ask for their session every ten seconds
/// and end with it.
pub async fn end_by_provider(
    services: &Arc<Services>,
    provider: &str,
    logout_token: &str,
) -> Result<()> {
    let provider = services.providers.find(provider)?;
    let signed = Token::from_str(logout_token).map_err(|why| provider.refused(&why))?;
    let claims = verify(services, provider, &signed, Use::Logout).await?;
    let text = |name| claims.additional_claims().0.get(name).and_then(Value::as_str);
    let Some(number) = text("jti").filter(|_| is_logout(&claims)) else {
        return Err(provider.refused(&"this is no logout token"));
    };
    let (issuer, subject) = (claims.issuer().as_str(), claims.subject().as_str());
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let hash = token::hash(&format!("logout {issuer} {number}"));
    if !store::account::used_challenges::use_up(&tx, &hash, claims.expiration()).await? {
        return Err(provider.refused(&"this was said before"));
    }
    if let Some(known) = identities::find(&tx, issuer, subject).await? {
        // Whoever is signing in by it right now is in, or waits for this.
        identities::lock_of_user(&tx, known.user).await?;
        let ended =
            store::account::sessions::delete_of_identity(&tx, known.id, text("sid")).await?;
        if ended > 0 {
            let event = AuditEvent::EndSessionsByProvider;
            audit(&tx, None, now, event, known.user).await?;
        }
    }
    Ok(tx.commit().await?)
}

fn is_logout(claims: &TokenClaims) -> bool {
    claims.additional_claims().0.get("events").is_some_and(|events| events.get(EVENT).is_some())
}
