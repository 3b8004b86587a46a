//! The head of the annotate page: where one is, whether it is saved, and the way on.

use crate::islands::{
    editor::{
        comments::COMMENTS,
        head::{Head, HeadButton, keep_focus},
        keys::table::{Command, FLAG},
    },
    prelude::*,
};
use domain::AssignmentId;
use web_sys::MouseEvent;

use super::{
    editor::Editor,
    saving::{history::History, saver::Saver, status::Status},
};

#[component]
pub(crate) fn Header(editor: Editor) -> impl IntoView {
    let view = editor.view.get_value();
    view! {
        <Head
            list=format!("/projects/{}", view.project)
            project_name=view.project_name.clone()
            document_name=view.document_name.clone()
        >
            <div class="editor-bar">
                <nav class="editor-places" aria-label="Documents">
                    <DocumentLink editor to=view.previous word="Previous" sign="‹" command=Command::OpenDocument { forward: false }/>
                    <span class="number soft">{format!("{} of {}", view.place, view.places)}</span>
                    <DocumentLink editor to=view.next word="Next" sign="›" command=Command::OpenDocument { forward: true }/>
                </nav>
                <Tools editor/>
                <a class="button quiet small" href=format!("/assignments/{}/history", view.id)>"History"</a>
            </div>
            <SaveState editor/>
            <HandIn editor/>
        </Head>
    }
}

/// The way to another document; what is pending is saved first.
#[component]
fn DocumentLink(
    editor: Editor,
    to: Option<AssignmentId>,
    word: &'static str,
    sign: &'static str,
    command: Command,
) -> impl IntoView {
    let Some(to) = to else {
        return view! {
            <a class="button quiet small" role="link" aria-disabled="true" aria-label=word>{sign}</a>
        };
    };
    let path = format!("/assignments/{to}");
    let href = path.clone();
    let turn = move |event: MouseEvent| {
        if !(event.ctrl_key() || event.meta_key() || event.shift_key()) {
            event.prevent_default();
            editor.leave(path.clone());
        }
    };
    view! {
        <a
            class="button quiet small"
            href=href
            aria-label=word
            title=word
            aria-keyshortcuts=editor.keyboard.spoken(command)
            on:click=turn
        >
            {sign}
        </a>
    }
}

/// What is selected by, undo and redo, and the keys.
#[component]
fn Tools(editor: Editor) -> impl IntoView {
    let pressed = move |by_token| (editor.by_token.get() == by_token).to_string();
    let keyboard = editor.keyboard;
    let run = Callback::new(move |command| {
        editor.run(command);
    });
    let cannot = |can: fn(&History) -> bool| {
        Signal::derive(move || editor.is_read_only.get() || !can(&editor.history.read()))
    };
    let unit = |name: &'static str, by_token: bool| {
        view! {
            <button
                type="button"
                class="small"
                aria-pressed=move || pressed(by_token)
                on:mousedown=keep_focus
                on:click=move |_| editor.by_token.set(by_token)
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="editor-tools">
            <div class="segmented" role="group" aria-label="Select by">
                {unit("Tokens", true)}
                {unit("Characters", false)}
            </div>
            <HeadButton name="Undo" sign="↶" command=Command::Undo keyboard disabled=cannot(History::can_undo) run/>
            <HeadButton name="Redo" sign="↷" command=Command::Redo keyboard disabled=cannot(History::can_redo) run/>
            <HeadButton name="Comments" command=Command::Press(COMMENTS) keyboard run/>
            <HeadButton name="Flag or skip" command=Command::Press(FLAG) keyboard run/>
            <HeadButton name="Commands" command=Command::Commands keyboard run/>
        </div>
    }
}

/// Whether everything is saved, and what helps where it is not.
#[component]
fn SaveState(editor: Editor) -> impl IntoView {
    let retry = move |_: MouseEvent| editor.saver.with_value(Saver::retry);
    let sign_in = format!("/sign-in?back=/assignments/{}", editor.view.with_value(|view| view.id));
    // What lives only as long as this page must not be left.
    let door = move || (!editor.keeps.get()).then_some("_blank");
    let way_on = dynamic(move || match editor.status.get() {
        Status::SignedOut(_) => Some(view! {
            <a class="button small" href=sign_in.clone() target=door>"Sign in"</a>
            <button type="button" class="small" on:click=retry>"Try again"</button>
        }),
        Status::Offline(_) | Status::StorageFull(_) | Status::Failed(..) => Some(view! {
            <button type="button" class="small" on:click=retry>"Try again"</button>
        }),
        _ => None,
    });
    view! {
        <div class="editor-state">
            <span role="status" data-testid="save-state">
                <span class=move || editor.status.read().class()>
                    {move || editor.status.read().words()}
                </span>
            </span>
            {way_on}
        </div>
    }
}

/// Submit, and then the way on.
#[component]
fn HandIn(editor: Editor) -> impl IntoView {
    let is_read_only = editor.is_read_only;
    let command = move || if is_read_only.get() { Command::Enter } else { Command::Submit };
    let words = move || match (is_read_only.get(), editor.way_on().1) {
        (false, _) => "Submit",
        (true, true) => "Next document",
        (true, false) => "My work",
    };
    view! {
        <button
            type="button"
            class="primary hand-in"
            aria-keyshortcuts=move || editor.keyboard.spoken(command())
            disabled=move || *editor.status.read() == Status::Conflict
            on:click=move |_| {
                editor.run(untrack(command));
            }
        >
            {words}" "<kbd aria-hidden="true">{move || editor.keyboard.shown(command())}</kbd>
        </button>
    }
}
