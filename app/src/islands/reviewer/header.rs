//! The head of a review: where one is, how far one has come, and what concerns the whole document.

use crate::islands::{
    editor::{
        keys::{
            KeyHint,
            table::{Command, SIDE_BY_SIDE},
        },
        save_state::SaveBadge,
    },
    icon::{Glyph, Icon},
    prelude::*,
};
use domain::{DocumentId, WorkState};

use super::{
    positions::navigation::{count_decided, count_decisions},
    session::Session,
};

/// What the head says of the document.
#[derive(Clone, Debug)]
pub(crate) struct Heading {
    pub(crate) project_name: String,
    pub(crate) document_name: String,
    pub(crate) place: u64,
    pub(crate) places: u64,
}

/// The head of a review.
#[component]
pub(crate) fn Header(
    session: Session,
    heading: Heading,
    on_command: Callback<Command>,
) -> impl IntoView {
    let (facts, keyboard) = (session.facts(), session.keyboard);
    let reviews = format!("/projects/{}/review", facts.project);
    let Heading { project_name, document_name, place, places } = heading;
    let (can_undo, can_redo) = (
        move || session.decisions.read().can_undo() && !session.is_ended(),
        move || session.decisions.read().can_redo() && !session.is_ended(),
    );
    let end = dynamic(move || if session.is_ended() { "Reopen" } else { "Finish review" });
    let ended = dynamic(move || {
        session.is_ended().then(|| view! { <span class="badge good">"Review finished"</span> })
    });
    view! {
        <header class="review-head">
            <nav class="row" aria-label="Documents">
                <a href=reviews dir="auto">{project_name}</a>
                <Neighbour document=facts.previous glyph=Glyph::Previous name="Previous document" rel="prev"/>
                <span class="soft number">{place} " of " {places}</span>
                <Neighbour document=facts.next glyph=Glyph::Next name="Next document" rel="next"/>
            </nav>
            <div class="row spread">
                <h1 dir="auto">{document_name}</h1>
                <span class="row">
                    {ended}
                    <SaveBadge state=session.saver().state()/>
                </span>
            </div>
            <div class="row spread">
                <Progress session/>
                <div class="row">
                    <button type="button" class="small" disabled=move || !can_undo() on:click=move |_| on_command.run(Command::Undo)>
                        "Undo"
                    </button>
                    <button type="button" class="small" disabled=move || !can_redo() on:click=move |_| on_command.run(Command::Redo)>
                        "Redo"
                    </button>
                    <button
                        type="button"
                        class="small"
                        disabled=move || session.is_ended()
                        on:click=move |_| on_command.run(Command::AcceptUnanimous)
                    >
                        "Accept unanimous …"
                    </button>
                    <button type="button" class="small" id=SIDE_BY_SIDE aria-pressed="false">
                        "Side by side" <KeyHint keyboard command=Command::Press(SIDE_BY_SIDE)/>
                    </button>
                    <button type="button" class="small" on:click=move |_| on_command.run(Command::Commands)>
                        "Commands" <KeyHint keyboard command=Command::Commands/>
                    </button>
                    <button
                        type="button"
                        class="small"
                        class:primary=move || session.state.get() != WorkState::Submitted
                        on:click=move |_| on_command.run(Command::Submit)
                    >
                        {end}
                    </button>
                </div>
            </div>
        </header>
    }
}

/// The way to the document before or after, if there is one.
#[component]
fn Neighbour(
    document: Option<DocumentId>,
    glyph: Glyph,
    name: &'static str,
    rel: &'static str,
) -> impl IntoView {
    let address = document.map(|document| format!("/documents/{document}/review"));
    let is_missing = address.is_none().then_some("true");
    // Without an address it is no link by itself, and may have no name.
    view! {
        <a
            class="button quiet small"
            role="link"
            rel=rel
            aria-label=name
            title=name
            href=address
            aria-disabled=is_missing
        >
            <Icon glyph/>
        </a>
    }
}

/// "14 of 20 decided".
#[component]
fn Progress(session: Session) -> impl IntoView {
    let decided = Memo::new(move |_| count_decided(&session.positions()));
    let total = Memo::new(move |_| count_decisions(&session.positions()));
    view! {
        <div class="row review-progress">
            <progress
                value=move || decided.get().to_string()
                max=move || total.get().max(1).to_string()
                aria-hidden="true"
            ></progress>
            <span class="number">{decided} " of " {total} " decided"</span>
        </div>
    }
}
