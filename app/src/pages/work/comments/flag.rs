//! A labeler says that something is wrong with a document, or puts it aside.

use domain::{AssignmentId, CopyFlag, FlagKind, FlagReason, LONGEST_NOTE, OwnMarks};
use leptos::{form::ActionForm, prelude::*};
use leptos_meta::Title;

use crate::{
    ApiError,
    api::work::flags::{LowerFlag, RaiseFlag},
    context::{answer, request},
    display,
    loading::load,
    pages::{
        base::address::in_path,
        components::{
            field::{Problem, refusal},
            loaded::Loaded,
        },
    },
    view::view,
};

#[component]
pub(crate) fn FlagPage() -> impl IntoView {
    let assignment = in_path("assignment");
    let marks = load(load_marks(assignment));
    view! {
        <Title text="Flag or skip"/>
        <div class="page">
            <Loaded resource=marks view=|own| view! { <FlagForms own/> }/>
        </div>
    }
}

pub(super) async fn load_marks(assignment: AssignmentId) -> Result<OwnMarks, ApiError> {
    let (services, actor) = request()?;
    answer(services::work::flags::load(&services, &actor, assignment).await)
}

#[component]
fn FlagForms(own: OwnMarks) -> impl IntoView {
    let OwnMarks { assignment, document_name, is_submitted, marks, .. } = own;
    let raise = ServerAction::<RaiseFlag>::new();
    let refused = refusal(raise.into());
    let part = |kind, title, why, button| {
        let content = match marks.find(kind) {
            Some(flag) => standing(assignment, flag),
            None if kind == FlagKind::Skip && is_submitted => view! {
                <p class="soft">"This document is submitted: it is done, so there is nothing to put aside."</p>
            },
            None => form(assignment, kind, raise, why, button),
        };
        view! { <section class="stack tight"><h2>{title}</h2>{content}</section> }
    };
    let flag = part(
        FlagKind::Flag,
        "Something is wrong with this document",
        "The flag goes to your manager. You can go on with the document all the same.",
        "Flag it",
    );
    let skip = part(
        FlagKind::Skip,
        "Put this document aside",
        "It leaves your list until you take it up again or your manager answers. What you have marked stays saved, and nothing of it is taken for “nothing to mark”.",
        "Skip it",
    );
    view! {
        <p><a href=format!("/assignments/{assignment}")>"← "<bdi>{document_name.clone()}</bdi></a></p>
        <h1>"Flag or skip"</h1>
        <div class="stack talk-part" data-part="">
            <Problem refusal=refused/>
            {flag}
            {skip}
        </div>
    }
}

/// What stands, and the way to take it back.
fn standing(assignment: AssignmentId, flag: &CopyFlag) -> AnyView {
    let lower = ServerAction::<LowerFlag>::new();
    let kind = flag.kind.name();
    let button = match flag.kind {
        FlagKind::Flag => "Take the flag back",
        FlagKind::Skip => "Take it up again",
    };
    view! {
        <p>{flag_words(flag)}</p>
        <ActionForm action=lower>
            <input type="hidden" name="assignment" value=assignment.to_string()/>
            <input type="hidden" name="kind" value=kind/>
            <button>{button}</button>
        </ActionForm>
    }
}

/// A flag or skip in words: what, why, when.
pub(crate) fn flag_words(flag: &CopyFlag) -> AnyView {
    let (sign, word) = words(flag.kind);
    let note = (!flag.note.is_empty()).then(|| {
        view! { ": "<q class="words" dir="auto">{flag.note.clone()}</q> }
    });
    view! {
        <span class="badge warn"><span aria-hidden="true">{sign}</span>{word}</span>
        " "{flag.reason.words()}{note}" "
        <span class="soft number">{display::time(flag.raised_at)}</span>
    }
}

/// The sign and the word of a mark beside a copy.
pub(crate) const fn words(kind: FlagKind) -> (&'static str, &'static str) {
    match kind {
        FlagKind::Flag => ("⚑", "flagged"),
        FlagKind::Skip => ("↷", "put aside"),
    }
}

fn form(
    assignment: AssignmentId,
    kind: FlagKind,
    raise: ServerAction<RaiseFlag>,
    why: &'static str,
    button: &'static str,
) -> AnyView {
    let (reason_id, note_id) = (format!("{kind}-reason"), format!("{kind}-note"));
    let reasons: Vec<_> = FlagReason::ALL
        .into_iter()
        .map(|reason| view! { <option value=reason.name()>{reason.words()}</option> })
        .collect();
    view! {
        <p class="soft">{why}</p>
        <ActionForm action=raise attr:class="stack tight">
            <input type="hidden" name="assignment" value=assignment.to_string()/>
            <input type="hidden" name="kind" value=kind.name()/>
            <div class="field">
                <label for=reason_id.clone()>"Why"</label>
                <select id=reason_id name="reason">{reasons}</select>
            </div>
            <div class="field">
                <label for=note_id.clone()>"In your words"</label>
                <input id=note_id name="note" maxlength=LONGEST_NOTE.to_string() dir="auto" autocomplete="off"/>
            </div>
            <p class="error" role="alert" data-said=""></p>
            <div class="actions"><button class="primary">{button}</button></div>
        </ActionForm>
    }
}
