//! Makes the link to a new password and shows it, this once.

use domain::UserId;
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::account::administration::CreateResetLink,
    pages::components::{
        field::{Problem, refusal},
        shown_once::ShownOnce,
    },
    view::view,
};

#[component]
pub(super) fn Password(
    account: UserId,
    /// The link that has just been made.
    link: Option<String>,
) -> impl IntoView {
    let inside = match link {
        Some(link) => view! {
            <ShownOnce
                id="reset-link"
                label="Reset link"
                secret=link
                advice="Send this link to the owner of the account."
                terms="It is shown only now, and works once, for a day."
                on=(format!("/admin/accounts/{account}"), "Done")
            />
        },
        None => view! { <Make account/> },
    };
    view! {
        <section class="card" aria-labelledby="password-title">
            <h2 id="password-title">"Password"</h2>
            {inside}
        </section>
    }
}

#[component]
fn Make(account: UserId) -> impl IntoView {
    let make = ServerAction::<CreateResetLink>::new();
    view! {
        <Problem refusal=refusal(make.into())/>
        <ActionForm action=make attr:class="act row spread">
            <input type="hidden" name="account" value=account.to_string()/>
            <span id="reset-means">"Its owner chooses a new one by the link"</span>
            <button class="small" aria-describedby="reset-means">"Make a reset link"</button>
        </ActionForm>
    }
}
