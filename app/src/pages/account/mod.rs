//! One's own account: what one signs in with, and where one is signed in.

pub(crate) mod administration;
pub(crate) mod invitation;
pub(crate) mod key_bindings;
mod new_app;
pub(crate) mod passkeys;
pub(crate) mod reset;
mod second_factor;
pub(crate) mod second_step;
mod sessions;
pub(crate) mod sign_in;
pub(crate) mod tokens;

use domain::OwnAccount;
use leptos::{form::ActionForm, prelude::*};
use leptos_meta::Title;

pub(crate) use self::new_app::NewAppPage;
use self::{second_factor::SecondFactor, sessions::Sessions};
use crate::{
    ApiError,
    api::account::{ChangeEmail, ChangePassword},
    context::{answer, request, session_token, take_codes},
    loading::load,
    pages::{
        base::address::in_query,
        components::{
            field::{Field, PASSWORD_HINT, Problem, refusal},
            loaded::Loaded,
        },
    },
    view::view,
};

#[component]
pub(crate) fn AccountPage() -> impl IntoView {
    let account = load(load_account());
    let changed = in_query("changed").and_then(|what| match what.as_str() {
        "password" => Some("Your password is changed. Your other sessions have ended."),
        "app" => Some("Your app is set up. Your other sessions have ended."),
        "app-removed" => Some("The app is removed. Your other sessions have ended."),
        "address" => Some("Your address is changed. Your other sessions have ended."),
        "sessions" => Some("The session has ended."),
        "passkey" => Some("Your passkey is added. Your other sessions have ended."),
        "passkey-removed" => Some("The passkey is removed. Your other sessions have ended."),
        _ => None,
    });
    view! {
        <Title text="Your account"/>
        <div class="page account">
            <h1>"Your account"</h1>
            {changed.map(|text| view! { <p class="notice good" role="status">{text}</p> })}
            <Loaded resource=account titled=true view=|Own { account, codes }| {
                let OwnAccount { email, name, is_of_the_demo, second_factors, sessions } = account;
                let forms = if is_of_the_demo {
                    view! { <p class="notice">"The people of the demo keep their addresses and passwords."</p> }
                } else {
                    view! {
                        <SecondFactor factors=second_factors codes email=email.clone()/>
                        <Changes email=email.clone()/>
                    }
                };
                view! {
                    <p>
                        <strong dir="auto">{name}</strong> ", " <bdi>{email}</bdi> <br/>
                        <a href="/tokens">"Your tokens"</a> " · " <a href="/keys">"Your keys"</a>
                    </p>
                    {forms}
                    <Sessions sessions/>
                }
            }/>
        </div>
    }
}

/// Everything on the page.
#[derive(Clone)]
struct Own {
    account: OwnAccount,
    /// Recovery codes that have just been made.
    codes: Vec<String>,
}

async fn load_account() -> Result<Own, ApiError> {
    let (services, actor) = request()?;
    let token = session_token();
    let account = answer(services::account::load_own(&services, &actor, token.as_deref()).await)?;
    Ok(Own { account, codes: take_codes() })
}

/// The forms that change what one signs in with.
#[component]
fn Changes(email: String) -> impl IntoView {
    view! {
        <div class="account-changes">
            <PasswordForm email=email.clone()/>
            <AddressForm email/>
        </div>
    }
}

#[component]
fn PasswordForm(email: String) -> impl IntoView {
    let change = ServerAction::<ChangePassword>::new();
    let refused = refusal(change.into());
    view! {
        <section class="card" aria-labelledby="password-title">
            <h2 id="password-title">"Password"</h2>
            <ActionForm action=change attr:class="stack">
                <input type="text" hidden autocomplete="username" value=email/>
                <Field
                    form="password"
                    name="present"
                    label="Present password"
                    kind="password"
                    autocomplete="current-password"
                    refusal=refused.clone()
                />
                <Field
                    form="password"
                    name="password"
                    label="New password"
                    hint=PASSWORD_HINT
                    kind="password"
                    autocomplete="new-password"
                    refusal=refused.clone()
                />
                <Problem refusal=refused fields=&["present", "password"]/>
                <div class="actions">
                    <button class="primary">"Change password"</button>
                </div>
            </ActionForm>
        </section>
    }
}

#[component]
fn AddressForm(email: String) -> impl IntoView {
    let change = ServerAction::<ChangeEmail>::new();
    let refused = refusal(change.into());
    view! {
        <section class="card" aria-labelledby="address-title">
            <h2 id="address-title">"Address"</h2>
            <ActionForm action=change attr:class="stack">
                <Field
                    form="address"
                    name="email"
                    label="New e-mail address"
                    hint="You sign in with it. No mail is sent to it."
                    kind="email"
                    autocomplete="username"
                    initial=email
                    refusal=refused.clone()
                />
                <Field
                    form="address"
                    name="present"
                    label="Present password"
                    kind="password"
                    autocomplete="current-password"
                    refusal=refused.clone()
                />
                <Problem refusal=refused fields=&["email", "present"]/>
                <div class="actions">
                    <button class="primary">"Change address"</button>
                </div>
            </ActionForm>
        </section>
    }
}
