//! What stands above a text that is marked or reviewed: a note that it came back with, its flags,
//! and the ways to what can be said. `comments.js` opens them in a dialog.

use domain::{AssignmentId, DocumentId, OwnAssignmentNotes};
use leptos::nonce::use_nonce;

use super::{
    flag::{flag_words, load_notes},
    note,
};
use crate::pages::components::prelude::*;

/// Above a labeler's own assignment.
#[component]
pub(crate) fn AnnotateLine(assignment: AssignmentId) -> impl IntoView {
    let notes = load(load_notes(assignment));
    view! { <Loaded resource=notes quiet=true view=|own| view! { <OwnLine own/> }/> }
}

#[component]
fn OwnLine(own: OwnAssignmentNotes) -> impl IntoView {
    let OwnAssignmentNotes { assignment, notes, comments, .. } = own;
    let note = notes.note.as_ref().map(note);
    let flags: Vec<_> =
        notes.flags.iter().map(|flag| view! { <p>{flag_words(flag)}</p> }).collect();
    view! {
        <div class="comments-line" data-comments-line="">
            {note}
            {flags}
            // The buttons of the editor and their keys press these.
            <a id="comments-open" hidden=comments == 0 data-comments="" href=format!("/assignments/{assignment}/comments")>
                "Comments "<span class="number">{comments}</span>
            </a>
            <a id="comments-flag" hidden="" data-comments="" href=format!("/assignments/{assignment}/flag")>"Flag or skip"</a>
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
        <Loaded resource=counts quiet=true view=move |(open, all)| view! {
            <ReviewLinks document open all/>
        }/>
    }
}

/// Open threads on a document, and all of them.
async fn load_counts(document: DocumentId) -> Result<(usize, usize), ApiError> {
    let (services, actor) = request()?;
    let comments = services::work::comments::of_document(&services, &actor, document, None).await;
    let threads = answer(comments)?.threads;
    let open = threads.iter().filter(|one| one.settled_at.is_none()).count();
    Ok((open, threads.len()))
}

#[component]
fn ReviewLinks(document: DocumentId, open: usize, all: usize) -> impl IntoView {
    let count = match (open, all) {
        (_, 0) => String::new(),
        (0, all) => format!(" {all}, all resolved"),
        (open, all) => format!(" {all}, {open} open"),
    };
    view! {
        <div class="comments-line" data-comments-line="">
            <a id="comments-open" hidden=all == 0 data-comments="" href=format!("/documents/{document}/comments")>
                "Comments"<span class="number">{count}</span>
            </a>
        </div>
        {dialog()}
    }
}

/// The dialog that what was asked for is shown in.
fn dialog() -> AnyView {
    view! {
        <dialog id="comments" aria-label="Flags and comments">
            <div class="stack">
                <div data-here=""></div>
                <div class="row dialog-actions">
                    <button type="button" command="close" commandfor="comments">"Close"</button>
                </div>
            </div>
        </dialog>
        <script type="module" src="/comments.js" nonce=use_nonce()></script>
    }
}
