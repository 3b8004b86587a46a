//! The head of both editors: one strip.

use web_sys::MouseEvent;

use crate::islands::{
    editor::keys::{Keyboard, table::Command},
    prelude::*,
};

/// Says where one is; what belongs to the document and the way on follow.
#[component]
pub(crate) fn Head(
    /// The way back to the list of documents, called by the project.
    list: String,
    project_name: String,
    document_name: String,
    children: Children,
) -> impl IntoView {
    view! {
        <header class="editor-head">
            <a class="editor-home" href="/" aria-label="Projects" title="Projects">
                <img src="/favicon.svg" alt="" width="24" height="24"/>
            </a>
            <div class="editor-where">
                <a href=list dir="auto">{project_name}</a>
                <h1 dir="auto">{document_name}</h1>
            </div>
            {children()}
        </header>
    }
}

/// A command as a button of the head.
#[component]
pub(crate) fn HeadButton(
    name: &'static str,
    /// What it shows instead of its name.
    #[prop(optional, into)]
    sign: Option<&'static str>,
    command: Command,
    keyboard: Keyboard,
    #[prop(optional, into)] disabled: Signal<bool>,
    run: Callback<Command>,
) -> impl IntoView {
    let called = sign.map(|_| name);
    view! {
        <button
            type="button"
            class="quiet small"
            aria-label=called
            title=called
            aria-keyshortcuts=keyboard.spoken(command)
            disabled=disabled
            on:mousedown=keep_focus
            on:click=move |_| run.run(command)
        >
            {sign.unwrap_or(name)}
        </button>
    }
}

/// Pressing a button of the page leaves focus and selection in the text.
pub(crate) fn keep_focus(event: MouseEvent) {
    event.prevent_default();
}
