//! The secret of a token that was made, this once.

use leptos::prelude::*;

use crate::{
    islands::icon::{Glyph, Icon},
    view::view,
};

/// The secret, with a button that copies it and one that leads back to the form.
#[component]
pub(super) fn Made(secret: String) -> impl IntoView {
    view! {
        <div class="stack">
            <p>
                <strong>"Keep this token where only your program reads it. "</strong>
                "It is shown only now. Whoever has it can do what it is for."
            </p>
            <div class="row copy-row">
                <input
                    id="made-token"
                    type="text"
                    readonly
                    autofocus
                    aria-label="Token"
                    value=secret
                />
                <button type="button" class="primary" data-copy="made-token">
                    <Icon glyph=Glyph::Copy/>
                    "Copy"
                </button>
                <form action="/tokens">
                    <button>"Done"</button>
                </form>
            </div>
            <p id="made-token-copied" role="status" data-done="Copied."></p>
        </div>
    }
}
