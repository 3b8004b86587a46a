//! The spans of the document as a list; of a long one, a part with the active span. It follows the
//! text when that has been painted: a key press never waits for it.

use std::time::Duration;

use crate::{
    display::thousands,
    islands::{
        annotator::{
            editor::Editor,
            items::{Item, window},
            saving::change::all_spans,
        },
        editor::head::keep_focus,
        prelude::*,
    },
};

/// How many rows are shown at first, and more each time.
const ROWS: usize = 100;

/// How much of a span's text is shown.
const SHOWN: u32 = 60;

#[component]
pub(crate) fn SpanList(editor: Editor) -> impl IntoView {
    let limit = RwSignal::new(ROWS);
    let total = Memo::new(move |_| all_spans(editor.history.read().spans()).count());
    let paints = RwSignal::new(0_usize);
    Effect::new(move |_| {
        editor.active.track();
        editor.history.track();
        request_animation_frame(move || {
            set_timeout(move || paints.update(|paints| *paints += 1), Duration::ZERO);
        });
    });
    let rows = Memo::new(move |before: Option<&(usize, Vec<Item>)>| {
        paints.track();
        let active = editor.active.get_untracked();
        editor.history.with_untracked(|history| {
            let spans = || all_spans(history.spans());
            let total = total.get_untracked();
            let place = active
                .filter(|_| total > limit.get())
                .map(|item| spans().take_while(|span| *span < item.span).count());
            let first = before.map_or(0, |(first, _)| *first);
            let shown = window(total, limit.get(), first, place);
            let first = shown.start;
            let rows = spans().skip(first).take(shown.len());
            (first, rows.map(Item::marked).collect::<Vec<_>>())
        })
    });
    let shown = move || {
        let (first, count) = rows.with(|(first, rows)| (*first, rows.len()));
        let number = |n: usize| thousands(u64::try_from(n).unwrap_or(u64::MAX));
        format!("{} to {} of {}", number(first + 1), number(first + count), number(total.get()))
    };
    let is_cut = move || total.get() > limit.get();
    view! {
        <section class="annotate-panel" aria-labelledby="spans-title">
            <h2 id="spans-title">
                "Spans " <span class="number soft" data-testid="span-count">{total}</span>
            </h2>
            {move || (total.get() == 0).then(|| view! { <p class="soft">"No spans yet."</p> })}
            <ol class="span-list">
                <For each=move || rows.get().1 key=|item| *item let:item>
                    <li><Row editor item/></li>
                </For>
            </ol>
            {move || {
                is_cut()
                    .then(|| {
                        view! {
                            <div class="row spread">
                                <span class="soft number">{dynamic(shown)}</span>
                                <button
                                    type="button"
                                    class="small"
                                    on:click=move |_| limit.update(|limit| *limit += ROWS)
                                >
                                    "Show more"
                                </button>
                            </div>
                        }
                    })
            }}
        </section>
    }
}

/// A span or a suggestion; a click makes it active.
#[component]
pub(crate) fn Row(editor: Editor, item: Item) -> impl IntoView {
    let is_active = move || (editor.active.get() == Some(item)).then_some("true");
    let pick = move |_| {
        let index = editor.marked.with_untracked(|marked| marked.index_of(item));
        if let Some(index) = index {
            editor.pick(index);
        }
    };
    let colour = editor.colour_class(item.span.label);
    view! {
        <button
            type="button"
            class="quiet span-row"
            aria-current=is_active
            on:mousedown=keep_focus
            on:click=pick
        >
            <span class=format!("chip {colour}") dir="auto">{editor.label_name(item.span.label)}</span>
            " "
            <span class="span-quote" dir="auto">{editor.quote(item.span.range, SHOWN)}</span>
        </button>
    }
}
