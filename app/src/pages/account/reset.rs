//! A new password: the form that has a link be sent, and what the link leads to.

use domain::{Error, PasswordResetView};

use crate::{
    api::account::{ChoosePassword, SendResetLink},
    context::loading::Loading,
    pages::components::{form::field::PASSWORD_HINT, prelude::*},
};

/// Where somebody gets a link to a new password.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinkFrom {
    /// On this page, by mail.
    Here,
    Administrator,
    /// Nowhere: people sign in through providers only.
    Nobody,
}

async fn load_from() -> Result<LinkFrom, ApiError> {
    let (services, _) = request()?;
    Ok(if !services::account::sign_in_ways(&services).passwords {
        LinkFrom::Nobody
    } else if services::account::sends_mail(&services) {
        LinkFrom::Here
    } else {
        LinkFrom::Administrator
    })
}

/// Asks where to send a link, or says who has one.
#[component]
pub(crate) fn ForgottenPage() -> impl IntoView {
    let from = load(load_from());
    let is_sent = in_query("sent").is_some();
    view! {
        <PageBody title="Reset password" class="page narrow">
            <Loaded resource=from view=move |from| {
                if from == LinkFrom::Nobody {
                    view! { <p>"Passwords are off on this server."</p> }
                } else if from == LinkFrom::Administrator {
                    view! { <p>"Ask an administrator for a reset link."</p> }
                } else if is_sent {
                    view! {
                        <p class="notice good" role="status">
                            "If this address has an account with a password, a link is on its way. It works once, for a day."
                        </p>
                    }
                } else {
                    view! { <SendLink/> }
                }
            }/>
            <p>
                <a href="/sign-in">"Sign in"</a>
            </p>
        </PageBody>
    }
}

#[component]
fn SendLink() -> impl IntoView {
    let (send, refused) = form_action::<SendResetLink>();
    view! {
        <ActionForm action=send attr:class="card">
            <Field
                form="forgotten"
                name="email"
                label="E-mail address"
                kind="email"
                autocomplete="username"
                refusal=refused.clone()
            />
            <Problem refusal=refused fields=&["email"]/>
            <button class="primary">"Send reset link"</button>
        </ActionForm>
    }
}

#[component]
pub(crate) fn ResetPage() -> impl IntoView {
    let token: String = in_path("token");
    let reset = load(load_reset(token.clone()));
    let from = load(load_from());
    view! {
        <Title text="New password"/>
        <div class="page narrow">
            <Loaded resource=reset view=move |reset| match reset {
                None => view! { <UsedUp from/> },
                Some(reset) => {
                    view! { <Choose token reset/> }
                }
            }/>
        </div>
    }
}

/// What the link is for; none if it is used up, expired or taken back.
async fn load_reset(token: String) -> Result<Option<PasswordResetView>, ApiError> {
    let (services, _) = request()?;
    match services::account::load_reset(&services, &token).await.map_err(Error::from) {
        Err(Error::NotFound) => Ok(None),
        loaded => answer(loaded).map(Some),
    }
}

#[component]
fn UsedUp(from: Loading<LinkFrom>) -> impl IntoView {
    view! {
        <h1>"This link no longer works"</h1>
        <Loaded resource=from quiet=true view=|from| match from {
            LinkFrom::Here => view! {
                <p>"A link works once, for a day."</p>
                <p>
                    <a class="button" href="/reset">"Send another link"</a>
                </p>
            },
            LinkFrom::Administrator => view! {
                <p>"A link works once, for a day. Ask an administrator for another."</p>
            },
            LinkFrom::Nobody => view! { <p>"Passwords are off on this server."</p> },
        }/>
        <p>
            <a href="/sign-in">"Sign in"</a>
        </p>
    }
}

#[component]
fn Choose(token: String, reset: PasswordResetView) -> impl IntoView {
    let (choose, refused) = form_action::<ChoosePassword>();
    view! {
        <h1>"New password"</h1>
        <p>"For " <strong dir="auto">{reset.name}</strong> ", signing in as " <bdi>{reset.email.clone()}</bdi> "."</p>
        <ActionForm action=choose attr:class="card">
            <input type="hidden" name="token" value=token/>
            <input type="text" hidden autocomplete="username" value=reset.email/>
            <Field
                form="reset"
                name="password"
                label="New password"
                hint=PASSWORD_HINT
                kind="password"
                autocomplete="new-password"
                refusal=refused.clone()
            />
            <Problem refusal=refused fields=&["password"]/>
            <button class="primary">"Change password"</button>
            <p class="soft">"Ends all sessions and tokens of this account."</p>
        </ActionForm>
        <p class="soft">"The link works once and expires "<Moment at=reset.expires_at/>"."</p>
    }
}
