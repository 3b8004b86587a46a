//! What the link to a new password leads to.

use domain::{Error, PasswordResetView};

use crate::{
    api::account::ChoosePassword,
    pages::components::{form::field::PASSWORD_HINT, prelude::*},
};

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
