//! The button that signs in with a passkey. `passkey.js` shows it where the browser has any.

use leptos::nonce::use_nonce;

use crate::{
    api::account::passkeys::SignInWithPasskey, context::relying_party,
    pages::components::prelude::*,
};

/// The button, where passkeys can be used at all.
#[component]
pub(crate) fn PasskeySignIn(
    /// The page to come back to.
    back: Option<String>,
) -> impl IntoView {
    let (sign_in, refused) = form_action::<SignInWithPasskey>();
    let way_back = back.map(|back| view! { <input type="hidden" name="back" value=back/> });
    relying_party().map(|_| {
        view! {
            <script type="module" src="/passkey.js" nonce=use_nonce()></script>
            <ActionForm
                action=sign_in
                attr:class="card"
                attr:hidden="hidden"
                attr:data-passkey="/fn/accounts/begin_passkey_sign_in"
            >
                {way_back}
                <input type="hidden" name="state"/>
                <input type="hidden" name="answer"/>
                <Problem refusal=refused/>
                <div class="field"><p class="error" role="alert" data-said=""></p></div>
                <button>"Sign in with a passkey"</button>
            </ActionForm>
        }
    })
}
