//! Server functions for what one signs in with beside one's password.

use leptos::prelude::*;

use crate::ApiError;

/// Ends signing in by a code of one's app or a recovery code, and leads back to a page of this site.
#[server(prefix = "/fn", endpoint = "second_factors/take_step")]
pub async fn take_step(code: String, back: Option<String>) -> Result<(), ApiError> {
    use crate::context::{answer, client, request, start_session, way_back};

    let (services, _) = request()?;
    let session = answer(services::account::take_step(&services, &client(), &code).await)?;
    start_session(&session, way_back(back.as_deref()))
}

/// Begins to set up an app that makes codes, and leads to where it is done. Whoever is in the middle
/// of signing in has just typed the password.
#[server(prefix = "/fn", endpoint = "second_factors/begin_app")]
pub async fn begin_app(#[server(default)] present: String) -> Result<(), ApiError> {
    use crate::context::{answer, client, lead_to, request};

    let (services, actor) = request()?;
    answer(services::account::begin_app(&services, &actor, &client(), present).await)?;
    lead_to("/account/app");
    Ok(())
}

/// Takes codes from the app from now on. The answer is the account's recovery codes if these are its
/// first; the page of one's account shows them this once.
#[server(prefix = "/fn", endpoint = "second_factors/confirm_app")]
pub async fn confirm_app(code: String) -> Result<Vec<String>, ApiError> {
    use crate::context::{answer, client, enter_with_factor, request};

    let (services, actor) = request()?;
    let set_up = services::account::confirm_app(&services, &actor, &client(), &code).await;
    enter_with_factor(answer(set_up)?, "app")
}

/// Takes no codes from the app any more.
#[server(prefix = "/fn", endpoint = "second_factors/remove_app")]
pub async fn remove_app(present: String) -> Result<(), ApiError> {
    use crate::context::{answer, client, lead_to, request};

    let (services, actor) = request()?;
    answer(services::account::remove_app(&services, &actor, &client(), present).await)?;
    lead_to("/account?changed=app-removed");
    Ok(())
}

/// Makes new recovery codes in the place of those that one had; shown this once.
#[server(prefix = "/fn", endpoint = "second_factors/make_recovery_codes")]
pub async fn make_recovery_codes(present: String) -> Result<Vec<String>, ApiError> {
    use crate::context::{answer, client, lead_with_codes, request};

    let (services, actor) = request()?;
    let made = services::account::make_recovery_codes(&services, &actor, &client(), present).await;
    let codes = answer(made)?;
    lead_with_codes(&codes);
    Ok(codes)
}
