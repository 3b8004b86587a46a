//! The review of a document: its text with every position marked, the positions one by one, and
//! the ways to decide on them.
//!
//! `positions` are plain functions and values; `session` with `deciding`, `ending` and
//! `commands` holds them in signals; `saving` talks to the server; the rest is what people see.

mod commands;
mod deciding;
mod dialogs;
mod ending;
mod header;
mod notices;
mod panels;
pub(crate) mod positions;
mod saving;
mod session;

use std::sync::Arc;

use domain::{OwnKeys, ReviewView, WorkState};
use leptos::ev;
use web_sys::KeyboardEvent;

use super::editor::{
    comments::point_comments_at,
    keys::{dialog::Commands, table::Command},
    text_view::TextView,
};
use crate::islands::prelude::*;

use self::{
    panels::{
        current_position::CurrentPosition, label_search::LabelSearch, of_document::OfDocument,
        position_list::PositionList, selected_text::SelectedText,
    },
    positions::{index_of, marks::marks_of, wording::range_of},
};
use dialogs::{EndQuestion, UnanimousQuestion};
use header::{Header, Heading};
use notices::Notices;
use session::{Opened, Session};

/// A document under review.
#[component]
pub(crate) fn Reviewer(review: ReviewView, keys: OwnKeys) -> impl IntoView {
    let heading = Heading {
        project_name: review.project_name.clone(),
        document_name: review.document_name.clone(),
        place: review.place,
        places: review.places,
        has_submitted: review.assignments.iter().any(|one| one.state == WorkState::Submitted),
    };
    let label = format!("Text of {}", review.document_name);
    let guidelines = review.guidelines_html.clone();
    let page = format!("documents/{}/review", review.document);
    let session = Session::open(review, keys);
    let facts = session.facts();
    let layout = Arc::clone(&facts.layout);

    let on_command = Callback::new(move |command: Command| session.perform(command));
    Effect::new(move |_| {
        if let Some(document) = session.destination.get() {
            drop(window().location().assign(&format!("/documents/{document}/review")));
        }
    });
    Effect::new(move |_| {
        session.keyboard.recall_letters();
        session.find_draft();
        let keys = window_event_listener(ev::keydown, move |event| session.press(&event));
        let saver = session.saver();
        let leaving = window_event_listener(ev::beforeunload, move |event| {
            if !saver.is_empty() {
                event.prevent_default();
            }
        });
        on_cleanup(move || {
            keys.remove();
            leaving.remove();
        });
    });
    follow_address(session);
    point_comments_at(move || session.current.get());

    let marks = Memo::new(move |_| Arc::new(marks_of(&session.positions(), &facts.labels)));
    let active = Memo::new(move |_| {
        let current = session.current.get()?;
        index_of(&session.positions(), current).ok()
    });
    let pick = move |index: usize| {
        if let Some(position) = session.positions_now().get(index) {
            session.current.set(Some(position.range));
        }
    };
    let select = move |range| {
        if index_of(&session.positions_now(), range).is_ok() {
            session.current.set(Some(range));
        }
    };
    let by_token = RwSignal::new(true);
    view! {
        <article class="review">
            <Header session heading on_command/>
            <div class="page">
            <Notices session/>
            <div class="review-columns">
                <div class="stack review-text">
                    <TextView
                        layout
                        marks=marks.into()
                        active=active.into()
                        selection=session.selection
                        by_token=by_token.into()
                        on_mark=Callback::new(pick)
                        on_select=Callback::new(select)
                        on_key=Callback::new(move |event: KeyboardEvent| session.press(&event))
                        label
                    />
                    <label class="check">
                        <input
                            type="checkbox"
                            prop:checked=by_token
                            on:change=move |event| by_token.set(event_target_checked(&event))
                        />
                        "Select whole tokens"
                    </label>
                    <details>
                        <summary>"Guidelines"</summary>
                        <div class="prose" dir="auto" inner_html=guidelines></div>
                    </details>
                </div>
                <aside class="stack review-panel" aria-label="Positions">
                    <SelectedText session on_command/>
                    <CurrentPosition session on_command/>
                    <OfDocument session/>
                    <p class="said" role="status">{session.said}</p>
                    <PositionList session/>
                </aside>
            </div>
            </div>
            <LabelSearch session/>
            <Commands
                keyboard=session.keyboard
                open=Signal::derive(move || session.opened.get() == Some(Opened::Commands))
                on_close=Callback::new(move |()| session.opened.set(None))
                on_command
                page
                switches_letters=true
            />
            <UnanimousQuestion session/>
            <EndQuestion session/>
        </article>
    }
}

/// Makes the position current that the address names.
fn follow_address(session: Session) {
    let follow = move || {
        let fragment = window().location().hash().unwrap_or_default();
        let Some(range) = range_of(&fragment) else { return };
        if index_of(&session.positions_now(), range).is_ok() {
            session.current.set(Some(range));
        } else {
            session.say("The position of this link no longer exists.");
        }
    };
    Effect::new(move |_| {
        untrack(follow);
        let moved = window_event_listener(ev::hashchange, move |_| follow());
        on_cleanup(move || moved.remove());
    });
}
