//! What labelers say of assignments, and a manager's ways to answer.

use domain::{
    AssignmentRow, FlagKind, LONGEST_NOTE, ProjectId, RaisedFlag, WorkState, WorkloadKind,
};

use crate::{
    api::work::flags::AnswerFlag,
    pages::{components::prelude::*, work::comments::flag_words},
};

/// What stands beside an assignment, with the ways to answer it.
pub(super) fn notes(project: ProjectId, row: &AssignmentRow) -> AnyView {
    let flags: Vec<_> = row.notes.flags.iter().map(|flag| note_of(project, row, flag)).collect();
    let note = row.notes.note.as_ref().map(|note| {
        view! {
            <p class="soft">"Sent back with: "<q class="words" dir="auto">{note.note.clone()}</q></p>
        }
    });
    if flags.is_empty() && note.is_none() {
        return view! { <span class="soft">"–"</span> };
    }
    view! { <div class="stack tight">{flags}{note}</div> }
}

fn note_of(project: ProjectId, row: &AssignmentRow, flag: &RaisedFlag) -> AnyView {
    let AssignmentRow { member, name, place, state, .. } = row;
    let dialog = dialog_of(row, flag.kind);
    let (verb, label) = match flag.kind {
        FlagKind::Flag => ("Resolve …", format!("Resolve the flag of {name}")),
        FlagKind::Skip => ("Send back …", format!("Send back to {name}")),
    };
    let ask = |kind: WorkloadKind, who: &str| {
        format!(
            "/projects/{project}/work/people?kind={kind}&{who}={member}&first={place}&last={place}"
        )
    };
    let twice = format!(
        "/projects/{project}/work/people?kind={}&of=all&who=2&first={place}&last={place}",
        query::GIVE
    );
    // What is begun stays with whom it is; another labeler may do the document besides.
    let others = if *state == WorkState::Open {
        view! {
            <a class="button quiet small" href=ask(WorkloadKind::HandOver, "from")>"Move …"</a>
            <a class="button quiet small" href=ask(WorkloadKind::TakeBack, "from")>"Withdraw …"</a>
        }
    } else {
        view! {
            <a class="button quiet small" href=twice>"Assign to another, too …"</a>
        }
    };
    let others = (flag.kind == FlagKind::Skip).then_some(others);
    view! {
        <div>
            <p>{flag_words(flag)}</p>
            <span class="row">
                <OpenDialog dialog class="quiet small" label>{verb}</OpenDialog>
                {others}
            </span>
        </div>
    }
}

fn dialog_of(row: &AssignmentRow, kind: FlagKind) -> String {
    format!("answer-{kind}-{}-{}", row.document, row.member)
}

/// The dialogs in which what stands beside an assignment is answered.
pub(super) fn dialogs(
    project: ProjectId,
    row: &AssignmentRow,
    answer: ServerAction<AnswerFlag>,
) -> Vec<AnyView> {
    let one = |flag: &RaisedFlag| {
        let dialog = dialog_of(row, flag.kind);
        let id = format!("{dialog}-note");
        let kind = flag.kind.name();
        let (name, document_name) = (row.name.clone(), row.document_name.clone());
        let what = flag_words(flag);
        let [document, member] = [row.document.to_string(), row.member.to_string()];
        let (title, why, button) = match flag.kind {
            FlagKind::Flag => (
                "Resolve this flag?",
                "Removes the flag. The labeler sees your note until they submit.",
                "Resolve flag",
            ),
            FlagKind::Skip => (
                "Send this document back?",
                "It returns to the labeler with your note, until they submit.",
                "Send back",
            ),
        };
        view! {
            <PlainDialog id=dialog.clone() title>
                <p><bdi>{name}</bdi>", "<bdi>{document_name}</bdi></p>
                <p>{what}</p>
                <ActionForm action=answer attr:class="stack tight">
                    {hidden_fields([("project", &project), ("document", &document), ("member", &member), ("kind", &kind)])}
                    <div class="field">
                        <label for=id.clone()>"Note to the labeler (optional)"</label>
                        <input id=id name="note" dir="auto" autocomplete="off" maxlength=LONGEST_NOTE.to_string()/>
                        <p class="hint">{why}</p>
                    </div>
                    <div class="row dialog-actions">
                        <CloseDialog dialog/>
                        <button class="primary">{button}</button>
                    </div>
                </ActionForm>
            </PlainDialog>
        }
    };
    row.notes.flags.iter().map(one).collect()
}
