//! A new password: the form that has a link be sent, and what the link leads to.

use domain::{Error, PasswordResetView};

use crate::{
    api::account::{ChoosePassword, SendResetLink},
    pages::components::{form::field::PASSWORD_HINT, prelude::*},
};

/// Asks where to send a link, or says who has one.
#[component]
pub(crate) fn ForgottenPage() -> impl IntoView {
    let sends_mail = load(async {
        let (services, _) = request()?;
        Ok(services::account::sends_mail(&services))
    });
    let is_sent = in_query("sent").is_some();
    view! {
        <PageBody title="Reset password" class="page narrow">
            <Loaded resource=sends_mail view=move |sends_mail| {
                if !sends_mail {
                    view! { <p>"Ask an administrator for a reset link."</p> }
                } else if is_sent {
                    view! {
                        <p class="notice good" role="status">
                            "If this address has an account, a link is on its way. It works once, for a day."
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
    view! {
        <Title text="New password"/>
        <div class="page narrow">
            <Loaded resource=reset view=move |reset| match reset {
                None => view! { <UsedUp/> },
                Some(reset) => {
                    view! { <Choose token reset/> }
                }
            }/>
        </div>
    }
}

/// What the link is for; none if it is used up, expired or replaced by another.
async fn load_reset(token: String) -> Result<Option<PasswordResetView>, ApiError> {
    let (services, _) = request()?;
    match services::account::load_reset(&services, &token).await.map_err(Error::from) {
        Err(Error::NotFound) => Ok(None),
        loaded => answer(loaded).map(Some),
    }
}

#[component]
fn UsedUp() -> impl IntoView {
    view! {
        <h1>"This link no longer works"</h1>
        <p>"A link works once, for a day, and a newer one replaces it. Ask an administrator for another."</p>
        <p>
            <a class="button" href="/sign-in">"Sign in"</a>
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
