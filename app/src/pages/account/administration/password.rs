//! Makes the link to a new password and shows it, this once.

use domain::UserId;

use crate::{
    api::account::administration::CreateResetLink,
    pages::components::{form::shown_once::ShownOnce, prelude::*},
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
                advice="Send this link to the account's owner."
                terms="Shown only once. Works once, for a day."
                on=(format!("/admin/accounts/{account}"), "Done")
            />
        },
        None => view! { <Make account/> },
    };
    view! {
        <Section title_id="password-title" title="Password" class="card">
            {inside}
        </Section>
    }
}

#[component]
fn Make(account: UserId) -> impl IntoView {
    let make = ServerAction::<CreateResetLink>::new();
    view! {
        <Problem refusal=refusal(make.into())/>
        <ActionForm action=make attr:class="act row spread">
            <input type="hidden" name="account" value=account.to_string()/>
            <span id="reset-means">"The owner sets a new password with the link"</span>
            <button class="small" aria-describedby="reset-means">"Create reset link"</button>
        </ActionForm>
    }
}
