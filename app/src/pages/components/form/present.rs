//! Who changes how an account is signed in to says the present password first.

use crate::pages::components::prelude::*;

/// Asks for the present password, if there is one, and says what else was wrong.
#[component]
pub(crate) fn Present(
    #[prop(into)] form: String,
    refusal: Refusal,
    has_password: bool,
) -> impl IntoView {
    let (field, fields) = if has_password {
        let field = view! {
            <Field
                form
                name="present"
                label="Current password"
                kind="password"
                autocomplete="current-password"
                refusal=refusal.clone()
            />
        };
        (field.into_any(), &["present"][..])
    } else {
        (view! { <input type="hidden" name="present"/> }.into_any(), &[][..])
    };
    view! {
        {field}
        <Problem refusal fields/>
    }
}
