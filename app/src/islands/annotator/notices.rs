//! What stands above the text when something needs to be known or decided.

use crate::islands::prelude::*;
use domain::count;

use super::{conflict::Conflict, editor::Editor, saving::status::Status};

#[component]
pub(crate) fn Notices(editor: Editor) -> impl IntoView {
    view! {
        <div class="annotate-notices">
            {move || (editor.kept.get() > 0).then(|| view! { <Kept editor/> })}
            {move || (!editor.keeps.get()).then(|| view! { <Unkept/> })}
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
        format!("{} from your last visit {verb} restored.", count(kept, "change"))
    });
    view! {
        <div class="notice row spread" role="status">
            <p>{words}</p>
            <button type="button" class="small" on:click=move |_| editor.kept.set(0)>"Close"</button>
        </div>
    }
}

/// Nothing can be kept here: a private window, or a full disk.
#[component]
fn Unkept() -> impl IntoView {
    view! {
        <p class="notice warn" role="alert">
            "Offline storage is unavailable; closing this page loses unsaved changes."
        </p>
    }
}

/// The assignment is handed in.
#[component]
fn Submitted(editor: Editor) -> impl IntoView {
    let words = dynamic(move || match *editor.status.read() {
        Status::Closed(n) => format!(
            "Submitted in another tab. Reopen to save the {} kept here.",
            count(n, "change")
        ),
        _ => "Submitted.".to_owned(),
    });
    view! {
        <div class="notice good row spread" role="status">
            <p>{words}</p>
            <button type="button" class="small" on:click=move |_| editor.reopen()>"Reopen"</button>
        </div>
    }
}
