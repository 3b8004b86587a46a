//! Why a position was decided as it was: one of the project's reasons, or the reviewer's words.

use web_sys::KeyboardEvent;

use crate::islands::{
    editor::{
        elements::focus_by_id,
        keys::{KeyHint, table::Command},
        text_view::focus_text,
    },
    prelude::*,
    reviewer::{positions::Position, session::Session},
};

/// The id of the field; a page has one.
const REASON: &str = "reason";

/// The reason for the decision on the current position.
#[component]
pub(crate) fn Reason(session: Session, position: Memo<Option<Position>>) -> impl IntoView {
    // A memo: the field is written only when the reason is another one. Whatever else is news of the
    // position, such as the answer to a save, leaves what is being typed alone.
    let note = Memo::new(move |_| {
        let position = position.read();
        let decided = position.as_ref().and_then(|position| position.decision.as_ref());
        decided.map(|decided| decided.note.clone()).unwrap_or_default()
    });
    let is_undecided =
        move || position.read().as_ref().is_none_or(|position| position.decision.is_none());
    let explain = move |words: &str| {
        session.explain(words);
        session.move_on(session.current.get_untracked(), "Reason saved.");
        focus_text();
    };
    let on_key = move |event: KeyboardEvent| {
        let (key, typed) = (event.key(), event_target_value(&event));
        // A digit is a reason of the list as long as nothing else is typed.
        let place = key.parse::<usize>().ok().filter(|_| typed.is_empty());
        let facts = session.facts();
        if let Some(reason) = place.and_then(|place| facts.reasons.get(place.wrapping_sub(1))) {
            event.prevent_default();
            explain(reason);
        } else if key == "Enter" && !event.is_composing() {
            explain(&typed);
        } else if key == "Escape" {
            focus_text();
        }
    };
    let mut listed = String::new();
    for (place, reason) in session.facts().reasons.iter().enumerate() {
        listed.push_str(&(place + 1).to_string());
        listed.push(' ');
        listed.push_str(reason);
        listed.push_str("  ");
    }
    view! {
        <div class="field" hidden=is_undecided>
            <label for=REASON>"Reason " <KeyHint keyboard=session.keyboard command=Command::Explain/></label>
            <input
                id=REASON
                type="text"
                dir="auto"
                autocomplete="off"
                list="reasons"
                maxlength=domain::LONGEST_NOTE.to_string()
                prop:value=move || note.get()
                disabled=move || session.is_ended()
                on:change=move |event| session.explain(&event_target_value(&event))
                on:keydown=on_key
            />
            <p class="hint" dir="auto">{listed}</p>
        </div>
    }
}

/// Leads the keyboard into the field.
pub(crate) fn focus_reason() {
    focus_by_id(REASON);
}
