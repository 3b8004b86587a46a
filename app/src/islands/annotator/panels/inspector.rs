//! The active span: what it is, and what can be done with it by mouse.

use crate::islands::{
    annotator::{editor::Editor, items::Item},
    editor::{head::keep_focus, keys::table::Command, resize::ResizeButtons},
    prelude::*,
};
use domain::{LabelId, Span};
use web_sys::MouseEvent;

use super::{attributes::Attributes, suggestions::Source};

/// How much of a span's text is shown.
const SHOWN: u32 = 300;

#[component]
pub(crate) fn Inspector(editor: Editor) -> impl IntoView {
    let next = editor.keyboard.shown(Command::Walk { forward: true });
    let content = dynamic(move || match editor.active.get() {
        None => view! {
            <p class="soft">
                "No active span. Click one, or go to the next with " <kbd>{next.clone()}</kbd> "."
            </p>
        },
        Some(Item { span, is_suggestion }) => view! {
            <p class="inspected">
                <span class=format!("chip {}", editor.colour_class(span.label)) dir="auto">
                    {editor.label_name(span.label)}
                </span>
                " "
                <q dir="auto">{editor.quote(span.range, SHOWN)}</q>
            </p>
            {if is_suggestion {
                view! { <Offered editor span/> }
            } else {
                view! {
                    <Attributes editor span/>
                    <Actions editor/>
                }
            }}
        },
    });
    view! {
        <section class="annotate-panel inspector" aria-labelledby="inspector-title">
            <h2 id="inspector-title">"Active span"</h2>
            {content}
        </section>
    }
}

/// What is asked of the document, if anything is.
#[component]
pub(crate) fn OfDocument(editor: Editor) -> impl IntoView {
    let asks = |detail: &domain::LabelDetail| detail.attributes.iter().any(|it| it.offered);
    editor.detail(LabelId::DOCUMENT).filter(asks).map(|_| {
        view! {
            <section class="annotate-panel" aria-labelledby="of-document-title">
                <h2 id="of-document-title">"Document"</h2>
                <Attributes editor span=Span::DOCUMENT/>
            </section>
        }
    })
}

#[component]
fn Offered(editor: Editor, span: Span) -> impl IntoView {
    let take = move |_: MouseEvent| {
        if let Some(item) = editor.active.get_untracked() {
            editor.take_suggestion(item.span);
        }
    };
    view! {
        <div class="row">
            <Source editor span/>
            <button type="button" class="small primary" on:mousedown=keep_focus on:click=take>
                "Accept suggestion"
            </button>
        </div>
    }
}

#[component]
fn Actions(editor: Editor) -> impl IntoView {
    let disabled = move || editor.is_read_only.get();
    let resize = Callback::new(move |(end, forward)| editor.resize(end, forward));
    let delete = move |_: MouseEvent| {
        editor.selection.set(None);
        editor.delete();
    };
    view! {
        <div class="row">
            <ResizeButtons disabled=editor.is_read_only.into() on_move=resize/>
            <button
                type="button"
                class="small"
                disabled=move || disabled() || editor.selection.get().is_none()
                on:mousedown=keep_focus
                on:click=move |_| editor.move_to_selection()
            >
                "Move to selection"
            </button>
            <button
                type="button"
                class="small danger"
                aria-keyshortcuts=editor.keyboard.spoken(Command::Delete)
                disabled=disabled
                on:mousedown=keep_focus
                on:click=delete
            >
                "Delete"
            </button>
        </div>
    }
}
