//! What stands above the text when something needs to be known or decided.

use crate::view::{dynamic, view};
use domain::count;
use leptos::prelude::*;

use super::{change::Change, editor::Editor, status::Status};

#[component]
pub(crate) fn Notices(editor: Editor) -> impl IntoView {
    view! {
        <div class="annotate-notices">
            {move || (editor.kept.get() > 0).then(|| view! { <Kept editor/> })}
            {move || {
                (*editor.status.read() == Status::Conflict).then(|| view! { <Conflict editor/> })
            }}
            {move || editor.is_read_only.get().then(|| view! { <Submitted editor/> })}
        </div>
    }
}

/// Changes of an earlier visit are back.
#[component]
fn Kept(editor: Editor) -> impl IntoView {
    let words = dynamic(move || {
        let kept = editor.kept.get();
        let verb = if kept == 1 { "was" } else { "were" };
        format!("{} from before {verb} kept.", count(kept, "change"))
    });
    view! {
        <div class="notice row spread" role="status">
            <p>{words}</p>
            <button type="button" class="small" on:click=move |_| editor.kept.set(0)>"Close"</button>
        </div>
    }
}

/// Another tab or device has saved first.
#[component]
fn Conflict(editor: Editor) -> impl IntoView {
    let here = move || editor.sync.read().pending(editor.history.read().spans()).len();
    let there = move || editor.sync.read().theirs().map_or(0, |theirs: Change| theirs.len());
    let words = dynamic(move || {
        format!(
            "This document was saved in another tab or on another device: {} there, {} here that \
             are not saved. Nothing is lost until you decide.",
            count(there(), "change"),
            count(here(), "change"),
        )
    });
    let mine = move || format!("Apply my {} on top", count(here(), "change"));
    view! {
        <div class="notice danger" role="alert">
            <p>{words}</p>
            <div class="row">
                <button type="button" on:click=move |_| editor.use_theirs()>
                    "Use the saved version"
                </button>
                {move || {
                    (here() > 0)
                        .then(|| {
                            view! {
                                <button
                                    type="button"
                                    class="primary"
                                    on:click=move |_| editor.use_mine()
                                >
                                    {dynamic(mine)}
                                </button>
                            }
                        })
                }}
            </div>
        </div>
    }
}

/// The copy is handed in.
#[component]
fn Submitted(editor: Editor) -> impl IntoView {
    let words = dynamic(move || match *editor.status.read() {
        Status::Closed(n) => format!(
            "This document was submitted in another tab. Reopen it to save the {} kept here.",
            count(n, "change")
        ),
        _ => "This document is submitted: it can be read, but not changed.".to_owned(),
    });
    view! {
        <div class="notice good row spread" role="status">
            <p>{words}</p>
            <button type="button" class="small" on:click=move |_| editor.reopen()>
                "Reopen to change it"
            </button>
        </div>
    }
}
