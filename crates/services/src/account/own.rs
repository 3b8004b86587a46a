//! The page of one's own account: what one signs in with, and where one is signed in.

use std::sync::Arc;

use domain::{Actor, AuditEvent, Code, OwnAccount, User, UserId, check_password, checked_email};

use super::{
    audit, by_person, hold, second_factor, session,
    sign_in::{self, client::Client, failures::Try},
};
use crate::{
    Result, Services,
    account::passwords::{NOBODYS, Owner},
    base::secrets::token,
};

/// The account of whoever is asking, by the session with this token.
pub async fn load_own(
    services: &Arc<Services>,
    actor: &Actor,
    token: Option<&str>,
) -> Result<OwnAccount> {
    let user = by_person(actor)?;
    let sessions = session::list(services, user, token).await?;
    Ok(OwnAccount {
        email: user.email.clone(),
        name: user.name.clone(),
        is_of_the_demo: is_of_the_demo(services, user).await?,
        has_password: has_password(services, user.id).await?,
        second_factors: second_factor::list(services, user.id).await?,
        sign_ins: sign_in::provider::list(services, user.id, token).await?,
        sessions,
    })
}

/// Whether a password opens somebody's account.
pub(super) async fn has_password(services: &Services, user: UserId) -> Result<bool> {
    let known = store::account::users::find_credentials(&services.store, user).await?;
    Ok(known.is_some_and(|known| known.password_hash != NOBODYS))
}

/// Gives whoever is asking another password, by the present one. Their other sessions end, and only
/// this browser stays one that they have signed in with.
pub async fn change_password(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    present: String,
    password: String,
) -> Result<()> {
    let user = by_person(actor)?;
    refuse_demo(services, user).await?;
    check_password(&password, &user.email)?;
    sign_in::confirm(services, client, user, present).await?;
    let owner = Owner::new(&user.email, &user.name);
    let hash = services.passwords.choose(client.network(), password, owner).await?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    hold(&tx, user.id).await?;
    store::account::users::set_password(&tx, user.id, &hash).await?;
    end_others(&tx, user, client).await?;
    let subject = Try::at_address(&user.email, client).subject;
    services.failures.forget(&subject);
    store::account::sign_in_failures::delete(&tx, &subject).await?;
    audit(&tx, Some(user.id), now, AuditEvent::ChangePassword, user.id).await?;
    Ok(tx.commit().await?)
}

/// Gives whoever is asking another address to sign in with, by their password. Their other sessions
/// end.
pub async fn change_email(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    present: String,
    email: &str,
) -> Result<()> {
    let user = by_person(actor)?;
    refuse_demo(services, user).await?;
    let email = checked_email(email)?;
    sign_in::confirm(services, client, user, present).await?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    hold(&tx, user.id).await?;
    match store::account::users::set_email(&tx, user.id, &email).await {
        Err(store::Error::Duplicate(_)) => {
            return Err(Code::Taken.of("email", "this address already has an account").into());
        }
        changed => changed?,
    }
    end_others(&tx, user, client).await?;
    audit(&tx, Some(user.id), now, AuditEvent::ChangeAddress, user.id).await?;
    Ok(tx.commit().await?)
}

/// Ends what opens an account beside this browser: sessions, links to a new password, and the word
/// of browsers that somebody has signed in with.
pub(super) async fn end_others(tx: &store::Tx, user: &User, client: &Client) -> Result<()> {
    let (session, device) =
        (client.session.as_deref().map(token::hash), client.device.as_deref().map(token::hash));
    store::account::sessions::delete_of_user(tx, user.id, session.as_deref()).await?;
    store::account::devices::delete_of_user(tx, user.id, device.as_deref()).await?;
    Ok(store::account::password_resets::delete_of_user(tx, user.id).await?)
}

async fn is_of_the_demo(services: &Services, user: &User) -> Result<bool> {
    let known = store::account::users::find_credentials(&services.store, user.id).await?;
    Ok(known.is_some_and(|known| known.is_demo))
}

/// The demo's people are everybody's: whoever changed one would keep the others out.
pub(super) async fn refuse_demo(services: &Services, user: &User) -> Result<()> {
    if is_of_the_demo(services, user).await? {
        return Err(Code::DemoAccount.because("demo accounts keep their passwords").into());
    }
    Ok(())
}
