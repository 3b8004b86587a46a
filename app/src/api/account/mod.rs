//! Server functions for signing in and out, invitations.

pub mod administration;
pub mod identities;
pub mod passkeys;
pub mod second_factors;
pub mod tokens;

use std::collections::BTreeMap;

use domain::InvitationView;
use leptos::prelude::*;

use crate::ApiError;

/// Starts a session and leads back to a page of this site, or to the list of projects.
#[server(prefix = "/fn", endpoint = "accounts/sign_in")]
pub async fn sign_in(
    email: String,
    password: String,
    back: Option<String>,
) -> Result<(), ApiError> {
    use crate::context::{answer, client, go_on, request, way_back};

    let (services, _) = request()?;
    let signed_in = services::account::sign_in(&services, &client(), &email, password).await;
    go_on(&answer(signed_in)?, way_back(back.as_deref()))
}

/// Ends the session.
#[server(prefix = "/fn", endpoint = "accounts/sign_out")]
pub async fn sign_out() -> Result<(), ApiError> {
    use crate::context::{answer, end_session, request, session_token};

    let (services, _) = request()?;
    answer(services::account::sign_out(&services, session_token()).await)?;
    end_session()
}

/// What an invitation offers.
#[server(prefix = "/fn", endpoint = "accounts/load_invitation")]
pub async fn load_invitation(token: String) -> Result<InvitationView, ApiError> {
    let (services, _) = crate::context::request()?;
    crate::context::answer(services::account::load_invitation(&services, &token).await)
}

/// Creates an account by an invitation and signs in with it.
#[server(prefix = "/fn", endpoint = "accounts/accept_invitation")]
pub async fn accept_invitation(
    token: String,
    email: String,
    name: String,
    password: String,
) -> Result<(), ApiError> {
    use crate::context::{answer, client, go_on, request};

    let (services, _) = request()?;
    let account = domain::NewAccount { email, name, password };
    let accepted = services::account::accept(&services, &client(), &token, account).await;
    go_on(&answer(accepted)?, "/")
}

/// Joins the project of an invitation as who one is signed in as.
#[server(prefix = "/fn", endpoint = "accounts/join_by_invitation")]
pub async fn join_by_invitation(token: String) -> Result<(), ApiError> {
    use crate::context::{answer, enter, request};

    let (services, actor) = request()?;
    let project = answer(services::account::join(&services, &actor, &token).await)?;
    enter(project);
    Ok(())
}

/// Changes one's own password, and ends one's other sessions.
#[server(prefix = "/fn", endpoint = "accounts/change_password")]
pub async fn change_password(present: String, password: String) -> Result<(), ApiError> {
    use crate::context::{answer, client, lead_to, request};

    let (services, actor) = request()?;
    let client = client();
    answer(
        services::account::change_password(&services, &actor, &client, present, password).await,
    )?;
    lead_to("/account?changed=password");
    Ok(())
}

/// Changes the address that one signs in with, and ends one's other sessions.
#[server(prefix = "/fn", endpoint = "accounts/change_email")]
pub async fn change_email(email: String, present: String) -> Result<(), ApiError> {
    use crate::context::{answer, client, lead_to, request};

    let (services, actor) = request()?;
    let client = client();
    answer(services::account::change_email(&services, &actor, &client, present, &email).await)?;
    lead_to("/account?changed=address");
    Ok(())
}

/// Ends the session of one's own that was started at this moment, in microseconds since 1970.
#[server(prefix = "/fn", endpoint = "accounts/end_session")]
pub async fn end_session(started: i64) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let started = chrono::DateTime::from_timestamp_micros(started).unwrap_or_default();
    let done = services::account::end_session(&services, &actor, started).await;
    crate::context::answer_at(done, "/account?changed=sessions")
}

/// Ends all of one's sessions, with this one.
#[server(prefix = "/fn", endpoint = "accounts/sign_out_everywhere")]
pub async fn sign_out_everywhere() -> Result<(), ApiError> {
    use crate::context::{answer, end_session, request};

    let (services, actor) = request()?;
    answer(services::account::sign_out_everywhere(&services, &actor).await)?;
    end_session()
}

/// Chooses a new password by a link for it, and leads to where one signs in.
#[server(prefix = "/fn", endpoint = "accounts/choose_password")]
pub async fn choose_password(token: String, password: String) -> Result<(), ApiError> {
    use crate::context::{answer, client, know_device, lead_to, request};

    let (services, _) = request()?;
    let chosen = services::account::choose_password(&services, &client(), &token, password).await;
    know_device(&answer(chosen)?)?;
    lead_to("/sign-in?changed=password");
    Ok(())
}

/// Has a link to a new password be sent to the account with this address. Nobody learns whether there is one.
#[server(prefix = "/fn", endpoint = "accounts/send_reset_link")]
pub async fn send_reset_link(email: String) -> Result<(), ApiError> {
    use crate::context::{answer, client, lead_to, request};

    let (services, _) = request()?;
    // Nobody waits for what becomes of it.
    drop(answer(services::account::send_reset_link(&services, &client(), &email))?);
    lead_to("/reset?sent=yes");
    Ok(())
}

/// Changes the keys that one has given commands, all of them, and leads back to them.
#[server(prefix = "/fn", endpoint = "accounts/save_keys")]
pub async fn save_keys(
    #[server(default)] keys: BTreeMap<String, String>,
    from: Option<String>,
) -> Result<(), ApiError> {
    use crate::{
        context::{answer, lead_to, request},
        query::own_keys::{address, checked},
    };

    let (services, actor) = request()?;
    let keys = answer(checked(keys))?;
    answer(services::account::save_keys(&services, &actor, &keys).await)?;
    lead_to(&format!("{}saved=yes", address(from.as_deref())));
    Ok(())
}
