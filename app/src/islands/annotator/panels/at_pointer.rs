//! What stands at the words that were selected or picked by mouse, pen or finger: the labels for them,
//! and a handle at either end.

use domain::{Label, Range};
use leptos::html;
use web_sys::{HtmlElement, MouseEvent, PointerEvent};

use crate::islands::{
    annotator::editor::Editor,
    editor::{
        head::keep_focus,
        text_view::{Bounds, End, bounds, drag_end},
    },
    prelude::*,
};

use super::palette::focus_search;

/// How many labels stand there; the others are found by name.
const SHOWN: usize = 9;

#[component]
pub(crate) fn AtPointer(editor: Editor) -> impl IntoView {
    let range = Memo::new(move |_| editor.pointed_range());
    dynamic(move || {
        range.get().map(|range| {
            view! {
                <Labels editor range/>
                <Handle editor range end=End::First/>
                <Handle editor range end=End::Last/>
            }
        })
    })
}

/// The labels, right below the words.
#[component]
fn Labels(editor: Editor, range: Range) -> impl IntoView {
    let place = NodeRef::<html::Div>::new();
    at(place, editor, range, |bounds| (bounds.left, bounds.bottom));
    let labels = editor.labels.with_value(|labels| labels.all().to_vec());
    let more = (labels.len() > SHOWN).then(|| {
        view! {
            <button type="button" class="small quiet" on:mousedown=keep_focus on:click=move |_| focus_search()>
                "More …"
            </button>
        }
    });
    let delete = editor.active.get_untracked().filter(|item| !item.is_suggestion).map(|_| {
        let delete = move |_: MouseEvent| {
            editor.delete();
        };
        view! {
            <button type="button" class="small danger" on:mousedown=keep_focus on:click=delete>"Delete"</button>
        }
    });
    let buttons: Vec<_> =
        labels.into_iter().take(SHOWN).map(|label| view! { <Choice editor label/> }).collect();
    view! {
        <div class="at-pointer" role="toolbar" aria-label="Label the selection" node_ref=place>
            {buttons}
            {more}
            {delete}
        </div>
    }
}

#[component]
fn Choice(editor: Editor, label: Label) -> impl IntoView {
    let Label { id, name, colour, hotkey } = label;
    let key =
        hotkey.map(|key| view! { <kbd aria-hidden="true">{key.to_uppercase().to_string()}</kbd> });
    let give = move |event: MouseEvent| editor.label(id, event.shift_key());
    view! {
        <button
            type="button"
            class=format!("label colour-{}", colour.index())
            on:mousedown=keep_focus
            on:click=give
        >
            <span class="dot" aria-hidden="true"></span>
            <span class="label-name" dir="auto">{name}</span>
            {key}
        </button>
    }
}

/// Moves an end of what is selected, or of the span that was picked, while it is dragged. By keyboard,
/// the commands for the ends do the same.
#[component]
fn Handle(editor: Editor, range: Range, end: End) -> impl IntoView {
    let place = NodeRef::<html::Div>::new();
    at(place, editor, range, move |bounds| match end {
        End::First => (bounds.left, bounds.top),
        End::Last => (bounds.right, bounds.last_top),
    });
    let down = move |event: PointerEvent| {
        event.prevent_default();
        let layout = editor.layout.get_value();
        let unit = editor.unit();
        drag_end(&event, layout, (range, end), unit, move |moved| editor.reach(range, moved));
    };
    let class = match end {
        End::First => "text-handle first",
        End::Last => "text-handle last",
    };
    view! { <div class=class aria-hidden="true" node_ref=place on:pointerdown=down></div> }
}

/// Puts an element where the words are, once it and they are drawn.
fn at(
    place: NodeRef<html::Div>,
    editor: Editor,
    range: Range,
    of: impl Fn(Bounds) -> (f64, f64) + 'static,
) {
    Effect::new(move |_| {
        let Some(element) = place.get() else { return };
        let Some(bounds) = editor.layout.with_value(|layout| bounds(layout, range)) else { return };
        let (left, top) = of(bounds);
        let style = HtmlElement::style(&element);
        // They cannot fail for these names.
        drop(style.set_property("--left", &format!("{left}px")));
        drop(style.set_property("--top", &format!("{top}px")));
    });
}
