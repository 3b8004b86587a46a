//! The annotate page's working part: a document's text, its labels and spans, and saving.

mod change;
mod draft;
mod editing;
mod editor;
mod header;
mod history;
mod inspector;
mod items;
mod key_help;
mod listening;
mod notices;
mod palette;
mod saver;
mod shortcuts;
mod span_list;
mod status;
mod suggestions;
mod sync;
#[cfg(test)]
mod sync_tests;

use std::sync::Arc;

use domain::AssignmentView;
use leptos::prelude::*;

use crate::view::view;

use self::{
    editor::Editor, header::Header, inspector::Inspector, key_help::KeyHelp, notices::Notices,
    palette::Palette, span_list::SpanList, suggestions::Suggestions,
};
use super::text_view::{Layout, TextView};

/// A document to annotate.
#[component]
pub(crate) fn Annotator(view: AssignmentView) -> impl IntoView {
    let text: Arc<str> = view.text.as_str().into();
    let label = format!("Text of {}", view.document_name);
    let guidelines = view.guidelines_html.clone();
    let has_suggestions = !view.suggestions.is_empty();
    let layout = Arc::new(Layout::new(Arc::clone(&text)));
    let editor = Editor::new(Arc::new(view), layout);
    listening::listen(editor);

    let marks = Signal::derive(move || Arc::clone(&editor.marked.read().marks));
    let active = Memo::new(move |_| editor.active_index());
    let is_read_only = move || editor.is_read_only.get();
    view! {
        <div class="annotate">
            <Header editor/>
            <Notices editor/>
            <div class="annotate-body">
                <div class="annotate-text" class:read-only=is_read_only>
                    <TextView
                        text
                        marks
                        active=active.into()
                        selection=editor.selection
                        by_token=editor.by_token.into()
                        on_mark=Callback::new(move |index| editor.pick(index))
                        on_select=Callback::new(|_| {})
                        on_key=Callback::new(move |event| listening::key(editor, &event))
                        label
                    />
                </div>
                <div class="annotate-side">
                    <Palette editor/>
                    <Inspector editor/>
                    {has_suggestions.then(|| view! { <Suggestions editor/> })}
                    <SpanList editor/>
                    <Guidelines html=guidelines/>
                </div>
            </div>
            <p class="visually-hidden" role="status">{move || editor.said.get()}</p>
            <KeyHelp editor/>
        </div>
    }
}

/// What the labels mean in this project; the server has made the HTML safe.
#[component]
fn Guidelines(html: String) -> impl IntoView {
    (!html.is_empty()).then(|| {
        view! {
            <details class="annotate-panel guidelines">
                <summary>"Guidelines"</summary>
                <div class="prose" dir="auto" inner_html=html></div>
            </details>
        }
    })
}
