//! A thread of comments as everybody reads it.

use domain::{Comment, CommentThread, LONGEST_COMMENT, Role};

use crate::pages::components::prelude::*;

/// The head of a thread and its comments; `link` leads to the place where it can be looked at.
pub(super) fn thread(
    thread: &CommentThread,
    link: Option<String>,
    shows_document: bool,
) -> AnyView {
    let place = if thread.range.is_some() {
        let gone = (!thread.is_marked).then(|| {
            view! { " "<span class="badge">"no span there now"</span> }
        });
        view! { <span>"On "<q dir="auto">{thread.quote.clone()}</q>{gone}</span> }
    } else {
        view! { <span>"On the whole document"</span> }
    };
    let document = shows_document.then(|| {
        view! { <bdi class="soft">{thread.document_name.clone()}</bdi> }
    });
    let (sign, state, class) = match thread.settled_at {
        Some(at) => ("✓", view! { "settled "<Moment at/> }.into_any(), "badge good"),
        None => ("○", "open".into_any(), "badge"),
    };
    let link = link.map(|link| view! { <a href=link>"Show in text"</a> });
    let comments: Vec<_> = thread.comments.iter().map(comment).collect();
    view! {
        <div class="row spread">
            <p class="place">{place}</p>
            <span class=class><span aria-hidden="true">{sign}</span>{state}</span>
        </div>
        <p class="row">{document}{link}</p>
        <ol class="plain-list comments">{comments}</ol>
    }
}

fn comment(comment: &Comment) -> AnyView {
    let Comment { by, role, words, written_at } = comment;
    let role = match role {
        Role::Labeler => None,
        Role::Reviewer => Some("reviewer"),
        Role::Manager => Some("manager"),
    };
    let role = role.filter(|role| !by.eq_ignore_ascii_case(role));
    let role = role.map(|role| view! { " "<span class="badge">{role}</span> });
    view! {
        <li>
            <p class="by">
                <strong><bdi>{by.clone()}</bdi></strong>{role}" "
                <span class="soft number"><Moment at=*written_at/></span>
            </p>
            <p class="words" dir="auto">{words.clone()}</p>
        </li>
    }
}

/// A box for words. `id` is unique on the page.
pub(super) fn words_field(id: String, label: &'static str, rows: &'static str) -> AnyView {
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <TextArea id class="short" name="words" rows required=true longest=LONGEST_COMMENT/>
            <p class="error" role="alert" data-said=""></p>
        </div>
    }
}
