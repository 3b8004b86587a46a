//! Server functions for passkeys. What a browser's device has to say goes back in a form of its own,
//! so that a refusal is shown where every other is.

use domain::{PasskeyId, PasskeyRequest};
use leptos::prelude::*;

use crate::ApiError;

/// Asks for a new passkey of one's own, by one's password. Whoever is in the middle of signing in has
/// just typed it.
#[server(prefix = "/fn", endpoint = "accounts/begin_passkey")]
pub async fn begin_passkey(#[server(default)] present: String) -> Result<PasskeyRequest, ApiError> {
    use crate::context::{answer, client, relying_party, request};

    let (services, actor) = request()?;
    let (client, party) = (client(), relying_party());
    answer(
        services::account::begin_passkey(&services, &actor, &client, party.as_ref(), present).await,
    )
}

/// Stores the passkey that the browser's device has made. The answer is the account's recovery codes
/// if these are its first; the page of one's account shows them this once.
#[server(prefix = "/fn", endpoint = "accounts/add_passkey")]
pub async fn add_passkey(
    #[server(default)] name: String,
    state: String,
    answer: String,
) -> Result<Vec<String>, ApiError> {
    use crate::context::{self, client, enter_with_factor, relying_party, request};

    let (services, actor) = request()?;
    let (client, party) = (client(), relying_party());
    let made = services::account::MadePasskey { name, state, answer };
    let added =
        services::account::add_passkey(&services, &actor, &client, party.as_ref(), made).await;
    enter_with_factor(context::answer(added)?, "passkey")
}

/// Removes a passkey of one's own, by one's password.
#[server(prefix = "/fn", endpoint = "accounts/remove_passkey")]
pub async fn remove_passkey(id: PasskeyId, present: String) -> Result<(), ApiError> {
    use crate::context::{answer, client, lead_to, request};

    let (services, actor) = request()?;
    answer(services::account::remove_passkey(&services, &actor, &client(), id, present).await)?;
    lead_to("/account?changed=passkey-removed");
    Ok(())
}

/// Asks for any passkey that the browser has for this site.
#[server(prefix = "/fn", endpoint = "accounts/begin_passkey_sign_in")]
pub async fn begin_passkey_sign_in() -> Result<PasskeyRequest, ApiError> {
    use crate::context::{answer, relying_party, request};

    let (services, _) = request()?;
    let party = relying_party();
    answer(services::account::begin_passkey_sign_in(&services, party.as_ref()).await)
}

/// Starts a session for whoever has the passkey, and leads back to a page of this site.
#[server(prefix = "/fn", endpoint = "accounts/sign_in_with_passkey")]
pub async fn sign_in_with_passkey(
    state: String,
    answer: String,
    back: Option<String>,
) -> Result<(), ApiError> {
    use crate::context::{self, client, relying_party, request, start_session, way_back};

    let (services, _) = request()?;
    let (client, party) = (client(), relying_party());
    let signed_in = services::account::sign_in_with_passkey(
        &services,
        &client,
        party.as_ref(),
        &state,
        &answer,
    );
    let session = context::answer(signed_in.await)?;
    start_session(&session, way_back(back.as_deref()))
}
