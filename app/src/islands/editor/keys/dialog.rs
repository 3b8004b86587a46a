//! Everything that can be done, to look through and to run: the keys beside their commands.

use web_sys::KeyboardEvent;

use super::{
    Keyboard,
    table::{COMMANDS, Command, Entry},
};
use crate::islands::{
    editor::{dialog::Dialog, keys::options::moves_along},
    prelude::*,
};

/// Where the browser keeps whether letters are keys; `app/public/reading.js` and
/// `crates/help/theme/help.js` know the name, too.
const LETTER_KEYS: &str = "concord.review.letter-keys";

impl Keyboard {
    /// The places in the list of what has this in its name, keys or group; all if nothing was typed.
    fn matching(self, typed: &str) -> Vec<usize> {
        let typed = typed.trim().to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&typed);
        self.own.with_value(|own| {
            let is_wanted = |Entry { id, group, name, keys, .. }: &Entry| {
                has(group) || has(name) || has(own.get(id).unwrap_or(keys))
            };
            let all = COMMANDS.iter().enumerate();
            let found = all.filter(|(_, entry)| entry.is_in(self.place) && is_wanted(entry));
            found.map(|(place, _)| place).collect()
        })
    }

    /// Finds out whether letters were keys when that was chosen last.
    pub(crate) fn recall_letters(self) {
        let storage = window().local_storage().ok().flatten();
        let stored = storage.and_then(|storage| storage.get_item(LETTER_KEYS).ok().flatten());
        self.letters.set(stored.as_deref() != Some("off"));
    }

    /// Where the browser refuses to keep it, the choice holds for this page.
    fn choose_letters(self, on: bool) {
        self.letters.set(on);
        if let Ok(Some(storage)) = window().local_storage() {
            drop(storage.set_item(LETTER_KEYS, if on { "on" } else { "off" }));
        }
    }
}

#[component]
pub(crate) fn Commands(
    keyboard: Keyboard,
    #[prop(into)] open: Signal<bool>,
    on_close: Callback<()>,
    on_command: Callback<Command>,
    /// The page of the editor, to come back to from that of the keys.
    page: String,
    /// Whether letters can be switched off here.
    switches_letters: bool,
) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let at = RwSignal::new(0_usize);
    let found = Memo::new(move |_| keyboard.matching(&typed.read()));
    let close = Callback::new(move |()| {
        on_close.run(());
        typed.set(String::new());
        at.set(0);
    });
    let run = move |place: usize| {
        let Some(command) = COMMANDS.get(place).and_then(|entry| entry.command) else { return };
        close.run(());
        // The dialog gives the focus back first.
        request_animation_frame(move || on_command.run(command));
    };
    let key = move |event: KeyboardEvent| {
        match event.key().as_str() {
            _ if moves_along(&event, at, found.read_untracked().len()) => {}
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
        let keys = keyboard.own.with_value(|own| {
            let keys = entry.keys_of(own).map(str::to_owned);
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
    let own_keys = format!("/keys?from={page}");
    let letters = move || {
        view! {
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=keyboard.letters
                    on:change=move |event| keyboard.choose_letters(event_target_checked(&event))
                />
                "Use single-key shortcuts"
            </label>
        }
    };
    view! {
        <Dialog id="commands" title="Commands and shortcuts" open on_close=close>
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
                "On a Mac, use Command for Ctrl. A label's own key wins over a command's."
            </p>
            {switches_letters.then(letters)}
            <div class="row">
                <a class="button" href=own_keys.clone()>"Change shortcuts"</a>
                <button type="button" on:click=move |_| close.run(())>"Close"</button>
            </div>
        </Dialog>
    }
}

fn id_of(row: usize) -> String {
    format!("command-{row}")
}

#[cfg(test)]
mod tests {
    use domain::OwnKeys;

    use super::*;
    use crate::islands::editor::keys::table::Workplace;

    #[test]
    fn commands_are_found_by_name_group_and_key() {
        Owner::new().with(|| {
            let keyboard = Keyboard::new(Workplace::Annotator, OwnKeys::default());
            let names = |typed| {
                keyboard
                    .matching(typed)
                    .into_iter()
                    .map(|place| COMMANDS[place].name)
                    .collect::<Vec<_>>()
            };
            assert_eq!(names("undo"), ["Undo"]);
            assert_eq!(names("f3"), ["Next match", "Previous match"]);
            assert_eq!(names(" DOCUMENT ").len(), 6);
            assert!(names("conflict").is_empty());
            assert!(names("no such thing").is_empty());
        });
    }
}
