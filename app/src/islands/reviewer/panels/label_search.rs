//! The search for a label, or several, to give to the selected text or the current position.

use domain::{Label, LabelId, LabelSet};
use leptos::{ev::KeyboardEvent, html};

use crate::islands::{
    editor::{dialog::Dialog, keys::options::moves_along, label_names::matching},
    prelude::*,
    reviewer::{
        positions::wording::names,
        session::{Opened, Session},
    },
};

/// The most characters of the text in the dialog's title.
const QUOTE: u32 = 40;

/// The dialog that looks for labels.
#[component]
pub(crate) fn LabelSearch(session: Session) -> impl IntoView {
    let close = Callback::new(move |()| session.opened.set(None));
    let title = Signal::derive(move || match session.target() {
        Some(range) if session.opened.get().is_some() => {
            format!("Label for “{}”", session.facts().layout.quote(range, QUOTE))
        }
        _ => "Label".to_owned(),
    });
    view! {
        <Dialog
            id="label-search"
            title
            open=Signal::derive(move || session.opened.get() == Some(Opened::Labels))
            on_close=close
        >
            <Search session/>
        </Dialog>
    }
}

#[component]
fn Search(session: Session) -> impl IntoView {
    let input = NodeRef::<html::Input>::new();
    let typed = RwSignal::new(String::new());
    let picked = RwSignal::new(LabelSet::EMPTY);
    let at = RwSignal::new(0_usize);
    let found = Memo::new(move |_| {
        let facts = session.facts();
        matching(&facts.labels, &typed.read()).into_iter().cloned().collect::<Vec<_>>()
    });
    let active = Memo::new(move |_| found.with(|found| found.get(at.get()).map(|label| label.id)));
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            // It cannot fail for an element in the page.
            drop(input.focus());
        }
    });

    let toggle = move |label: LabelId| {
        picked.update(|picked| {
            if picked.contains(label) {
                picked.remove(label);
            } else {
                picked.insert(label);
            }
        });
    };
    let give = move |label: Option<LabelId>| {
        let mut set = picked.get_untracked();
        if let Some(label) = label {
            set.insert(label);
        }
        if !set.is_empty() {
            session.opened.set(None);
            session.give(set);
        }
    };
    let key = move |event: KeyboardEvent| {
        match event.key().as_str() {
            _ if moves_along(&event, at, found.read_untracked().len()) => {}
            "Enter" if event.is_composing() => return,
            "Enter" if event.shift_key() => {
                if let Some(label) = active.get_untracked() {
                    toggle(label);
                }
            }
            "Enter" => give(active.get_untracked()),
            _ => return,
        }
        event.prevent_default();
    };
    let option = move |label: Label| {
        let id = label.id;
        let class = format!("chip colour-{}", label.colour.index());
        let is_picked = move || picked.read().contains(id);
        view! {
            <li
                id=format!("label-{id}")
                role="option"
                aria-selected=move || if active.get() == Some(id) { "true" } else { "false" }
                on:click=move |event| if event.shift_key() { toggle(id) } else { give(Some(id)) }
            >
                <span class=class dir="auto">{label.name}</span>
                {label.hotkey.map(|key| view! { <kbd aria-hidden="true">{key.to_uppercase().to_string()}</kbd> })}
                {move || is_picked().then(|| view! { <span class="soft">"✓ chosen"</span> })}
            </li>
        }
    };
    let chosen = dynamic(move || {
        let set = picked.get();
        (!set.is_empty()).then(|| {
            let text = format!("Give {}", names(&set, &session.facts().labels));
            view! { <button type="button" class="primary" on:click=move |_| give(None)>{text}</button> }
        })
    });
    view! {
        <input
            type="search"
            role="combobox"
            aria-label="Label"
            aria-expanded="true"
            aria-controls="found-labels"
            aria-autocomplete="list"
            aria-activedescendant=move || active.get().map(|id| format!("label-{id}"))
            autocomplete="off"
            dir="auto"
            node_ref=input
            on:input=move |event| {
                typed.set(event_target_value(&event));
                at.set(0);
            }
            on:keydown=key
        />
        <ul id="found-labels" class="plain-list found-labels" role="listbox" aria-label="Labels">
            <For each=move || found.get() key=|label| label.id children=option/>
        </ul>
        <p role="status">
            {move || found.read().is_empty().then_some("No matching label.")}
        </p>
        {chosen}
        <p class="soft">
            <kbd>"Enter"</kbd> " accepts, " <kbd>"Shift+Enter"</kbd>
            " selects several, " <kbd>"Esc"</kbd> " closes."
        </p>
    }
}
