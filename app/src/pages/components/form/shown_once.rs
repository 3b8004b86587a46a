//! A secret that is shown this once.

use crate::{
    islands::icon::{Glyph, Icon},
    pages::components::prelude::*,
};

/// The secret, with a button that copies it and one that leads on.
#[component]
pub(crate) fn ShownOnce(
    /// The id of its field.
    id: &'static str,
    /// What it is called.
    label: &'static str,
    secret: String,
    /// What is to be done with it.
    advice: &'static str,
    /// What goes for it, such as that it is shown only now.
    terms: &'static str,
    /// Where the other button leads, and what it says.
    on: (String, &'static str),
) -> impl IntoView {
    let (address, text) = on;
    view! {
        <div class="stack">
            <p><strong>{advice}</strong>" "{terms}</p>
            <div class="row copy-row">
                <input id=id type="text" readonly autofocus aria-label=label value=secret/>
                <button type="button" class="primary" data-copy=id>
                    <Icon glyph=Glyph::Copy/>
                    "Copy"
                </button>
                <form action=address>
                    <button>{text}</button>
                </form>
            </div>
            <p id=format!("{id}-copied") role="status" data-done="Copied."></p>
        </div>
    }
}
