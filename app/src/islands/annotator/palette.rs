//! The labels: a click or a key gives one to the selection or to the active span; a search box
//! finds them by name.

use domain::{Label, LabelId, Range};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent, MouseEvent};

use super::{editor::Editor, header::keep_focus};
use crate::islands::text_view::focus_text;
use crate::view::{dynamic, view};

/// The id of the search box.
const SEARCH: &str = "label-search";

/// How much of what is to be labelled is shown.
const SHOWN: u32 = 40;

/// Puts what is typed into the search box.
pub(crate) fn focus_search() {
    let search = document().get_element_by_id(SEARCH);
    if let Some(search) = search.and_then(|search| search.dyn_into::<HtmlElement>().ok()) {
        // It cannot fail for an element in the page.
        drop(search.focus());
    }
}

/// The labels whose name has what was typed in it, those that begin with it first.
fn matching(labels: &[Label], typed: &str) -> Vec<LabelId> {
    let typed = typed.trim().to_lowercase();
    let names = labels.iter().map(|label| (label.name.to_lowercase(), label.id));
    let mut found: Vec<_> =
        names.filter_map(|(name, id)| name.find(&typed).map(|place| (place > 0, id))).collect();
    found.sort_by_key(|(is_inside, _)| *is_inside);
    found.into_iter().map(|(_, id)| id).collect()
}

#[component]
pub(crate) fn Palette(editor: Editor) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let at = RwSignal::new(0_usize);
    let found = Memo::new(move |_| {
        editor.labels.with_value(|labels| matching(labels.all(), &typed.read()))
    });
    let chosen = Memo::new(move |_| {
        let is_searching = !typed.read().is_empty() || at.get() > 0;
        is_searching.then(|| found.read().get(at.get()).copied()).flatten()
    });
    let end = move || {
        typed.set(String::new());
        at.set(0);
        focus_text();
    };
    let search_key = move |event: KeyboardEvent| {
        let last = found.read_untracked().len().saturating_sub(1);
        match event.key().as_str() {
            "ArrowDown" => at.update(|at| *at = (*at + 1).min(last)),
            "ArrowUp" => at.update(|at| *at = at.saturating_sub(1)),
            "Enter" if !event.is_composing() => {
                let label = found.read_untracked().get(at.get_untracked()).copied();
                if let Some(label) = label {
                    editor.label(label, event.shift_key());
                    end();
                }
            }
            "Escape" => end(),
            _ => return,
        }
        event.prevent_default();
    };
    let what_enter_does = dynamic(move || {
        let found = found.read();
        match chosen.get() {
            Some(label) => {
                let name = editor.label_name(label);
                format!("Enter: {name} ({} of {})", at.get() + 1, found.len())
            }
            None if found.is_empty() => "No label has this in its name.".to_owned(),
            None => purpose(editor),
        }
    });
    view! {
        <section class="annotate-panel palette" aria-labelledby="labels-title">
            <h2 id="labels-title">"Labels"</h2>
            <input
                id=SEARCH
                type="search"
                autocomplete="off"
                aria-label="Find a label"
                aria-describedby="labels-purpose"
                aria-keyshortcuts="/"
                placeholder="Find a label"
                prop:value=typed
                on:input:target=move |event| {
                    typed.set(event.target().value());
                    at.set(0);
                }
                on:keydown=search_key
            />
            <p id="labels-purpose" class="soft" role="status" dir="auto">{what_enter_does}</p>
            <ul class="labels">
                <For each=move || found.get() key=|label| *label let:label>
                    <li><LabelButton editor label chosen/></li>
                </For>
            </ul>
        </section>
    }
}

/// What choosing a label does now.
fn purpose(editor: Editor) -> String {
    let quoted = |range: Range| editor.quote(range, SHOWN);
    if editor.is_read_only.get() {
        return "Submitted documents are not changed.".to_owned();
    }
    match (editor.selection.get(), editor.active.get()) {
        (Some(range), _) => format!("Label \"{}\"", quoted(range)),
        (None, Some(item)) if item.is_suggestion => {
            format!("Label \"{}\"", quoted(item.span.range))
        }
        (None, Some(item)) => format!("Change the label of \"{}\"", quoted(item.span.range)),
        (None, None) => "Select text, then choose a label.".to_owned(),
    }
}

#[component]
fn LabelButton(
    editor: Editor,
    label: LabelId,
    /// The label that Enter in the search box gives.
    chosen: Memo<Option<LabelId>>,
) -> impl IntoView {
    let found = editor.labels.with_value(|labels| labels.find(label).cloned());
    let (name, colour, hotkey) =
        found.map(|label| (label.name, label.colour, label.hotkey)).unwrap_or_default();
    let hotkey = hotkey.map(|key| key.to_uppercase().to_string());
    let shown_key = hotkey.clone().map(|key| view! { <kbd>{key}</kbd> });
    let used = Memo::new(move |_| editor.counts.read().get(&label).copied().unwrap_or(0));
    let called = {
        let name = name.clone();
        move || format!("{name}, {}", domain::count(used.get(), "span"))
    };
    let is_active =
        move || editor.active_span().is_some_and(|span| span.label == label).to_string();
    let give = move |event: MouseEvent| {
        editor.label(label, event.shift_key());
        // A click by keyboard has no detail; after it, the keys belong to the text again.
        if event.detail() == 0 {
            focus_text();
        }
    };
    view! {
        <button
            type="button"
            class=format!("label colour-{}", colour.number())
            class:chosen=move || chosen.get() == Some(label)
            title=colour.name()
            aria-label=called
            aria-pressed=is_active
            aria-keyshortcuts=hotkey
            aria-disabled=move || editor.is_read_only.get().then_some("true")
            on:mousedown=keep_focus
            on:click=give
        >
            <span class="dot" aria-hidden="true"></span>
            <span class="label-name" dir="auto">{name}</span>
            {shown_key}
            <span class="number soft">{move || used.get()}</span>
        </button>
    }
}

#[cfg(test)]
mod tests {
    use domain::Colour;

    use super::*;

    #[test]
    fn labels_that_begin_with_what_was_typed_come_first() {
        let names = ["Organisation", "Person", "Personal title", "Impersonation"];
        let label = |(id, name): (i64, &&str)| Label {
            id: LabelId(id),
            name: (*name).to_owned(),
            colour: Colour::default(),
            hotkey: None,
        };
        let labels: Vec<_> = (0..).zip(&names).map(label).collect();
        let ids = |typed| matching(&labels, typed).into_iter().map(|id| id.0).collect::<Vec<_>>();
        assert_eq!(ids(" PERSON"), [1, 2, 3]);
        assert_eq!(ids(""), [0, 1, 2, 3]);
        assert!(ids("place").is_empty());
    }
}
