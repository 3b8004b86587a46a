//! The list of all positions. However many there are, only a window of rows stands in the page.

use leptos::html;

use crate::{
    display,
    islands::{
        editor::keys::{KeyHint, table::Command},
        prelude::*,
        reviewer::{
            positions::{
                Position,
                navigation::{WINDOW, current_row, listed, window_start},
                wording::{standing_sign, tag, title},
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
    let order = Memo::new(move |_| listed(&session.positions(), session.conflicts_first.get()));
    let total = Memo::new(move |_| session.positions().len());
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
    let count =
        dynamic(move || display::count(u64::try_from(total.get()).unwrap_or(u64::MAX), "position"));
    view! {
        <section class="card positions" aria-labelledby="positions-title">
            <div class="row spread">
                <h2 id="positions-title">{count}</h2>
                <button
                    type="button"
                    class="small"
                    aria-pressed=move || session.conflicts_first.get().to_string()
                    on:click=move |_| session.perform(Command::Order)
                >
                    "Conflicts first" <KeyHint keyboard=session.keyboard command=Command::Order/>
                </button>
            </div>
            <p class="soft">"≠ conflict, ◐ marked by only one, … waiting, = unanimous, + added"</p>
            {earlier}
            <ol class="plain-list" node_ref=element>
                <For
                    each=rows
                    key=|position| (position.range, position.resolved())
                    children=move |position| view! { <Row session position/> }
                />
            </ol>
            {later}
        </section>
    }
}

#[component]
fn Row(session: Session, position: Position) -> impl IntoView {
    let facts = session.facts();
    let range = position.range;
    let is_written_about = facts.comments.contains(&range);
    let is_current = move || session.current.get() == Some(range);
    view! {
        <li>
            <button
                type="button"
                class="quiet small"
                class:decided=position.decision.is_some()
                title=title(&position, &facts.labels)
                data-at=format!("{}-{}", range.start, range.end)
                aria-current=move || is_current().then_some("true")
                on:click=move |_| session.current.set(Some(range))
            >
                <span class="sign" aria-hidden="true">{standing_sign(position.standing)}</span>
                <span class="visually-hidden">{position.standing.name()} ": "</span>
                <span class="quote" dir="auto">{facts.layout.quote(range, QUOTE)}</span>
                {is_written_about.then(|| view! { <span class="badge">"comment"</span> })}
                <bdi class="answer">{tag(&position, &facts.labels)}</bdi>
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
