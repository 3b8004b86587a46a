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

pub(crate) use self::new_app::NewAppPage;
use self::{
    administration::data::OwnData, second_factor::SecondFactor, sessions::Sessions,
    sign_in::identities::Identities,
};
use crate::{
    api::account::{ChangeEmail, ChangePassword},
    context::{session_token, take_codes},
    pages::components::{form::field::PASSWORD_HINT, prelude::*},
};

#[component]
pub(crate) fn AccountPage() -> impl IntoView {
    let account = load(load_account());
    let changed = in_query("changed").and_then(|what| match what.as_str() {
        "password" => Some("Password changed. Other sessions signed out."),
        "app" => Some("Authenticator app set up. Other sessions signed out."),
        "app-removed" => Some("Authenticator app removed. Other sessions signed out."),
        "address" => Some("Address changed. Other sessions signed out."),
        "sessions" => Some("Session ended."),
        "passkey" => Some("Passkey added. Other sessions signed out."),
        "linked" => Some("Sign-in linked."),
        "unlinked" => Some("Sign-in unlinked."),
        "passkey-removed" => Some("Passkey removed. Other sessions signed out."),
        _ => None,
    });
    view! {
        <PageBody title="Account" class="page account">
            {changed.map(|text| view! { <p class="notice good" role="status">{text}</p> })}
            <Loaded resource=account titled=true view=|Own { account, codes }| {
                let OwnAccount {
                    email, name, is_of_the_demo, has_password, second_factors, sign_ins, sessions,
                } = account;
                let forms = if is_of_the_demo {
                    view! { <p class="notice">"Demo accounts keep their address and password."</p> }
                } else {
                    let password = (sign_ins.ways.passwords && has_password)
                        .then(|| view! { <Changes email=email.clone()/> });
                    view! {
                        <SecondFactor factors=second_factors codes email=email.clone() has_password/>
                        {password}
                        <Identities sign_ins has_password/>
                    }
                };
                view! {
                    <p>
                        <strong dir="auto">{name}</strong> ", " <bdi>{email}</bdi> <br/>
                        <a href="/tokens">"API tokens"</a> " · " <a href="/keys">"Keyboard shortcuts"</a> " · " <a href="/account/mail">"E-mail"</a>
                    </p>
                    {forms}
                    <Sessions sessions/>
                    <OwnData href="/account/data" says="Everything stored about you: account, sign-ins, memberships, work, comments and what the audit trail notes of you."/>
                }
            }/>
        </PageBody>
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
    let (change, refused) = form_action::<ChangePassword>();
    view! {
        <Section title_id="password-title" title="Password" class="card">
            <ActionForm action=change attr:class="stack">
                <input type="text" hidden autocomplete="username" value=email/>
                <Field
                    form="password"
                    name="present"
                    label="Current password"
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
        </Section>
    }
}

#[component]
fn AddressForm(email: String) -> impl IntoView {
    let (change, refused) = form_action::<ChangeEmail>();
    view! {
        <Section title_id="address-title" title="Address" class="card">
            <ActionForm action=change attr:class="stack">
                <Field
                    form="address"
                    name="email"
                    label="New e-mail address"
                    hint="Used to sign in, and for mail if this server sends any."
                    kind="email"
                    autocomplete="username"
                    initial=email
                    refusal=refused.clone()
                />
                <Field
                    form="address"
                    name="present"
                    label="Current password"
                    kind="password"
                    autocomplete="current-password"
                    refusal=refused.clone()
                />
                <Problem refusal=refused fields=&["email", "present"]/>
                <div class="actions">
                    <button class="primary">"Change address"</button>
                </div>
            </ActionForm>
        </Section>
    }
}
