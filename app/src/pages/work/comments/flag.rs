//! A labeler says that something is wrong with a document, or puts it aside.

use domain::{AssignmentId, FlagKind, FlagReason, LONGEST_NOTE, OwnAssignmentNotes, RaisedFlag};

use crate::{
    api::work::flags::{LowerFlag, RaiseFlag},
    pages::components::prelude::*,
};

#[component]
pub(crate) fn FlagPage() -> impl IntoView {
    let assignment = in_path("assignment");
    let notes = load(load_notes(assignment));
    view! {
        <Title text="Flag or skip"/>
        <div class="page">
            <Loaded resource=notes view=|own| view! { <FlagForms own/> }/>
        </div>
    }
}

pub(super) async fn load_notes(assignment: AssignmentId) -> Result<OwnAssignmentNotes, ApiError> {
    let (services, actor) = request()?;
    answer(services::work::flags::load(&services, &actor, assignment).await)
}

#[component]
fn FlagForms(own: OwnAssignmentNotes) -> impl IntoView {
    let OwnAssignmentNotes { assignment, document_name, is_submitted, notes, .. } = own;
    let (raise, refused) = form_action::<RaiseFlag>();
    let part = |kind, title, why, button| {
        let content = match notes.find(kind) {
            Some(flag) => standing(assignment, flag),
            None if kind == FlagKind::Skip && is_submitted => view! {
                <p class="soft">"Submitted documents cannot be skipped."</p>
            },
            None => form(assignment, kind, raise, why, button),
        };
        view! { <section class="stack tight"><h2>{title}</h2>{content}</section> }
    };
    let flag = part(
        FlagKind::Flag,
        "Flag a problem",
        "Your manager sees the flag. You can go on working.",
        "Flag document",
    );
    let skip = part(
        FlagKind::Skip,
        "Skip this document",
        "It leaves your list until you resume it or your manager answers. Your work stays saved; unmarked text is not counted as empty.",
        "Skip document",
    );
    view! {
        <p><a href=format!("/assignments/{assignment}")>"← "<bdi>{document_name.clone()}</bdi></a></p>
        <h1>"Flag or skip"</h1>
        <div class="stack comments-part" data-part="">
            <Problem refusal=refused/>
            {flag}
            {skip}
        </div>
    }
}

/// What stands, and the way to take it back.
fn standing(assignment: AssignmentId, flag: &RaisedFlag) -> AnyView {
    let lower = ServerAction::<LowerFlag>::new();
    let kind = flag.kind.name();
    let button = match flag.kind {
        FlagKind::Flag => "Withdraw flag",
        FlagKind::Skip => "Resume",
    };
    view! {
        <p>{flag_words(flag)}</p>
        <ActionForm action=lower>
            {hidden_fields([("assignment", &assignment), ("kind", &kind)])}
            <button>{button}</button>
        </ActionForm>
    }
}

/// A flag or skip in words: what, why, when.
pub(crate) fn flag_words(flag: &RaisedFlag) -> AnyView {
    let (sign, word) = words(flag.kind);
    let note = (!flag.note.is_empty()).then(|| {
        view! { ": "<q class="words" dir="auto">{flag.note.clone()}</q> }
    });
    view! {
        <span class="badge warn"><span aria-hidden="true">{sign}</span>{word}</span>
        " "{flag.reason.words()}{note}" "
        <span class="soft number"><Moment at=flag.raised_at/></span>
    }
}

/// The sign and the word of a span beside an assignment.
pub(crate) const fn words(kind: FlagKind) -> (&'static str, &'static str) {
    match kind {
        FlagKind::Flag => ("⚑", "flagged"),
        FlagKind::Skip => ("↷", "skipped"),
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
            {hidden_fields([("assignment", &assignment), ("kind", &kind.name())])}
            <div class="field">
                <label for=reason_id.clone()>"Why"</label>
                <select id=reason_id name="reason">{reasons}</select>
            </div>
            <div class="field">
                <label for=note_id.clone()>"Note"</label>
                <input id=note_id name="note" maxlength=LONGEST_NOTE.to_string() dir="auto" autocomplete="off"/>
            </div>
            <p class="error" role="alert" data-said=""></p>
            <div class="actions"><button class="primary">{button}</button></div>
        </ActionForm>
    }
}
