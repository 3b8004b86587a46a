//! A choice that takes no more room than its answer: a button that says what is chosen, and the other
//! choices behind it, by the browser's own means.

use leptos::prelude::*;

use crate::view::view;

/// A button with what opens from it.
#[component]
pub(crate) fn Menu(
    /// What is chosen: unique on the page.
    name: &'static str,
    /// What it is now.
    #[prop(into)]
    chosen: String,
    children: Children,
) -> impl IntoView {
    let id = format!("menu-{}", name.to_lowercase().replace(' ', "-"));
    view! {
        <button type="button" class="menu" popovertarget=id.clone()>
            <span class="menu-name">{name}</span>" "<strong dir="auto">{chosen}</strong>
        </button>
        <div class="menu-choices" popover="auto" id=id>{children()}</div>
    }
}
