//! The selected text, and the labels to give it: how a reviewer adds what nobody marked.

use domain::Label;

use crate::islands::{
    editor::keys::{KeyHint, table::Command},
    prelude::*,
    reviewer::session::Session,
};

/// The most characters of the selection that are shown.
const QUOTE: u32 = 120;

/// The most labels that stand here as buttons; the search has all of them.
const BUTTONS: usize = 12;

/// The selected text with the labels to give it; nothing while none is selected.
#[component]
pub(crate) fn SelectedText(session: Session, on_command: Callback<Command>) -> impl IntoView {
    let button = move |label: &Label| {
        let id = label.id;
        let class = format!("chip colour-{}", label.colour.index());
        let name = label.name.clone();
        let key = label.hotkey.map(|key| {
            view! { <kbd aria-hidden="true">{key.to_uppercase().to_string()}</kbd> }
        });
        view! {
            <button
                type="button"
                class="small"
                on:click=move |_| on_command.run(Command::Label { label: id, add: false })
            >
                <span class=class dir="auto">{name}</span>
                {key}
            </button>
        }
    };
    move || {
        let range = session.selection.get().filter(|_| !session.is_ended())?;
        let facts = session.facts();
        let buttons = facts.labels.iter().take(BUTTONS).map(button).collect_view();
        Some(view! {
            <section class="card selected-text" aria-label="Selected text">
                <blockquote dir="auto">{facts.layout.quote(range, QUOTE)}</blockquote>
                <div class="row">
                    {buttons}
                    <button
                        type="button"
                        class="small"
                        on:click=move |_| on_command.run(Command::SearchLabels)
                    >
                        "Search …" <KeyHint keyboard=session.keyboard command=Command::SearchLabels/>
                    </button>
                </div>
            </section>
        })
    }
}
