//! What stands in front of the review: the help, and the questions before acts on many positions.

use domain::WorkState;
use leptos::prelude::*;

use crate::{islands::editor::dialog::Dialog, view::view};

use super::{
    keys::HELP,
    positions::{changes::accept_unanimous, navigation::count_decided},
    session::{Opened, Session},
};

/// Where the browser keeps whether letters are keys.
const LETTER_KEYS: &str = "concord.review.letter-keys";

/// Whether letters were keys when they were chosen last.
pub(crate) fn stored_letter_keys() -> bool {
    let storage = window().local_storage().ok().flatten();
    let stored = storage.and_then(|storage| storage.get_item(LETTER_KEYS).ok().flatten());
    stored.as_deref() != Some("off")
}

/// Where the browser refuses to keep it, the choice holds for this page.
fn store_letter_keys(on: bool) {
    if let Ok(Some(storage)) = window().local_storage() {
        drop(storage.set_item(LETTER_KEYS, if on { "on" } else { "off" }));
    }
}

fn is_open(session: Session, opened: Opened) -> Signal<bool> {
    Signal::derive(move || session.opened.get() == Some(opened))
}

fn close(session: Session) -> Callback<()> {
    Callback::new(move |()| session.opened.set(None))
}

/// All keys, and the switch for those that are letters.
#[component]
pub(crate) fn Help(session: Session) -> impl IntoView {
    let rows = || {
        HELP.iter()
            .map(|(keys, what)| {
                let keys = keys.iter().map(|key| match *key {
                    "…" => " … ".into_any(),
                    key => view! { <kbd>{key}</kbd> " " },
                });
                view! { <tr><th scope="row">{keys.collect_view()}</th><td>{*what}</td></tr> }
            })
            .collect_view()
    };
    view! {
        <Dialog
            id="review-help"
            title="Keys"
            open=is_open(session, Opened::Help)
            on_close=close(session)
        >
            <table class="key-help">
                <tbody>{rows()}</tbody>
            </table>
            <p>
                "To add a position, select text with the mouse, or with "
                <kbd>"Shift"</kbd> " and the arrow keys, and press a label's key or " <kbd>"L"</kbd> "."
            </p>
            <label class="check">
                <input
                    type="checkbox"
                    prop:checked=session.letter_keys
                    on:change=move |event| {
                        let on = event_target_checked(&event);
                        session.letter_keys.set(on);
                        store_letter_keys(on);
                    }
                />
                "Letters, digits and signs are keys"
            </label>
            <div class="row dialog-actions">
                <button type="button" on:click=move |_| session.opened.set(None)>"Close"</button>
            </div>
        </Dialog>
    }
}

/// Asks before all unanimous positions are accepted, and says how many there are.
#[component]
pub(crate) fn UnanimousQuestion(session: Session) -> impl IntoView {
    let count = move || accept_unanimous(&session.positions()).len();
    let accept = Callback::new(move |()| session.accept_all_unanimous());
    view! {
        <Dialog
            id="accept-unanimous"
            title="Accept all unanimous positions?"
            open=is_open(session, Opened::Unanimous)
            on_close=close(session)
        >
            <p>
                {move || domain::count(count(), "position")}
                " that every labeler who saved this document marked alike will be accepted. One undo takes all of it back."
            </p>
            <Answer session verb="Accept them" on_yes=accept/>
        </Dialog>
    }
}

/// Asks before a review with undecided positions is ended.
#[component]
pub(crate) fn EndQuestion(session: Session) -> impl IntoView {
    let undecided = move || {
        let positions = session.positions();
        positions.len() - count_decided(&positions)
    };
    let end = Callback::new(move |()| session.change_state(WorkState::Submitted));
    view! {
        <Dialog
            id="end-review"
            title="End the review?"
            open=is_open(session, Opened::End)
            on_close=close(session)
        >
            <p>
                {move || domain::count(undecided(), "position")}
                " will stay without a decision: they count neither for nor against anybody. You can reopen the review later."
            </p>
            <Answer session verb="End the review" on_yes=end/>
        </Dialog>
    }
}

/// The two answers to a question.
#[component]
fn Answer(session: Session, verb: &'static str, on_yes: Callback<()>) -> impl IntoView {
    view! {
        <div class="row dialog-actions">
            <button type="button" on:click=move |_| session.opened.set(None)>"Cancel"</button>
            <button
                type="button"
                class="primary"
                autofocus
                on:click=move |_| {
                    session.opened.set(None);
                    on_yes.run(());
                }
            >
                {verb}
            </button>
        </div>
    }
}
