//! Passkeys (`WebAuthn`): keys that a browser's device keeps, and uses only once it has seen who is
//! there. So a passkey alone is two factors: it opens an account without a password.

mod adding;
mod ceremony;
mod party;
mod using;

use std::sync::Arc;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::{Actor, AuditEvent, Error as Refusal, PasskeyId};

pub use adding::{MadePasskey, add_passkey, begin_passkey};
pub use party::RelyingParty;
pub use using::{begin_passkey_sign_in, sign_in_with_passkey};

use super::{
    audit,
    second_factor::{self, Enrolling},
    sign_in::client::Client,
};
use crate::{Error, Result, Services};

/// Removes one of one's own passkeys, by one's password.
pub async fn remove_passkey(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    id: PasskeyId,
    present: String,
) -> Result<()> {
    let proven = second_factor::proven(services, actor, client, present).await?;
    let Enrolling::Own(user) = proven else { return Err(Refusal::SignInRequired.into()) };
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    if !store::account::passkeys::delete(&tx, user.id, id).await? {
        return Err(Refusal::NotFound.into());
    }
    second_factor::removed(services, &tx, client, &user, now).await?;
    audit(&tx, Some(user.id), now, AuditEvent::RemovePasskey, user.id).await?;
    Ok(tx.commit().await?)
}

/// Bytes as they are stored.
fn written(bytes: impl AsRef<[u8]>) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The bytes of what [`written`] wrote.
fn read<const BYTES: usize>(text: &str) -> Result<[u8; BYTES]> {
    let bytes = read_all(text)?;
    bytes.try_into().map_err(|_| Error::broken("a stored passkey has another length"))
}

fn read_all(text: &str) -> Result<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD.decode(text).map_err(Error::broken)
}
