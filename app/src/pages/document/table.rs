//! The table of documents with everybody's progress.

use std::sync::Arc;

use domain::{
    AssignmentQuery, DocumentCard, DocumentId, FlagKind, MemberId, MemberProgress, Page,
    PersonProgress, ProjectId, WorkState,
};

use crate::{
    api::document::DeleteDocument,
    islands::icon::{Glyph, Icon},
    pages::{components::prelude::*, work::comments::words},
    query::assignments_address,
};

/// A state's mark: told apart by shape, not by colour.
const fn sign(state: WorkState) -> &'static str {
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
    /// Everybody whose assignments and reviews the page may show.
    people: Vec<PersonProgress>,
) -> impl IntoView {
    if page.total == 0 {
        return view! {
            <div class="empty">
                <p>"No documents yet."</p>
                <p>"Import files above to assign them to labelers."</p>
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
        .map(|state| view! { <span><span aria-hidden="true">{sign(state)}</span> " " {state.name()}</span> })
        .collect_view();
    view! {
        <section class="stack" aria-label="All documents">
            <Problem refusal=refusal(delete.into())/>
            <div class="row spread">
                <p class="soft number">{counted_rows(&page, "document")}</p>
                <p class="row legend soft" aria-hidden="true">{legend}</p>
            </div>
            <Table label="Document list" class="rows documents">
                {heads([
                    Text("Document"), Number("Characters"), Text("Labelers"), Text("Reviews"),
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
    let DocumentCard { id, name, characters, created_at, assignments, reviews, .. } = document;
    let back = assignments.iter().any(|assignment| assignment.state == WorkState::Submitted).then(|| {
        let label = format!("Send back {name}");
        view! {
            <a class="button quiet small" href=format!("/documents/{id}/back") aria-label=label>"Send back …"</a>
        }
    });
    let label = format!("Delete {name}");
    view! {
        <tr>
            <th scope="row" dir="auto">{name}</th>
            <td class="number">{display::thousands(characters.into())}</td>
            <td><Assignments project document=id assignments people=people.clone() nobody="not assigned"/></td>
            <td><Assignments project document=id assignments=reviews people nobody="none yet"/></td>
            <td class="time"><Moment at=created_at/></td>
            <td class="tools">
                {back}
                <OpenDialog dialog=dialog_of(id) class="quiet small" label>
                    <Icon glyph=Glyph::Delete/>
                </OpenDialog>
            </td>
        </tr>
    }
}

/// Who has come how far: a span and a name each.
#[component]
fn Assignments(
    project: ProjectId,
    document: DocumentId,
    assignments: Vec<MemberProgress>,
    people: Arc<[PersonProgress]>,
    /// What is said where there are none.
    nobody: &'static str,
) -> impl IntoView {
    if assignments.is_empty() {
        return view! { <span class="soft">{nobody}</span> };
    }
    let items = assignments
        .into_iter()
        .map(|MemberProgress { member, state, assignment, flags }| {
            let name = name_of(&people, member);
            // What has been saved has a history.
            let history = assignment.filter(|_| state.has_work());
            let name = match history {
                None => view! { <bdi>{name}</bdi> },
                Some(assignment) => {
                    let address = format!("/assignments/{assignment}/history");
                    let title = format!("History of {name}");
                    view! { <a href=address title=title><bdi>{name}</bdi></a> }
                }
            };
            let flags: Vec<_> =
                flags.into_iter().map(|kind| flag(project, document, member, kind)).collect();
            view! {
                <li class=format!("assignment {state}")>
                    <span class="state-sign" aria-hidden="true">{sign(state)}</span>
                    {name}
                    <span class="visually-hidden">": " {state.name()}</span>
                    {flags}
                </li>
            }
        })
        .collect_view();
    view! { <ul class="assignments">{items}</ul> }
}

/// What a labeler says of an assignment: leads to the words, and to the ways to answer.
fn flag(project: ProjectId, document: DocumentId, member: MemberId, kind: FlagKind) -> AnyView {
    let (sign, word) = words(kind);
    let of = AssignmentQuery {
        document: Some(document),
        member: Some(member),
        ..AssignmentQuery::default()
    };
    view! {
        " "
        <a class="badge warn" href=assignments_address(project, &of)>
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
                " and all work in it will be deleted, and agreement computed without it. This cannot be undone."
            </p>
            <ActionForm action=delete attr:class="row dialog-actions">
                {hidden_fields([("project", &project), ("document", &document)])}
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
