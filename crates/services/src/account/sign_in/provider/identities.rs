//! How one signs in here, and the identities of one's own account.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::{
    Actor, AuditEvent, Code, Error as Refusal, IdentityId, OwnSignIns, ProviderView, SignInWays,
    UserId,
};
use store::{
    Tx,
    account::users::identities::{self, Identity},
};

use super::{
    connection::Providers,
    settings::{ProviderSettings, SUBJECT},
};
use crate::{
    Result, Services,
    account::{Client, audit, by_person, passwords::NOBODYS},
    base::secrets::token,
};

/// How lately somebody must have signed in to change what opens their account: nobody does at a browser
/// that was left open. Not every account has a password that could be asked for.
const LATELY: TimeDelta = TimeDelta::minutes(10);

/// How one signs in at this server.
pub fn sign_in_ways(services: &Arc<Services>) -> SignInWays {
    ways(&services.providers)
}

fn ways(providers: &Providers) -> SignInWays {
    let shown = providers.settings().map(|settings| ProviderView {
        name: settings.name.clone(),
        title: settings.title().to_owned(),
    });
    SignInWays { providers: shown.collect(), passwords: !providers.only }
}

/// Refuses passwords and passkeys where everybody comes through a provider.
pub(crate) fn refuse_passwords(services: &Services) -> Result<(), Refusal> {
    if services.providers.only {
        let titles: Vec<_> = services.providers.settings().map(ProviderSettings::title).collect();
        let why = format!("sign in with {}; passwords are off", titles.join(" or "));
        return Err(Code::NotOffered.because(why));
    }
    Ok(())
}

/// What somebody's account page shows of providers.
pub(crate) async fn list(
    services: &Services,
    user: UserId,
    session: Option<&str>,
) -> Result<OwnSignIns> {
    let found = identities::list_of_user(&services.store, user).await?;
    let title = |issuer: &str| {
        let mut settings = services.providers.settings();
        let known = settings.find(|settings| settings.issuer.as_str() == issuer);
        known.map_or(issuer, |settings| settings.title()).to_owned()
    };
    let shown = found.into_iter().map(|identity| {
        let title = title(&identity.issuer);
        identity.shown(title)
    });
    Ok(OwnSignIns {
        identities: shown.collect(),
        ways: ways(&services.providers),
        is_fresh: is_fresh(services, session).await?,
    })
}

/// Refuses whoever has not signed in lately.
pub(crate) async fn refuse_stale(services: &Services, client: &Client) -> Result<()> {
    if is_fresh(services, client.session.as_deref()).await? {
        return Ok(());
    }
    Err(Code::Expired.because("sign in again first: you signed in some time ago").into())
}

/// Whether the owner of the session with this token has lately proven who they are. That a provider still
/// knew its browser proves nothing.
async fn is_fresh(services: &Services, session: Option<&str>) -> Result<bool> {
    let now = services.clock.now();
    let Some(token) = session else { return Ok(false) };
    let session = store::account::sessions::find(&services.store, &token::hash(token), now).await?;
    let proven_at = session.and_then(|session| {
        if session.is_by_provider { session.proven_at } else { Some(session.created_at) }
    });
    Ok(proven_at.is_some_and(|at| now - at <= LATELY))
}

/// Removes an identity from one's own account, and ends the sessions that were started by it.
pub async fn unlink_identity(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    id: IdentityId,
) -> Result<()> {
    let user = by_person(actor)?.id;
    refuse_stale(services, client).await?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let own = identities::lock_of_user(&tx, user).await?;
    if !own.iter().any(|identity| identity.id == id) {
        return Err(Code::NothingToUndo.because("this is not linked to your account").into());
    }
    if own.len() == 1 && !has_other_way(services, &tx, user).await? {
        let why = "nothing else opens your account; ask an administrator for a password link first";
        return Err(Code::LastOne.because(why).into());
    }
    store::account::sessions::delete_of_identity(&tx, id, None).await?;
    identities::delete(&tx, user, id).await?;
    audit(&tx, Some(user), now, AuditEvent::UnlinkIdentity, user).await?;
    Ok(tx.commit().await?)
}

/// Removes all identities from the account with this address and ends the sessions that they started, by whoever
/// runs the server: somebody else may have linked one. Says how many.
pub async fn unlink_identities_of(services: &Arc<Services>, email: &str) -> Result<u64> {
    let known = store::account::users::find_by_email(&services.store, email.trim()).await?;
    let user = known.ok_or(Refusal::NotFound)?.user.id;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    for identity in identities::lock_of_user(&tx, user).await? {
        store::account::sessions::delete_of_identity(&tx, identity.id, None).await?;
    }
    let removed = identities::delete_of_user(&tx, user).await?;
    if removed > 0 {
        audit(&tx, None, now, AuditEvent::UnlinkIdentity, user).await?;
    }
    tx.commit().await?;
    Ok(removed)
}

/// Whom a provider knows as the one that its directory calls this.
pub(super) async fn find_named(
    tx: &Tx,
    settings: &ProviderSettings,
    external_id: &str,
) -> Result<Option<Identity>> {
    let issuer = settings.issuer.as_str();
    Ok(match settings.external_id_claim.as_str() {
        SUBJECT => identities::find(tx, issuer, external_id).await?,
        _ => identities::find_by_external_id(tx, issuer, external_id).await?,
    })
}

/// Whether a password or a passkey opens an account.
async fn has_other_way(services: &Services, tx: &Tx, user: UserId) -> Result<bool> {
    if services.providers.only {
        return Ok(false);
    }
    let known = store::account::users::find_credentials(tx, user).await?;
    Ok(known.is_some_and(|known| known.password_hash != NOBODYS)
        || store::account::passkeys::exist_of_user(tx, user).await?)
}
