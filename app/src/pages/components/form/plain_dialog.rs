//! Modal dialogs of pages that are only read: a button opens them by the browser's own means, and
//! what stands in them is a plain form.

use leptos::prelude::*;

use crate::view::view;

/// A button that opens a [`PlainDialog`].
#[component]
pub(crate) fn OpenDialog(
    /// The dialog's id.
    dialog: String,
    #[prop(default = "")] class: &'static str,
    /// What the button does, where what stands on it does not say it in full.
    #[prop(optional, into)]
    label: Option<String>,
    children: Children,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class=class
            title=label.clone()
            aria-label=label
            command="show-modal"
            commandfor=dialog
        >
            {children()}
        </button>
    }
}

/// A modal dialog. The browser keeps the focus inside and closes it on Escape.
#[component]
pub(crate) fn PlainDialog(
    /// Unique on the page.
    id: String,
    #[prop(into)] title: String,
    /// Whether it is open from the start: its form has been refused.
    #[prop(optional)]
    open: bool,
    children: Children,
) -> impl IntoView {
    let heading = format!("{id}-title");
    let labelled_by = heading.clone();
    view! {
        <dialog id=id aria-labelledby=labelled_by data-open=open.then_some("")>
            <div class="stack">
                <h2 id=heading>{title}</h2>
                {children()}
            </div>
        </dialog>
    }
}

/// The button that closes the dialog it stands in and does nothing else.
#[component]
pub(crate) fn CloseDialog(
    /// The dialog's id.
    dialog: String,
) -> impl IntoView {
    view! { <button type="button" command="close" commandfor=dialog>"Cancel"</button> }
}
