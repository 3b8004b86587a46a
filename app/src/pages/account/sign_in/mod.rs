//! Signing in, by plain forms and through providers.

pub(crate) mod identities;
pub(crate) mod providers;

use domain::DemoSignIn;

use self::providers::{ProviderLinks, Purpose, Returned};
use crate::{
    api::account::SignIn,
    context::viewer,
    pages::components::{form::passkey_sign_in::PasskeySignIn, prelude::*},
};

#[component]
pub(crate) fn SignInPage() -> impl IntoView {
    let viewer = load(async { viewer() });
    let demo = load(async {
        let (services, _) = request()?;
        Ok(services::account::demo_sign_ins(&services))
    });
    let ways = load(async {
        let (services, _) = request()?;
        Ok(services::account::sign_in_ways(&services))
    });
    let (sign_in, _) = form_action::<SignIn>();
    let why = in_query("why");
    let provider = in_query("provider").unwrap_or_default();
    let is_changed = in_query("changed").is_some();
    let back = in_query("back");
    let own = back.clone();
    view! {
        <PageBody title="Sign in" class="page narrow">
            {is_changed.then(|| view! {
                <p class="notice good" role="status">"Password changed. Sign in with the new one."</p>
            })}
            <Loaded
                resource=viewer
                quiet=true
                view=|viewer| viewer.map(|user| view! { <SignedIn name=user.name/> })
            />
            <Loaded resource=ways view=move |ways| {
                let returned = why.map(|why| {
                    view! { <Returned ways=ways.clone() provider why/> }
                });
                let passwords = ways.passwords.then(|| view! { <Passwords back=own.clone()/> });
                view! {
                    {returned}
                    <ProviderLinks
                        providers=ways.providers
                        purpose=Purpose::SignIn(own)
                    />
                    {passwords}
                }
            }/>
            <p class="soft">
                "No account? " <a href="/study">"Measure a study"</a> " in your browser."
            </p>
            <Loaded
                resource=demo
                quiet=true
                view=move |people| {
                    (!people.is_empty()).then(|| view! { <DemoSignIns people sign_in back/> })
                }
            />
        </PageBody>
    }
}

/// Signing in with a password or a passkey.
#[component]
fn Passwords(back: Option<String>) -> impl IntoView {
    let (sign_in, refused) = form_action::<SignIn>();
    let way_back = back.clone().map(|back| view! { <input type="hidden" name="back" value=back/> });
    view! {
            <ActionForm action=sign_in attr:class="card">
                {way_back}
                <Field
                    form="sign-in"
                    name="email"
                    label="E-mail address"
                    kind="email"
                    autocomplete="username"
                    refusal=refused.clone()
                />
                <Field
                    form="sign-in"
                    name="password"
                    label="Password"
                    kind="password"
                    autocomplete="current-password"
                    refusal=refused.clone()
                />
                <Problem refusal=refused fields=&["email", "password"]/>
                <button class="primary">"Sign in"</button>
            </ActionForm>
            <PasskeySignIn back/>
            <p class="soft">
                <a href="/reset">"Forgot your password?"</a>
            </p>
    }
}

/// Says that somebody is signed in already.
#[component]
fn SignedIn(name: String) -> impl IntoView {
    view! {
        <p class="notice">
            <span>"You are signed in as " <strong dir="auto">{name}</strong> "."</span>
            <a href="/">"Your projects"</a>
        </p>
    }
}

/// The people of a demo, each with a button that signs in as them.
#[component]
fn DemoSignIns(
    people: Vec<DemoSignIn>,
    sign_in: ServerAction<SignIn>,
    back: Option<String>,
) -> impl IntoView {
    let cards = people
        .into_iter()
        .map(|person| {
            let way_back =
                back.clone().map(|back| view! { <input type="hidden" name="back" value=back/> });
            view! {
                <li>
                    <ActionForm action=sign_in attr:class="card demo-person">
                        {way_back}
                        {hidden_fields([("email", &person.email), ("password", &person.password)])}
                        <p>
                            <strong dir="auto">{person.name.clone()}</strong>
                            <br/>
                            <span class="soft">{person.description}</span>
                        </p>
                        <button>"Sign in as " {person.name}</button>
                    </ActionForm>
                </li>
            }
        })
        .collect_view();
    view! {
        <Section title_id="demo-title" title="Demo data: choose a role">
            <p class="soft">"Everything here is sample data."</p>
            <ul class="plain-list stack">{cards}</ul>
        </Section>
    }
}
