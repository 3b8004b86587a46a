//! What one signs in with beside one's password.

use domain::SecondFactors;

use super::passkeys::Passkeys;
use crate::{
    api::account::second_factors::{BeginApp, MakeRecoveryCodes, RemoveApp},
    pages::components::{form::present::Present, prelude::*},
};

/// The factors that there are, and what can be done with them.
#[component]
pub(super) fn SecondFactor(
    factors: SecondFactors,
    /// Recovery codes that have just been made.
    codes: Vec<String>,
    email: String,
    /// Whether there is a password to be asked for.
    has_password: bool,
) -> impl IntoView {
    let SecondFactors { app_since, passkeys, recovery_codes, required } = factors;
    let has_one = app_since.is_some() || !passkeys.is_empty();
    let state = match (has_one, required) {
        (true, _) => view! { <span class="badge good">"On"</span> },
        (false, true) => view! { <span class="badge warn">"Required"</span> },
        (false, false) => view! { <span class="badge">"Off"</span> },
    };
    let recovery = has_one.then(|| view! { <RecoveryCodes counts=recovery_codes has_password/> });
    view! {
        <section class="stack" aria-labelledby="second-title">
            <h2 id="second-title" class="row">"Second factor " {state}</h2>
            {(!codes.is_empty()).then(|| view! { <ShownCodes codes/> })}
            <div class="account-changes">
                <App app_since has_password/>
                {recovery}
            </div>
            <Passkeys passkeys email has_password/>
        </section>
    }
}

#[component]
fn App(app_since: Option<chrono::DateTime<chrono::Utc>>, has_password: bool) -> impl IntoView {
    let begin = ServerAction::<BeginApp>::new();
    let remove = ServerAction::<RemoveApp>::new();
    let (begun, removed) = (refusal(begin.into()), refusal(remove.into()));
    // Open where something was refused, for it to be seen.
    let (is_begun, is_removed) = (begun.is_some(), removed.is_some());
    let forms = match app_since {
        None => view! {
            <ActionForm action=begin attr:class="stack">
                <Present form="begin-app" refusal=begun has_password/>
                <div class="actions"><button class="primary">"Set up authenticator app"</button></div>
            </ActionForm>
        },
        Some(since) => view! {
            <p>"Active since "<Moment at=since/>"."</p>
            <details open=is_begun>
                <summary>"Move to another device"</summary>
                <ActionForm action=begin attr:class="stack">
                    <Present form="begin-app" refusal=begun has_password/>
                    <div class="actions"><button>"Set up new app"</button></div>
                </ActionForm>
            </details>
            <details open=is_removed>
                <summary>"Remove"</summary>
                <ActionForm action=remove attr:class="stack">
                    <Present form="remove-app" refusal=removed has_password/>
                    <div class="actions"><button class="danger">"Remove app"</button></div>
                </ActionForm>
            </details>
        },
    };
    view! {
        <section class="card stack" aria-labelledby="app-title">
            <h3 id="app-title">"Authenticator app"</h3>
            {app_since.is_none().then(|| view! {
                <p class="soft">"Enter a code from an app on your phone after your password."</p>
            })}
            {forms}
        </section>
    }
}

#[component]
fn RecoveryCodes(counts: (u64, u64), has_password: bool) -> impl IntoView {
    let (make, refused) = form_action::<MakeRecoveryCodes>();
    let is_tried = refused.is_some();
    let (unused, all) = counts;
    view! {
        <section class="card stack" aria-labelledby="recovery-title">
            <h3 id="recovery-title">"Recovery codes"</h3>
            <p>{format!("{unused} of {all} left.")} " Each signs you in once without your phone."</p>
            <details open=is_tried>
                <summary>"Make new codes"</summary>
                <ActionForm action=make attr:class="stack">
                    <Present form="recovery" refusal=refused has_password/>
                    <div class="actions"><button>"Replace codes"</button></div>
                </ActionForm>
            </details>
        </section>
    }
}

/// New recovery codes, to be kept.
#[component]
fn ShownCodes(codes: Vec<String>) -> impl IntoView {
    let text = codes.join("\n");
    let items = codes.into_iter().map(|code| view! { <li><code>{code}</code></li> }).collect_view();
    view! {
        <section class="card stack" aria-labelledby="codes-title">
            <h3 id="codes-title">"Save these recovery codes"</h3>
            <p>"Each signs you in once if you lose your phone. They are shown only once."</p>
            <ul class="recovery-codes">{items}</ul>
            <input type="hidden" id="recovery-codes" value=text/>
            <div class="row">
                <button type="button" class="primary" data-copy="recovery-codes">"Copy"</button>
                <a class="button" href="/">"Done"</a>
                <span id="recovery-codes-copied" role="status" data-done="Copied."></span>
            </div>
        </section>
    }
}
