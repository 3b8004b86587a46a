//! The table of documents with everybody's progress.

use std::sync::Arc;

use domain::{
    CopyProgress, CopyQuery, DocumentCard, DocumentId, FlagKind, MemberId, Page, PersonProgress,
    ProjectId, WorkState,
};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::document::DeleteDocument,
    display,
    islands::icon::{Glyph, Icon},
    pages::{
        components::{
            field::{Problem, refusal},
            pager::{Pager, counted_rows},
            plain_dialog::{CloseDialog, OpenDialog, PlainDialog},
            table::{Hidden, Number, Table, Text, heads},
        },
        work::comments::words,
    },
    query::copies_address,
    view::view,
};

/// A state's mark: told apart by shape, not by colour.
const fn mark(state: WorkState) -> &'static str {
    match state {
        WorkState::Open => "○",
        WorkState::Saved => "◐",
        WorkState::Submitted => "●",
    }
}

#[component]
pub(super) fn DocumentTable(
    project: ProjectId,
    page: Page<DocumentCard>,
    /// Everybody whose copies and reviews the page may show.
    people: Vec<PersonProgress>,
) -> impl IntoView {
    if page.total == 0 {
        return view! {
            <div class="empty">
                <p>"There are no documents yet."</p>
                <p>"Add files above: every labeler gets a copy of each document to mark."</p>
            </div>
        };
    }
    let people: Arc<[_]> = people.into();
    let delete = ServerAction::<DeleteDocument>::new();
    let rows = page
        .rows
        .iter()
        .map(|document| view! { <Row project document=document.clone() people=people.clone()/> })
        .collect_view();
    let dialogs = page
        .rows
        .iter()
        .map(|DocumentCard { id, name, .. }| {
            view! { <Deletion project document=*id name=name.clone() delete/> }
        })
        .collect_view();
    let legend = WorkState::ALL
        .map(|state| view! { <span><span aria-hidden="true">{mark(state)}</span> " " {state.name()}</span> })
        .collect_view();
    view! {
        <section class="stack" aria-label="All documents">
            <Problem refusal=refusal(delete.into())/>
            <div class="row spread">
                <p class="soft number">{counted_rows(&page, "document")}</p>
                <p class="row legend soft" aria-hidden="true">{legend}</p>
            </div>
            <Table label="Table of documents" class="rows documents">
                {heads([
                    Text("Document"), Number("Characters"), Text("Copies"), Text("Reviews"),
                    Text("Added"), Hidden("Actions"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
            // The address counts pages from 1.
            <Pager page address=|number| format!("?page={}", number.saturating_add(1))/>
            {dialogs}
        </section>
    }
}

#[component]
fn Row(project: ProjectId, document: DocumentCard, people: Arc<[PersonProgress]>) -> impl IntoView {
    let DocumentCard { id, name, characters, created_at, copies, reviews, .. } = document;
    let back = copies.iter().any(|copy| copy.state == WorkState::Submitted).then(|| {
        let label = format!("Send a copy of {name} back");
        view! {
            <a class="button quiet small" href=format!("/documents/{id}/back") aria-label=label>"Send back …"</a>
        }
    });
    let label = format!("Delete {name}");
    view! {
        <tr>
            <th scope="row" dir="auto">{name}</th>
            <td class="number">{display::thousands(characters.into())}</td>
            <td><Copies project document=id copies people=people.clone() nobody="not assigned"/></td>
            <td><Copies project document=id copies=reviews people nobody="none yet"/></td>
            <td class="time">{display::time(created_at)}</td>
            <td class="tools">
                {back}
                <OpenDialog dialog=dialog_of(id) class="quiet small" label>
                    <Icon glyph=Glyph::Delete/>
                </OpenDialog>
            </td>
        </tr>
    }
}

/// Who has come how far: a mark and a name each.
#[component]
fn Copies(
    project: ProjectId,
    document: DocumentId,
    copies: Vec<CopyProgress>,
    people: Arc<[PersonProgress]>,
    /// What is said where there are none.
    nobody: &'static str,
) -> impl IntoView {
    if copies.is_empty() {
        return view! { <span class="soft">{nobody}</span> };
    }
    let items = copies
        .into_iter()
        .map(|CopyProgress { member, state, copy, flags }| {
            let name = name_of(&people, member);
            // What has been saved has a history.
            let history = copy.filter(|_| state.has_work());
            let name = match history {
                None => view! { <bdi>{name}</bdi> },
                Some(copy) => {
                    let address = format!("/assignments/{copy}/history");
                    let title = format!("History of this copy of {name}");
                    view! { <a href=address title=title><bdi>{name}</bdi></a> }
                }
            };
            let flags: Vec<_> =
                flags.into_iter().map(|kind| flag(project, document, member, kind)).collect();
            view! {
                <li class=format!("copy {state}")>
                    <span class="copy-mark" aria-hidden="true">{mark(state)}</span>
                    {name}
                    <span class="visually-hidden">": " {state.name()}</span>
                    {flags}
                </li>
            }
        })
        .collect_view();
    view! { <ul class="copies">{items}</ul> }
}

/// What a labeler says of a copy: leads to the words, and to the ways to answer.
fn flag(project: ProjectId, document: DocumentId, member: MemberId, kind: FlagKind) -> AnyView {
    let (sign, word) = words(kind);
    let of = CopyQuery { document: Some(document), member: Some(member), ..CopyQuery::default() };
    view! {
        " "
        <a class="badge warn" href=copies_address(project, &of)>
            <span aria-hidden="true">{sign}</span>{word}
        </a>
    }
}

/// The member's name; somebody who has left the project is among the people no more.
fn name_of(people: &[PersonProgress], member: MemberId) -> String {
    people
        .iter()
        .find(|person| person.member == member)
        .map_or_else(|| "former member".to_owned(), |person| person.name.clone())
}

/// The dialog that deletes this document.
fn dialog_of(document: DocumentId) -> String {
    format!("delete-document-{document}")
}

/// Asks whether a document is to be deleted.
#[component]
fn Deletion(
    project: ProjectId,
    document: DocumentId,
    name: String,
    delete: ServerAction<DeleteDocument>,
) -> impl IntoView {
    let dialog = dialog_of(document);
    view! {
        <PlainDialog id=dialog.clone() title="Delete this document?">
            <p>
                <strong dir="auto">{name}</strong>
                " will be gone, with everything that labelers and reviewers did in it. Agreement is computed without it from then on. This cannot be undone."
            </p>
            <ActionForm action=delete attr:class="row dialog-actions">
                <input type="hidden" name="project" value=project.to_string()/>
                <input type="hidden" name="document" value=document.to_string()/>
                <CloseDialog dialog/>
                <button class="danger">"Delete document"</button>
            </ActionForm>
        </PlainDialog>
    }
}

#[cfg(test)]
mod tests {
    use domain::{Role, StateCounts};

    use super::*;

    #[test]
    fn somebody_who_has_left_is_still_shown() {
        let ada = PersonProgress {
            member: MemberId(1),
            name: "Ada".to_owned(),
            role: Role::Labeler,
            counts: StateCounts::default(),
        };
        assert_eq!(name_of(std::slice::from_ref(&ada), MemberId(1)), "Ada");
        assert_eq!(name_of(&[ada], MemberId(2)), "former member");
    }
}
