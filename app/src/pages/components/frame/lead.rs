//! What a page, or a table on it, says in one line, with the rest behind a “?”.

use leptos::prelude::*;

use crate::view::view;

/// One line that is always there, and a “?” that opens what explains it, by the browser's own means.
#[component]
pub(crate) fn Lead(
    #[prop(into)] line: String,
    /// What the explanation is about: unique on the page.
    about: &'static str,
    children: Children,
) -> impl IntoView {
    let id = format!("help-{}", about.replace(' ', "-"));
    let called = format!("Help: {about}");
    view! {
        <div class="how">
            <p>{line}" "<button type="button" class="help" popovertarget=id.clone() aria-label=called.clone() title=called>"?"</button></p>
            <div class="help-text" popover="auto" id=id>{children()}</div>
        </div>
    }
}
