//! The head of a review: where one is, how far one has come, and what concerns the whole document.

use crate::islands::{
    editor::{
        comments::COMMENTS,
        head::{Head, HeadButton},
        keys::table::{Command, SIDE_BY_SIDE},
        save_state::SaveBadge,
    },
    icon::{Glyph, Icon},
    prelude::*,
};
use domain::{DocumentId, WorkState};

use super::{
    positions::{
        decisions::Decisions,
        navigation::{count_decided, count_decisions},
    },
    session::Session,
};

/// What the head says of the document.
#[derive(Clone, Debug)]
pub(crate) struct Heading {
    pub(crate) project_name: String,
    pub(crate) document_name: String,
    pub(crate) place: u64,
    pub(crate) places: u64,
    /// Whether somebody's work could be sent back.
    pub(crate) has_submitted: bool,
}

/// The head of a review.
#[component]
pub(crate) fn Header(
    session: Session,
    heading: Heading,
    on_command: Callback<Command>,
) -> impl IntoView {
    let facts = session.facts();
    let reviews = format!("/projects/{}/review", facts.project);
    let Heading { project_name, document_name, place, places, has_submitted } = heading;
    let back = has_submitted.then(|| {
        let href = format!("/documents/{}/back", facts.draft.document);
        view! { <a class="button quiet small" data-comments="" href=href>"Send back"</a> }
    });
    let end = dynamic(move || if session.is_ended() { "Reopen" } else { "Finish review" });
    let ended = dynamic(move || {
        session.is_ended().then(|| view! { <span class="badge good">"Review finished"</span> })
    });
    view! {
        <Head list=reviews project_name document_name>
            <div class="editor-bar">
                <nav class="editor-places" aria-label="Documents">
                    <Neighbour document=facts.previous glyph=Glyph::Previous name="Previous document" rel="prev"/>
                    <span class="number soft">{place} " of " {places}</span>
                    <Neighbour document=facts.next glyph=Glyph::Next name="Next document" rel="next"/>
                </nav>
                <Progress session/>
                <Tools session run=on_command/>
                {back}
            </div>
            <div class="editor-state">
                {ended}
                <SaveBadge state=session.saver().state()/>
            </div>
            <button
                type="button"
                class="hand-in"
                class:primary=move || session.state.get() != WorkState::Submitted
                on:click=move |_| on_command.run(Command::Submit)
            >
                {end}
            </button>
        </Head>
    }
}

/// Undo and redo, and what concerns the whole document.
#[component]
fn Tools(session: Session, run: Callback<Command>) -> impl IntoView {
    let keyboard = session.keyboard;
    let cannot = |can: fn(&Decisions) -> bool| {
        Signal::derive(move || session.is_ended() || !can(&session.decisions.read()))
    };
    let side = Command::Press(SIDE_BY_SIDE);
    view! {
        <div class="editor-tools">
            <HeadButton name="Undo" sign="↶" command=Command::Undo keyboard disabled=cannot(Decisions::can_undo) run/>
            <HeadButton name="Redo" sign="↷" command=Command::Redo keyboard disabled=cannot(Decisions::can_redo) run/>
            <HeadButton name="Comments" command=Command::Press(COMMENTS) keyboard run/>
            // Its script listens.
            <button type="button" class="quiet small" id=SIDE_BY_SIDE aria-pressed="false" aria-keyshortcuts=keyboard.spoken(side)>
                "Side by side"
            </button>
            <HeadButton name="Commands" command=Command::Commands keyboard run/>
        </div>
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
        <div class="review-progress">
            <progress
                value=move || decided.get().to_string()
                max=move || total.get().max(1).to_string()
                aria-hidden="true"
            ></progress>
            <span class="number">{decided} " of " {total} " decided"</span>
        </div>
    }
}
