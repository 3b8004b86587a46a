//! Everything that can be done, to look through and to run: the keys beside their commands.

use leptos::prelude::*;
use web_sys::KeyboardEvent;

use super::editor::Editor;
use crate::{
    islands::editor::{
        dialog::Dialog,
        keys::{COMMANDS, matching},
    },
    view::{dynamic, view},
};

#[component]
pub(crate) fn Commands(editor: Editor) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let at = RwSignal::new(0_usize);
    let found =
        Memo::new(move |_| editor.view.with_value(|view| matching(&typed.read(), &view.keys)));
    let close = Callback::new(move |()| {
        editor.helps.set(false);
        typed.set(String::new());
        at.set(0);
    });
    let run = move |place: usize| {
        let Some(command) = COMMANDS.get(place).and_then(|entry| entry.command) else { return };
        close.run(());
        // The dialog gives the focus back first.
        request_animation_frame(move || {
            editor.run(command);
        });
    };
    let key = move |event: KeyboardEvent| {
        let last = found.read_untracked().len().saturating_sub(1);
        match event.key().as_str() {
            "ArrowDown" => at.update(|at| *at = (*at + 1).min(last)),
            "ArrowUp" => at.update(|at| *at = at.saturating_sub(1)),
            "Enter" if !event.is_composing() => {
                if let Some(place) = found.read_untracked().get(at.get_untracked()) {
                    run(*place);
                }
            }
            // The browser would only empty the field.
            "Escape" => close.run(()),
            _ => return,
        }
        event.prevent_default();
        let chosen = document().get_element_by_id(&id_of(at.get_untracked()));
        if let Some(chosen) = chosen {
            chosen.scroll_into_view_with_bool(false);
        }
    };
    let option = move |(row, place): (usize, usize)| {
        let entry = COMMANDS.get(place)?;
        let keys = editor.view.with_value(|view| {
            let keys = entry.keys_of(&view.keys).map(str::to_owned);
            keys.map(|keys| view! { <kbd>{keys}</kbd> }).collect_view()
        });
        Some(view! {
            <li
                id=id_of(row)
                role="option"
                aria-selected=move || (at.get() == row).to_string()
                aria-disabled=entry.command.is_none().then_some("true")
                on:click=move |_| run(place)
            >
                <span class="soft">{entry.group}</span>
                <span>{entry.name}</span>
                <span class="keys">{keys}</span>
            </li>
        })
    };
    let own_keys = format!("/keys?from={}", editor.view.with_value(|view| view.id));
    view! {
        <Dialog id="commands" title="Commands and keys" open=editor.helps on_close=close>
            <input
                type="search"
                role="combobox"
                autocomplete="off"
                aria-label="Find a command"
                aria-expanded="true"
                aria-controls="command-list"
                aria-activedescendant=move || id_of(at.get())
                placeholder="Find a command"
                prop:value=typed
                on:input:target=move |event| {
                    typed.set(event.target().value());
                    at.set(0);
                }
                on:keydown=key
            />
            <ul id="command-list" class="commands" role="listbox" aria-label="Commands">
                {dynamic(move || found.get().into_iter().enumerate().map(option).collect_view())}
            </ul>
            <p class="soft">
                "On a Mac, Command does what Ctrl does here. A label's own key comes first where it is also a key of this list."
            </p>
            <div class="row">
                <a class="button" href=own_keys.clone()>"Change keys"</a>
                <button type="button" on:click=move |_| close.run(())>"Close"</button>
            </div>
        </Dialog>
    }
}

fn id_of(row: usize) -> String {
    format!("command-{row}")
}
