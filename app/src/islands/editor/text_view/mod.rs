//! A document's text with its marks. One component for every page that shows text: fast with
//! thousands of marks, selectable by pointer, touch and keyboard.
//!
//! The text is drawn by the server as one piece of HTML, which the browser takes over as it stands:
//! what an island shows at first depends on nothing but what it is made of. Afterwards only the
//! chunks that look different are replaced; the marks far down in a long text, which the server leaves
//! out, are drawn little by little. The selection is kept in offsets of the document, and the
//! browser's selection is its picture.

mod dom;
mod dragging;
mod filling;
mod interaction;
mod lanes;
mod layout;
mod listener;
mod mark;
mod picture;
mod render;

use std::sync::Arc;

use crate::{RENDERS, islands::prelude::*};
use domain::Range;
use leptos::{ev, html};
use wasm_bindgen::JsCast;
use web_sys::{FocusOptions, HtmlElement, KeyboardEvent};

pub(crate) use self::dragging::{Bounds, bounds, drag_end};
use self::interaction::{Due, Interaction};
pub(crate) use self::layout::movement::Motion;
pub(crate) use self::layout::resizing::{End, resized};
pub(crate) use self::layout::{Layout, Unit};
pub(crate) use self::mark::Mark;
pub(crate) use self::picture::Picture;

/// The id of the text; a page has one.
pub(crate) const TEXT: &str = "text";

/// How much of a selection is read out.
const SPOKEN: u32 = 200;

/// Shows a text with marks. The window scrolls, not the text.
#[component]
pub(crate) fn TextView(
    layout: Arc<Layout>,
    marks: Signal<Arc<Vec<Mark>>>,
    /// The active mark: outlined, and scrolled into view when it becomes active.
    active: Signal<Option<usize>>,
    selection: RwSignal<Option<Range>>,
    /// Whether selections snap to tokens; to characters otherwise.
    by_token: Signal<bool>,
    /// A mark was clicked: the innermost under the pointer, and further out on each click more.
    on_mark: Callback<usize>,
    /// A selection by mouse or touch is complete.
    on_select: Callback<Range>,
    /// A key that the text view has no use for.
    on_key: Callback<KeyboardEvent>,
    /// What the text is called.
    label: String,
) -> impl IntoView {
    let first = Picture::draw(&layout, marks.get_untracked(), None);
    let bare = first.bare_at_first();
    // In the browser it is there already, and is moved in: see `mount`.
    let html = if RENDERS { first.html(&layout, &bare) } else { String::new() };
    let it = Interaction {
        root: NodeRef::<html::Div>::new(),
        layout: StoredValue::new(Arc::clone(&layout)),
        picture: StoredValue::new(Arc::new(first)),
        selection,
        by_token,
        active,
        on_mark,
        on_select,
        on_key,
        caret: StoredValue::new(None),
        pressed: StoredValue::new(false),
        settling: StoredValue::new(None),
        touches: StoredValue::new(false),
        resting: StoredValue::new(None),
        due: StoredValue::new(Due { bare, ..Due::default() }),
    };
    Effect::new(move |outlined: Option<Outlined>| {
        show_marks(it, marks.get(), active.get(), outlined.unwrap_or_default())
    });
    Effect::new(move |_| {
        selection.track();
        it.before_next_frame(None);
    });
    Effect::new(move |_| {
        it.draw_bare_chunks();
        let up = window_event_listener(ev::pointerup, move |_| it.pointer_up());
        let cancel = window_event_listener(ev::pointercancel, move |_| it.pressed.set_value(false));
        on_cleanup(move || {
            up.remove();
            cancel.remove();
        });
        listener::on_document("selectionchange", move || it.selection_changed());
    });

    let spoken = dynamic(move || {
        let range = selection.get()?;
        let tags = marks.with_untracked(|marks| tags_in(marks, range));
        Some(announcement(&layout.quote(range, SPOKEN), &tags))
    });
    view! {
        <div class="text-view">
            <div
                id=TEXT
                class="text"
                role="group"
                tabindex="0"
                aria-label=label
                aria-describedby="text-keys"
                node_ref=it.root
                inner_html=html
                on:pointerdown=move |event| it.pointer_down(&event)
                on:pointerover=move |event| it.point_at(event.target())
                on:pointerleave=move |_| it.point_at(None)
                on:click=move |event| it.click(&event)
                on:dragstart=|event| event.prevent_default()
                on:focus=move |_| it.before_next_frame(None)
                on:keydown=move |event| it.key(event)
            ></div>
            <p id="text-keys" class="visually-hidden">
                "Arrow keys move, Shift selects, Escape clears the selection."
            </p>
            <p class="visually-hidden" role="status">{spoken}</p>
        </div>
    }
}

