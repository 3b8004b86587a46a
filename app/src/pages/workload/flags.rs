//! What labelers say of copies, and a manager's ways to answer.

use domain::{CopyFlag, CopyRow, FlagKind, LONGEST_NOTE, ProjectId, WorkState, WorkloadKind};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::work::flags::AnswerFlag,
    pages::{
        components::plain_dialog::{CloseDialog, OpenDialog, PlainDialog},
        work::comments::flag_words,
    },
    view::view,
};

/// What stands beside a copy, with the ways to answer it.
pub(super) fn marks(project: ProjectId, row: &CopyRow) -> AnyView {
    let flags: Vec<_> = row.marks.flags.iter().map(|flag| mark(project, row, flag)).collect();
    let note = row.marks.note.as_ref().map(|note| {
        view! {
            <p class="soft">"Came back with: "<q class="words" dir="auto">{note.note.clone()}</q></p>
        }
    });
    if flags.is_empty() && note.is_none() {
        return view! { <span class="soft">"–"</span> };
    }
    view! { <div class="stack tight">{flags}{note}</div> }
}

fn mark(project: ProjectId, row: &CopyRow, flag: &CopyFlag) -> AnyView {
    let CopyRow { member, name, place, state, .. } = row;
    let dialog = dialog_of(row, flag.kind);
    let (verb, label) = match flag.kind {
        FlagKind::Flag => ("Settle …", format!("Settle the flag of {name}")),
        FlagKind::Skip => ("Send back …", format!("Send the document back to {name}")),
    };
    let ask = |kind: WorkloadKind, who: &str| {
        format!(
            "/projects/{project}/documents/workload?kind={kind}&{who}={member}&first={place}&last={place}"
        )
    };
    let all = format!("/projects/{project}/documents/workload?first={place}&last={place}");
    // What is begun stays with whom it is; another labeler may do the document besides.
    let others = if *state == WorkState::Open {
        view! {
            <a class="button quiet small" href=ask(WorkloadKind::HandOver, "from")>"Hand over …"</a>
            <a class="button quiet small" href=ask(WorkloadKind::TakeBack, "from")>"Take back …"</a>
        }
    } else {
        view! {
            <a class="button quiet small" href=format!("{all}&kind=person")>"Give to somebody else too …"</a>
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

fn dialog_of(row: &CopyRow, kind: FlagKind) -> String {
    format!("answer-{kind}-{}-{}", row.document, row.member)
}

/// The dialogs in which what stands beside a copy is answered.
pub(super) fn dialogs(
    project: ProjectId,
    row: &CopyRow,
    answer: ServerAction<AnswerFlag>,
) -> Vec<AnyView> {
    let one = |flag: &CopyFlag| {
        let dialog = dialog_of(row, flag.kind);
        let id = format!("{dialog}-note");
        let kind = flag.kind.name();
        let (name, document_name) = (row.name.clone(), row.document_name.clone());
        let what = flag_words(flag);
        let [document, member] = [row.document.to_string(), row.member.to_string()];
        let (title, why, button) = match flag.kind {
            FlagKind::Flag => (
                "Settle this flag?",
                "The flag is taken away. What you write is shown to the labeler until they submit.",
                "Settle the flag",
            ),
            FlagKind::Skip => (
                "Send this document back?",
                "It is before the labeler again, with what you write, until they submit it.",
                "Send it back",
            ),
        };
        view! {
            <PlainDialog id=dialog.clone() title>
                <p><bdi>{name}</bdi>", "<bdi>{document_name}</bdi></p>
                <p>{what}</p>
                <ActionForm action=answer attr:class="stack tight">
                    <input type="hidden" name="project" value=project.to_string()/>
                    <input type="hidden" name="document" value=document/>
                    <input type="hidden" name="member" value=member/>
                    <input type="hidden" name="kind" value=kind/>
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
    row.marks.flags.iter().map(one).collect()
}
