//! What people say to each other about the work: flags and skips, comments on places, assignments that
//! go back to their labelers. Each is a page of its own; beside a text, `comments.js` shows the same
//! page in a dialog.

mod flag;
mod line;
mod list;
mod of_document;
mod send_back;
mod thread;

pub(crate) use self::flag::{FlagPage, flag_words, words};
pub(crate) use self::line::{AnnotateLine, ReviewLine};
pub(crate) use self::list::{OwnCommentListPage, ProjectCommentsPage};
pub(crate) use self::of_document::{DocumentCommentsPage, OwnCommentsPage};
pub(crate) use self::send_back::SendBackPage;

use domain::{ReturnNote, Role};

use crate::pages::components::prelude::*;

/// What was said to a labeler when their assignment came back.
pub(crate) fn note(note: &ReturnNote) -> AnyView {
    let by = match note.by {
        Role::Manager => "Your manager",
        Role::Reviewer => "A reviewer",
        Role::Labeler => "You",
    };
    view! {
        <p class="notice warn came-back">
            <span><strong>"Sent back to you. "</strong>{by}" wrote "<Moment at=note.written_at/>":"</span>
            <span class="words" dir="auto">{note.note.clone()}</span>
        </p>
    }
}
