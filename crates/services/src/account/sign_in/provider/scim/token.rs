//! The tokens of directories: one for a provider, made by whoever runs the server. It has no end of its own,
//! since one that ran out unnoticed would leave in who is to be out.

use std::{sync::Arc, time::Duration};

use domain::{Actor, AuditEvent, DirectoryId, Error as Refusal};
use store::account::users::directories::{self, KeptToken};

use crate::{Result, Services, account::audit_of, base::secrets::token};

/// What every token begins with.
const PREFIX: &str = "concord_scim_";

/// How long a request waits to note that a token is in use; see `TOUCH_WITHIN` of sessions.
const TOUCH_WITHIN: Duration = Duration::from_secs(1);

/// Makes the token of a provider's directory, in the place of the one that it had. The answer is its secret;
/// it is not kept.
pub async fn create_token(services: &Arc<Services>, provider: &str) -> Result<String> {
    let secret = format!("{PREFIX}{}", token::generate());
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let id = directories::set_token(&tx, provider, &token::hash(&secret), now).await?;
    audit_of(&tx, None, now, AuditEvent::CreateDirectoryToken, subject(id)).await?;
    tx.commit().await?;
    Ok(secret)
}

/// The directories that have a token.
pub async fn list_tokens(services: &Arc<Services>) -> Result<Vec<KeptToken>> {
    Ok(directories::list_tokens(&services.store).await?)
}

/// Ends the token of a provider's directory.
pub async fn revoke_token(services: &Arc<Services>, provider: &str) -> Result<()> {
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let id = directories::delete_token(&tx, provider).await?.ok_or(Refusal::NotFound)?;
    audit_of(&tx, None, now, AuditEvent::RevokeDirectoryToken, subject(id)).await?;
    Ok(tx.commit().await?)
}

/// Which directory comes with a token: none, if it was revoked or the settings have no such provider.
pub async fn actor_of_directory(services: &Arc<Services>, token: &str) -> Result<Actor> {
    let found = directories::find_by_token(&services.store, &token::hash(token)).await?;
    let Some((directory, last_used_on)) = found else { return Ok(Actor::Anonymous) };
    if services.providers.find(&directory.provider).is_err() {
        return Ok(Actor::Anonymous);
    }
    if last_used_on.is_none_or(|day| day < services.clock.now().date_naive()) {
        let touched = tokio::time::timeout(TOUCH_WITHIN, touch(services, directory.id)).await;
        if let Ok(touched) = touched {
            touched?;
        }
    }
    Ok(Actor::Directory(directory))
}

/// Notes the first use of a day.
async fn touch(services: &Services, id: DirectoryId) -> Result<()> {
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    if directories::touch(&tx, id, now).await? {
        audit_of(&tx, None, now, AuditEvent::UseToken, subject(id)).await?;
    }
    Ok(tx.commit().await?)
}

fn subject(id: DirectoryId) -> String {
    format!("directory {id}")
}
