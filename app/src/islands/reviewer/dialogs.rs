//! What stands in front of the review: the questions before acts on many positions.

use domain::WorkState;

use crate::islands::{editor::dialog::Dialog, prelude::*};

use super::{
    positions::{
        changes::accept_unanimous,
        navigation::{count_decided, count_decisions},
    },
    session::{Opened, Session},
};

fn is_open(session: Session, opened: Opened) -> Signal<bool> {
    Signal::derive(move || session.opened.get() == Some(opened))
}

fn close(session: Session) -> Callback<()> {
    Callback::new(move |()| session.opened.set(None))
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
                " will be accepted. You can undo this in one step."
            </p>
            <Answer session verb="Accept all" on_yes=accept/>
        </Dialog>
    }
}

/// Asks before a review with undecided positions is ended.
#[component]
pub(crate) fn EndQuestion(session: Session) -> impl IntoView {
    let undecided = move || {
        let positions = session.positions();
        count_decisions(&positions) - count_decided(&positions)
    };
    let end = Callback::new(move |()| session.change_state(WorkState::Submitted));
    view! {
        <Dialog
            id="end-review"
            title="Finish the review?"
            open=is_open(session, Opened::End)
            on_close=close(session)
        >
            <p>
                {move || domain::count(undecided(), "decision")}
                " left: undecided positions are not counted for or against anybody. You can reopen the review later."
            </p>
            <Answer session verb="Finish review" on_yes=end/>
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