/// The mark that is outlined in the browser, and its range.
#[derive(Default)]
struct Outlined {
    mark: Option<(usize, Range)>,
}

/// Replaces what looks different, outlines the active mark, and scrolls to it if it is new.
fn show_marks(
    it: Interaction,
    marks: Arc<Vec<Mark>>,
    active: Option<usize>,
    outlined: Outlined,
) -> Outlined {
    let (Some(root), Some(layout)) = (it.root(), it.layout()) else { return outlined };
    let before = it.picture.get_value();
    let after = Arc::new(Picture::draw(&layout, marks, Some(&before)));
    if let Some((mark, _)) = outlined.mark {
        dom::set_class(&dom::runs(&root, &layout, &before, mark), "active", false);
    }
    it.due.update_value(|due| dom::patch(&root, &layout, &before, &after, &mut due.bare));
    let mark = active.and_then(|active| Some((active, after.marks().get(active)?.range)));
    it.picture.set_value(Arc::clone(&after));
    let mut show = None;
    if let Some((active, range)) = mark {
        it.draw_bare_under(active);
        dom::set_class(&dom::runs(&root, &layout, &after, active), "active", true);
        show = Some(range).filter(|_| outlined.mark.map(|(_, range)| range) != Some(range));
    }
    it.before_next_frame(show);
    Outlined { mark }
}

/// Gives the text the focus, so that keys go there; the page stays where it is.
pub(crate) fn focus_text() {
    let text = document().get_element_by_id(TEXT);
    if let Some(text) = text.and_then(|text| text.dyn_into::<HtmlElement>().ok()) {
        let options = FocusOptions::new();
        options.set_prevent_scroll(true);
        // It cannot fail for an element in the page.
        drop(text.focus_with_options(&options));
    }
}

/// Whether nothing on the page has been given the focus yet: a new page puts it on `main`.
pub(crate) fn is_idle() -> bool {
    document()
        .active_element()
        .is_none_or(|active| matches!(active.tag_name().as_str(), "BODY" | "MAIN"))
}

/// Whether the text at an offset is written from right to left.
pub(crate) fn is_rtl(layout: &Layout, offset: u32) -> bool {
    document().get_element_by_id(TEXT).is_some_and(|root| dom::is_rtl(&root, layout, offset))
}

/// The tags of the marks that share a character with a range, each once, in order of the text.
fn tags_in(marks: &[Mark], range: Range) -> Vec<Arc<str>> {
    let mut tags = Vec::new();
    for mark in marks.iter().filter(|mark| mark.range.overlaps(range) && !mark.tag.is_empty()) {
        if !tags.contains(&mark.tag) {
            tags.push(Arc::clone(&mark.tag));
        }
    }
    tags
}

/// Scrolls the page's text as little as needed for a range to be seen.
pub(crate) fn show_text(layout: &Layout, range: Range) {
    if let Some(root) = document().get_element_by_id(TEXT) {
        dom::show(&root, layout, range);
    }
}

/// What is read out when a selection changes.
fn announcement(quote: &str, tags: &[Arc<str>]) -> String {
    if tags.is_empty() {
        format!("Selected: \"{quote}\"")
    } else {
        format!("Selected: \"{quote}\", labelled {}", tags.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_is_read_out_with_the_marks_on_it() {
        let mark = |start, end, tag: &str| Mark {
            range: Range::new(start, end),
            tag: tag.into(),
            colour: None,
            class: "",
            title: "".into(),
        };
        let marks = [mark(0, 6, "PER"), mark(3, 9, "PER"), mark(6, 9, "LOC")];
        assert_eq!(tags_in(&marks, Range::new(0, 6)).join(" "), "PER");
        assert_eq!(tags_in(&marks, Range::new(5, 7)).join(" "), "PER LOC");
        assert_eq!(announcement("Hamlet", &[]), "Selected: \"Hamlet\"");
        let marked = announcement("Hamlet", &["PER".into()]);
        assert_eq!(marked, "Selected: \"Hamlet\", labelled PER");
    }
}
