//! The annotate page's working part: a document's text, its labels and spans, and saving.

mod conflict;
mod editing;
mod editor;
mod header;
mod items;
mod listening;
mod notices;
mod panels;
mod refusing;
mod saving;
mod search;

use std::sync::Arc;

use domain::AssignmentView;

use crate::islands::prelude::*;

use self::{
    editor::Editor,
    header::Header,
    notices::Notices,
    panels::{
        at_pointer::AtPointer,
        inspector::{Inspector, OfDocument},
        palette::Palette,
        rail::Rail,
        span_list::SpanList,
        suggestions::Suggestions,
    },
    refusing::Refused,
    search::{SearchBar, label_all::LabelAllDialog},
};
use super::editor::{
    comments::point_comments_at,
    keys::dialog::Commands,
    text_view::{Layout, TextView},
};

/// A document to annotate.
#[component]
pub(crate) fn Annotator(view: AssignmentView) -> impl IntoView {
    let label = format!("Text of {}", view.document_name);
    let guidelines = view.guidelines_html.clone();
    let page = format!("assignments/{}", view.id);
    let has_suggestions = !(view.suggestions.is_empty() && view.agreed.is_empty());
    // Where nothing but questions is asked, there is nothing to mark.
    let asks_for_spans = !view.labels.is_empty() || view.details.is_empty();
    let layout = Arc::new(Layout::new(view.text.as_str().into()));
    let editor = Editor::new(Arc::new(view), Arc::clone(&layout));
    listening::listen(editor);
    point_comments_at(move || {
        editor.selection.get().or_else(|| editor.active_span().map(|span| span.range))
    });

    let marks = Signal::derive(move || Arc::clone(&editor.marked.read().marks));
    let active = Memo::new(move |_| editor.active_index());
    let searches = Memo::new(move |_| editor.searched.read().is_open);
    let searches = move || searches.get();
    let is_read_only = move || editor.is_read_only.get();
    view! {
        <div class="annotate">
            <Header editor/>
            <Notices editor/>
            <div class="annotate-body">
                <div class="annotate-text" class:read-only=is_read_only>
                    {move || searches().then(|| view! { <SearchBar editor/> })}
                    <div class="annotate-words">
                        <TextView
                            layout
                            marks
                            active=active.into()
                            selection=editor.selection
                            by_token=editor.by_token.into()
                            on_mark=Callback::new(move |index| editor.point_at(index))
                            on_select=Callback::new(move |range| editor.pointed.set(Some(range)))
                            on_key=Callback::new(move |event| listening::key(editor, &event))
                            label
                        />
                        <AtPointer editor/>
                    </div>
                </div>
                <Rail guidelines>
                    <OfDocument editor/>
                    {asks_for_spans.then(|| view! {
                        <Palette editor/>
                        <Inspector editor/>
                        {has_suggestions.then(|| view! { <Suggestions editor/> })}
                        <SpanList editor/>
                    })}
                </Rail>
            </div>
            <p class="visually-hidden" role="status">{move || editor.said.get()}</p>
            <Refused editor/>
            <Commands
                keyboard=editor.keyboard
                open=editor.helps
                on_close=Callback::new(move |()| editor.helps.set(false))
                on_command=Callback::new(move |command| {
                    editor.run(command);
                })
                page
                switches_letters=false
            />
            <LabelAllDialog editor/>
        </div>
    }
}
