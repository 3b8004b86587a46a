//! The list of all positions. However many there are, only a window of rows stands in the page.

use domain::{Range, covered};
use leptos::html;

use crate::{
    display,
    islands::{
        editor::keys::{KeyHint, table::Command},
        prelude::*,
        reviewer::{
            panels::answers::missing,
            positions::{
                Position, Resolution,
                groups::{decided_with, is_first},
                navigation::{WINDOW, current_row, listed, window_start},
                wording::{act_words, kind_sign, kind_word, tag, title},
            },
            session::Session,
        },
    },
};

/// The most characters of a position's text in its row.
const QUOTE: u32 = 60;

/// All positions; the current one is marked and kept in view.
#[component]
pub(crate) fn PositionList(session: Session) -> impl IntoView {
    let element = NodeRef::<html::Ol>::new();
    // Where somebody has moved the window to; the next current position takes it back.
    let moved = RwSignal::new(None::<usize>);
    let order = Memo::new(move |_| {
        let positions = session.positions();
        let mut order = listed(&positions, session.conflicts_first.get());
        order.retain(|place| positions.get(*place).is_some_and(is_first));
        order
    });
    let total = Memo::new(move |_| order.read().len());
    let start = Memo::new(move |_| {
        let last = total.get().saturating_sub(WINDOW);
        let around = || {
            let row = current_row(&session.positions(), &order.read(), session.current.get());
            window_start(row, total.get())
        };
        moved.get().map_or_else(around, |start| start.min(last))
    });
    let rows = move || {
        let positions = session.positions();
        let order = order.read();
        let window = order.iter().skip(start.get()).take(WINDOW);
        window.filter_map(|place| positions.get(*place).cloned()).collect::<Vec<_>>()
    };
    Effect::new(move |_| {
        session.current.track();
        session.conflicts_first.track();
        moved.set(None);
        request_animation_frame(move || {
            keep_in_view(element);
        });
    });
    let earlier = dynamic(move || {
        (start.get() > 0).then(|| {
            let move_back = move |_| moved.set(Some(start.get_untracked().saturating_sub(WINDOW)));
            view! { <button type="button" class="quiet small" on:click=move_back>"Earlier positions"</button> }
        })
    });
    let later = dynamic(move || {
        (start.get().saturating_add(WINDOW) < total.get()).then(|| {
            let move_on = move |_| moved.set(Some(start.get_untracked().saturating_add(WINDOW)));
            view! { <button type="button" class="quiet small" on:click=move_on>"Later positions"</button> }
        })
    });
    let unanswered = Memo::new(move |_| session.unanswered());
    let unanswered = dynamic(move || {
        let left = unanswered.get();
        (left > 0).then(|| view! { <span class="badge warn">{missing(left)}</span> })
    });
    let count =
        dynamic(move || display::count(u64::try_from(total.get()).unwrap_or(u64::MAX), "decision"));
    view! {
        <section class="card positions" aria-labelledby="positions-title">
            <div class="row spread">
                <h2 id="positions-title">{count}</h2>
                {unanswered}
                <div class="row">
                    <button
                        type="button"
                        class="small"
                        aria-pressed=move || session.conflicts_first.get().to_string()
                        on:click=move |_| session.perform(Command::Order)
                    >
                        "Conflicts first" <KeyHint keyboard=session.keyboard command=Command::Order/>
                    </button>
                    <button
                        type="button"
                        class="small"
                        disabled=move || session.is_ended()
                        on:click=move |_| session.perform(Command::AcceptUnanimous)
                    >
                        "Accept unanimous …"
                    </button>
                </div>
            </div>
            <p class="soft">"≠ conflict, ↔ boundaries, ◐ marked by some, … waiting, = unanimous, + added"</p>
            {earlier}
            <ol class="plain-list" node_ref=element>
                <For
                    each=rows
                    key=move |position| (position.range, decided_here(session, position.range))
                    children=move |position| view! { <Row session position/> }
                />
            </ol>
            {later}
        </section>
    }
}

/// What is decided on a row.
fn decided_here(session: Session, range: Range) -> Vec<Option<Resolution>> {
    let positions = session.positions_now();
    decided_with(&positions, range).iter().map(|position| position.resolved()).collect()
}

#[component]
fn Row(session: Session, position: Position) -> impl IntoView {
    let facts = session.facts();
    let range = position.range;
    let positions = session.positions_now();
    let together = decided_with(&positions, range);
    let ranges: Vec<Range> = together.iter().map(|one| one.range).collect();
    let whole = covered(&ranges);
    let decided = act_words(together.iter().filter_map(|one| one.decision.as_ref()), &facts.labels);
    let is_decided = together.iter().all(|one| one.decision.is_some());
    let answer = match (position.group, decided) {
        (None, _) => tag(&position, &facts.labels),
        (Some(_), Some(words)) => words,
        (Some(_), None) => domain::count(together.len(), "span"),
    };
    let is_written_about = ranges.iter().any(|range| facts.comments.contains(range));
    let is_current = move || session.current.get().is_some_and(|current| ranges.contains(&current));
    view! {
        <li>
            <button
                type="button"
                class="quiet small"
                class:decided=is_decided
                title=title(&position, &facts.labels)
                data-at=format!("{}-{}", range.start, range.end)
                aria-current=move || is_current().then_some("true")
                on:click=move |_| session.current.set(Some(range))
            >
                <span class="sign" aria-hidden="true">{kind_sign(&position)}</span>
                <span class="visually-hidden">{kind_word(&position)} ": "</span>
                <span class="quote" dir="auto">{facts.layout.quote(whole, QUOTE)}</span>
                {is_written_about.then(|| view! { <span class="badge">"comment"</span> })}
                <bdi class="answer">{answer}</bdi>
            </button>
        </li>
    }
}

/// Scrolls the list, and nothing else, until the current row is seen.
fn keep_in_view(element: NodeRef<html::Ol>) -> Option<()> {
    use wasm_bindgen::JsCast;

    let list = element.try_get_untracked()??;
    let row = list.query_selector("[aria-current]").ok()??;
    let row: web_sys::HtmlElement = row.dyn_into().ok()?;
    let (top, bottom) = (row.offset_top(), row.offset_top() + row.offset_height());
    if top < list.scroll_top() {
        list.set_scroll_top(top);
    } else if bottom > list.scroll_top() + list.client_height() {
        list.set_scroll_top(bottom - list.client_height());
    }
    Some(())
}
