//! Spans that came with the imported file, or on which labelers agree elsewhere: offered until taken,
//! never counted before.

use domain::Span;

use crate::islands::{
    annotator::{editor::Editor, items::Item},
    editor::head::keep_focus,
    prelude::*,
};

use super::span_list::Row;

/// How many rows are shown at first, and more each time.
const ROWS: usize = 50;

#[component]
pub(crate) fn Suggestions(editor: Editor) -> impl IntoView {
    let limit = RwSignal::new(ROWS);
    let open = Memo::new(move |_| {
        editor.marked.with(|marked| {
            marked.items.iter().copied().filter(|item| item.is_suggestion).collect::<Vec<Item>>()
        })
    });
    let rows = move || open.get().into_iter().take(limit.get()).collect::<Vec<_>>();
    let shows = editor.shows_suggestions;
    let is_cut = move || open.read().len() > limit.get();
    let disabled = move || open.read().is_empty();
    view! {
        <section
            class="annotate-panel"
            aria-labelledby="suggestions-title"
            hidden=move || editor.is_read_only.get()
        >
            <h2 id="suggestions-title">
                "Suggestions " <span class="number soft">{move || open.read().len()}</span>
            </h2>
            <div class="row">
                <button
                    type="button"
                    class="small"
                    disabled=disabled
                    on:mousedown=keep_focus
                    on:click=move |_| editor.take_all_suggestions()
                >
                    "Accept all"
                </button>
                <button
                    type="button"
                    class="small quiet"
                    aria-pressed=move || shows.get().to_string()
                    on:mousedown=keep_focus
                    on:click=move |_| shows.update(|shows| *shows = !*shows)
                >
                    "Show suggestions"
                </button>
            </div>
            <ol class="span-list suggestions">
                <For each=rows key=|item| *item let:item>
                    <li class="row">
                        <Row editor item/>
                        <Source editor span=item.span/>
                        <button
                            type="button"
                            class="small"
                            on:mousedown=keep_focus
                            on:click=move |_| editor.take_suggestion(item.span)
                        >
                            "Take"
                        </button>
                    </li>
                </For>
            </ol>
            {move || {
                is_cut()
                    .then(|| {
                        view! {
                            <button
                                type="button"
                                class="small"
                                on:click=move |_| limit.update(|limit| *limit += ROWS)
                            >
                                "Show more"
                            </button>
                        }
                    })
            }}
        </section>
    }
}

/// Where a suggestion comes from, if not from the imported file.
#[component]
pub(crate) fn Source(editor: Editor, span: Span) -> impl IntoView {
    let is_agreed = editor.view.with_value(|view| view.agreed.contains(&span));
    is_agreed.then(|| view! { <span class="badge">"agreed elsewhere"</span> })
}
