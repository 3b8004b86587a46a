//! What stands above a text that is marked or reviewed: a note that it came back with, its flags,
//! and the ways to what can be said. `talking.js` opens them in a dialog.

use domain::{AssignmentId, DocumentId, OwnMarks, WorkState};
use leptos::{nonce::use_nonce, prelude::*};

use super::{
    flag::{flag_words, load_marks},
    note,
};
use crate::{
    ApiError,
    context::{answer, request},
    loading::load,
    pages::components::loaded::Loaded,
    view::view,
};

/// Above a labeler's own copy.
#[component]
pub(crate) fn AnnotateLine(assignment: AssignmentId) -> impl IntoView {
    let marks = load(load_marks(assignment));
    view! { <Loaded resource=marks quiet=true view=|own| view! { <OwnLine own/> }/> }
}

#[component]
fn OwnLine(own: OwnMarks) -> impl IntoView {
    let OwnMarks { assignment, marks, comments, .. } = own;
    let note = marks.note.as_ref().map(note);
    let flags: Vec<_> =
        marks.flags.iter().map(|flag| view! { <p>{flag_words(flag)}</p> }).collect();
    let count = (comments > 0).then(|| view! { " "<span class="number">{comments}</span> });
    view! {
        <div class="talk-line" data-talk-line="">
            {note}
            {flags}
            <div class="row">
                <a id="talk-comments" class="button quiet small" data-talk="" href=format!("/assignments/{assignment}/comments")>
                    "Comments"{count}
                </a>
                <a id="talk-flag" class="button quiet small" data-talk="" href=format!("/assignments/{assignment}/flag")>
                    "Flag or skip"
                </a>
            </div>
        </div>
        {dialog()}
    }
}

/// Above a document under review.
#[component]
pub(crate) fn ReviewLine(document: DocumentId, reasons: Vec<String>) -> impl IntoView {
    let counts = load(load_counts(document));
    let reasons: Vec<_> =
        reasons.into_iter().map(|reason| view! { <option value=reason></option> }).collect();
    view! {
        // The field for a reason offers them.
        <datalist id="reasons">{reasons}</datalist>
        <Loaded resource=counts quiet=true view=move |(open, all, submitted)| view! {
            <ReviewLinks document open all submitted/>
        }/>
    }
}

/// Open threads on a document, all of them, and how many copies are submitted.
async fn load_counts(document: DocumentId) -> Result<(usize, usize, usize), ApiError> {
    let (services, actor) = request()?;
    let comments = services::work::comments::of_document(&services, &actor, document, None).await;
    let threads = answer(comments)?.threads;
    let copies = answer(services::work::flags::copies(&services, &actor, document).await)?.copies;
    let open = threads.iter().filter(|one| one.settled_at.is_none()).count();
    let is_submitted = |state| state == WorkState::Submitted;
    let submitted = copies.iter().filter(|(copy, _)| is_submitted(copy.state)).count();
    Ok((open, threads.len(), submitted))
}

#[component]
fn ReviewLinks(document: DocumentId, open: usize, all: usize, submitted: usize) -> impl IntoView {
    let count = match (open, all) {
        (_, 0) => String::new(),
        (0, all) => format!(" {all}, all settled"),
        (open, all) => format!(" {all}, {open} open"),
    };
    let back = (submitted > 0).then(|| {
        view! {
            <a class="button quiet small" data-talk="" href=format!("/documents/{document}/back")>
                "Send a copy back"
            </a>
        }
    });
    view! {
        <div class="talk-line page wide" data-talk-line="">
            <div class="row">
                <a id="talk-comments" class="button quiet small" data-talk="" href=format!("/documents/{document}/comments")>
                    "Comments"<span class="number">{count}</span>
                </a>
                {back}
            </div>
        </div>
        {dialog()}
    }
}

/// The dialog that what was asked for is shown in.
fn dialog() -> AnyView {
    view! {
        <dialog id="talk" aria-label="Flags and comments">
            <div class="stack">
                <div data-here=""></div>
                <div class="row dialog-actions">
                    <button type="button" command="close" commandfor="talk">"Close"</button>
                </div>
            </div>
        </dialog>
        <script type="module" src="/talking.js" nonce=use_nonce()></script>
    }
}
