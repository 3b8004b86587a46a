//! The labels: a click or a key gives one to the selection or to the active span; a search box
//! finds them by name.

use domain::{LabelId, Range};
use web_sys::{KeyboardEvent, MouseEvent};

use crate::islands::{
    annotator::editor::Editor,
    editor::{
        elements::focus_by_id,
        head::keep_focus,
        keys::{options::moves_along, table::Command},
        label_names::matching,
        text_view::focus_text,
    },
    prelude::*,
};

/// The id of the search box.
const SEARCH: &str = "label-search";

/// How much of what is to be labelled is shown.
const SHOWN: u32 = 40;

/// Puts what is typed into the search box.
pub(crate) fn focus_search() {
    focus_by_id(SEARCH);
}

#[component]
pub(crate) fn Palette(editor: Editor) -> impl IntoView {
    let typed = RwSignal::new(String::new());
    let hinted = RwSignal::new(None::<LabelId>);
    let at = RwSignal::new(0_usize);
    let found = Memo::new(move |_| {
        editor.labels.with_value(|labels| -> Vec<LabelId> {
            matching(labels.all(), &typed.read()).into_iter().map(|label| label.id).collect()
        })
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
        match event.key().as_str() {
            _ if moves_along(&event, at, found.read_untracked().len()) => {}
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
            None if found.is_empty() => "No matching label.".to_owned(),
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
                aria-keyshortcuts=editor.keyboard.spoken(Command::SearchLabels)
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
                    <li>
                        {dynamic(move || heading(editor, &found.read(), label))}
                        <LabelButton editor label chosen hinted/>
                        <About editor label/>
                    </li>
                </For>
            </ul>
            {dynamic(move || hinted.get().and_then(|label| hint(editor, label)))}
        </section>
    }
}

/// What a label means, beside the labels, while the pointer or the keyboard is on it.
fn hint(editor: Editor, label: LabelId) -> Option<AnyView> {
    let html = editor.detail(label)?.description;
    (!html.is_empty()).then(|| {
        view! {
            <aside class="label-hint">
                <strong dir="auto">{editor.label_name(label)}</strong>
                <div class="prose" dir="auto" inner_html=html></div>
            </aside>
        }
    })
}

/// The heading above a label: its group, if the label before it has another.
fn heading(editor: Editor, labels: &[LabelId], label: LabelId) -> Option<AnyView> {
    let group = |id: LabelId| editor.detail(id).map(|detail| detail.group).unwrap_or_default();
    let (present, before) = (group(label), labels.iter().take_while(|other| **other != label));
    let name = match before.last().map(|before| group(*before)) {
        Some(before) if before == present => return None,
        None if present.is_empty() => return None,
        _ if present.is_empty() => "Other labels".to_owned(),
        _ => present,
    };
    Some(view! { <h3 dir="auto">{name}</h3> })
}

/// What a label means, folded out on demand; the server has made the HTML safe.
#[component]
fn About(editor: Editor, label: LabelId) -> impl IntoView {
    let html = editor.detail(label).map(|detail| detail.description).unwrap_or_default();
    (!html.is_empty()).then(|| {
        let called = format!("About {}", editor.label_name(label));
        view! {
            <details class="about">
                <summary aria-label=called.clone() title=called>"?"</summary>
                <div class="prose" dir="auto" inner_html=html></div>
            </details>
        }
    })
}

/// What choosing a label does now.
fn purpose(editor: Editor) -> String {
    let quoted = |range: Range| editor.quote(range, SHOWN);
    if editor.is_read_only.get() {
        return "Submitted: reopen to label.".to_owned();
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
    /// The label that the pointer or the keyboard is on.
    hinted: RwSignal<Option<LabelId>>,
) -> impl IntoView {
    let point = move || hinted.set(Some(label));
    let leave = move || hinted.set(None);
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
            class=format!("label colour-{}", colour.index())
            class:chosen=move || chosen.get() == Some(label)
            title=colour.name()
            aria-label=called
            aria-pressed=is_active
            aria-keyshortcuts=hotkey
            aria-disabled=move || editor.is_read_only.get().then_some("true")
            on:mouseenter=move |_| point()
            on:mouseleave=move |_| leave()
            on:focus=move |_| point()
            on:blur=move |_| leave()
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
