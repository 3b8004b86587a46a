//! The second step of signing in: a code, or setting a second factor up where the server asks for
//! one.

use domain::{Error, SignInStep};

use crate::{
    api::account::second_factors::{BeginApp, TakeStep},
    context::{client, relying_party},
    pages::{
        account::passkeys::AddPasskey,
        components::{form::passkey_sign_in::PasskeySignIn, prelude::*},
    },
};

#[component]
pub(crate) fn SecondStepPage() -> impl IntoView {
    let step = load(load_step());
    let back = in_query("back");
    view! {
        <Title text="Sign in"/>
        <div class="page narrow">
            <Loaded resource=step view=move |step| match step {
                None => view! { <Over/> },
                Some(SignInStep { sets_up: true, email, .. }) => view! { <SetUp email/> },
                Some(SignInStep { email, has_app, has_passkey, .. }) => {
                    view! { <Code email has_app has_passkey back/> }
                }
            }/>
        </div>
    }
}

/// What is missing of signing in; none if it has taken too long.
async fn load_step() -> Result<Option<SignInStep>, ApiError> {
    let (services, _) = request()?;
    match services::account::load_step(&services, &client()).await.map_err(Error::from) {
        Err(Error::SignInRequired) => Ok(None),
        loaded => answer(loaded).map(Some),
    }
}

#[component]
fn Over() -> impl IntoView {
    view! {
        <h1>"Sign in again"</h1>
        <p>"The second step expired after ten minutes."</p>
        <p><a class="button primary" href="/sign-in">"Sign in"</a></p>
    }
}

#[component]
fn Code(email: String, has_app: bool, has_passkey: bool, back: Option<String>) -> impl IntoView {
    let (take, refused) = form_action::<TakeStep>();
    let passkey = has_passkey.then(|| view! { <PasskeySignIn back=back.clone()/> });
    let way_back = back.map(|back| view! { <input type="hidden" name="back" value=back/> });
    let (label, hint) = if has_app {
        ("Code", "From your authenticator app, or a recovery code.")
    } else {
        ("Recovery code", "One you have not used yet.")
    };
    view! {
        <h1>"Second step"</h1>
        <p>"Signing in as " <bdi>{email}</bdi> "."</p>
        {passkey}
        <ActionForm action=take attr:class="card">
            {way_back}
            <Field
                form="second-step"
                name="code"
                label
                hint
                autocomplete="one-time-code"
                longest=30
                refusal=refused.clone()
            />
            <Problem refusal=refused fields=&["code"]/>
            <button class="primary">"Sign in"</button>
        </ActionForm>
        <p class="soft">"Lost both? An administrator can remove your second factor."</p>
    }
}

/// For whoever has no second factor where the server asks for one.
#[component]
fn SetUp(email: String) -> impl IntoView {
    let (begin, refused) = form_action::<BeginApp>();
    let name = email.clone();
    let passkey = relying_party().map(|_| {
        view! {
            <Section title_id="passkey-title" title="Or a passkey" class="card stack">
                <AddPasskey email asks=false/>
            </Section>
        }
    });
    view! {
        <h1>"Set up a second factor"</h1>
        <p>"This server requires one. Signing in as " <bdi>{name}</bdi> "."</p>
        <ActionForm action=begin attr:class="card">
            <p>"Enter a code from an app on your phone after your password."</p>
            <Problem refusal=refused/>
            <button class="primary">"Set up authenticator app"</button>
        </ActionForm>
        {passkey}
    }
}
