//! The place of an island on its page.

use leptos::nonce::use_nonce;
use serde::Serialize;

use crate::pages::components::prelude::*;

/// What an island looks like until the browser runs it, and what it is made of then.
#[component]
pub(crate) fn Island<T: Serialize>(
    /// The island's name, by which it is found and mounted.
    name: &'static str,
    /// What the island is made of.
    data: T,
    children: Children,
) -> impl IntoView {
    // No text can end the script it stands in: JSON needs "<" in strings only.
    let data = serde_json::to_string(&data).map(|json| json.replace('<', "\\u003c"));
    match data {
        Ok(json) => view! {
            <div class="island" data-island=name>
                <script type="application/json" nonce=use_nonce() inner_html=json></script>
                {children()}
            </div>
        },
        Err(error) => {
            let error = ApiError::Transport(error.to_string());
            view! { <p class="notice danger" role="alert">{error.to_string()}</p> }
        }
    }
}
