//! How far everybody and every document is; each number leads to the copies that it counts.

use domain::{
    BoardQuery, CopyQuery, DocumentLoad, FlagKind, LoadOrder, Page, PersonLoad, ProjectId, Sorting,
    StateCounts, WorkState,
};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::workload::PauseWork,
    display,
    pages::components::{
        field::{Problem, refusal},
        pager::{Pager, counted_rows},
        plain_dialog::{CloseDialog, OpenDialog, PlainDialog},
        sort_head::SortHead,
        table::Table,
    },
    query,
    view::view,
};

#[component]
pub(super) fn Board(
    project: ProjectId,
    people: Vec<PersonLoad>,
    documents: Page<DocumentLoad>,
    asked: BoardQuery,
) -> impl IntoView {
    let pause = ServerAction::<PauseWork>::new();
    let refused = refusal(pause.into());
    let by_person = move |sorting: &Sorting<LoadOrder>| {
        format!("{}#people", query::board_address(project, sorting, &asked.documents))
    };
    let by_document = move |sorting: &Sorting<LoadOrder>| {
        format!("{}#by-document", query::board_address(project, &asked.people, sorting))
    };
    let rows: Vec<_> = people.iter().map(|person| person_row(project, person)).collect();
    let dialogs: Vec<_> = people
        .iter()
        .filter(|person| person.paused_at.is_none())
        .map(|person| view! { <Pause project person=person.clone() pause/> })
        .collect();
    let count = counted_rows(&documents, "document");
    let document_rows: Vec<_> =
        documents.rows.iter().map(|document| document_row(project, document)).collect();
    let pages = move |page| by_document(&Sorting { page, ..asked.documents });
    view! {
        <section class="stack" id="people" aria-labelledby="people-title">
            <h2 id="people-title">"By person"</h2>
            <Problem refusal=refused/>
            <Table label="Progress by person">
                <caption class="visually-hidden">"How far each labeler is, in documents"</caption>
                <thead>
                    <tr>
                        {heads("Labeler", asked.people, by_person)}
                        <th scope="col"><span class="visually-hidden">"Actions"</span></th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
            {dialogs}
        </section>
        <section class="stack" id="by-document" aria-labelledby="by-document-title">
            <h2 id="by-document-title">"By document"</h2>
            <p class="soft number" role="status">{count}</p>
            <Table label="Progress by document" class="rows documents">
                <caption class="visually-hidden">"How far each document is, in copies"</caption>
                <thead><tr>{heads("Document", asked.documents, by_document)}</tr></thead>
                <tbody>{document_rows}</tbody>
            </Table>
            <Pager page=documents address=pages/>
        </section>
    }
}

fn heads(
    first: &'static str,
    sorting: Sorting<LoadOrder>,
    address: impl Fn(&Sorting<LoadOrder>) -> String + Copy + 'static,
) -> AnyView {
    let numbers = [
        ("Open", LoadOrder::Open),
        ("In work", LoadOrder::Saved),
        ("Submitted", LoadOrder::Submitted),
        ("Put aside", LoadOrder::Skipped),
        ("Overdue", LoadOrder::Overdue),
        ("Flagged", LoadOrder::Flagged),
        ("All", LoadOrder::All),
    ];
    let numbers: Vec<_> = numbers
        .into_iter()
        .map(|(text, order)| view! { <SortHead text order sorting address number=true/> })
        .collect();
    view! { <SortHead text=first order=LoadOrder::Name sorting address/>{numbers} }
}

/// The numbers, each a link to its copies.
fn numbers(
    project: ProjectId,
    of: CopyQuery,
    counts: StateCounts,
    (overdue, flagged): (u64, u64),
    whose: &str,
) -> AnyView {
    let state = |state| CopyQuery { state: Some(state), ..of };
    let flag = |kind| CopyQuery { flag: Some(kind), ..of };
    let cells = [
        (counts.open, state(WorkState::Open), "open", ""),
        (counts.saved, state(WorkState::Saved), "in work", ""),
        (counts.submitted, state(WorkState::Submitted), "submitted", ""),
        (counts.skipped, flag(FlagKind::Skip), "put aside", "↷ "),
        (overdue, CopyQuery { overdue: true, ..of }, "overdue", "△ "),
        (flagged, flag(FlagKind::Flag), "flagged", "⚑ "),
        (counts.total(), of, "copies", ""),
    ];
    let cells: Vec<_> = cells
        .into_iter()
        .map(|(n, query, words, sign)| {
            let number = display::thousands(n);
            if n == 0 {
                return view! { <td class="number soft">{number}</td> };
            }
            let address = query::copies_address(project, &query);
            let label = format!("{number} {words}, {whose}");
            view! {
                <td class="number">
                    <a href=address aria-label=label><span aria-hidden="true">{sign}</span>{number}</a>
                </td>
            }
        })
        .collect();
    cells.into_any()
}

fn person_row(project: ProjectId, person: &PersonLoad) -> AnyView {
    let PersonLoad { member, name, paused_at, counts, overdue, flagged } = person;
    let of = CopyQuery { member: Some(*member), ..CopyQuery::default() };
    let paused = paused_at.map(|at| {
        view! { " "<span class="badge warn"><span aria-hidden="true">"‖"</span>{format!("paused since {}", display::time(at))}</span> }
    });
    let tool = if paused_at.is_some() {
        let resume = ServerAction::<PauseWork>::new();
        let member = member.to_string();
        let label = format!("Let {name} go on");
        view! {
            <ActionForm action=resume>
                <input type="hidden" name="project" value=project.to_string()/>
                <input type="hidden" name="member" value=member/>
                <input type="hidden" name="pause" value="false"/>
                <button class="small" aria-label=label>"Go on"</button>
            </ActionForm>
        }
    } else {
        view! {
            <OpenDialog dialog=format!("pause-{member}") class="small" label=format!("Pause {name}")>"Pause"</OpenDialog>
        }
    };
    view! {
        <tr>
            <th scope="row"><bdi>{name.clone()}</bdi>{paused}</th>
            {numbers(project, of, *counts, (*overdue, *flagged), name)}
            <td class="tools">{tool}</td>
        </tr>
    }
}

fn document_row(project: ProjectId, document: &DocumentLoad) -> AnyView {
    let DocumentLoad { document, name, counts, overdue, flagged } = document;
    let of = CopyQuery { document: Some(*document), ..CopyQuery::default() };
    view! {
        <tr>
            <th scope="row" dir="auto">{name.clone()}</th>
            {numbers(project, of, *counts, (*overdue, *flagged), name)}
        </tr>
    }
}

/// Asks whether somebody's work is to be paused, with what that would put away.
#[component]
fn Pause(project: ProjectId, person: PersonLoad, pause: ServerAction<PauseWork>) -> impl IntoView {
    let PersonLoad { member, name, counts, .. } = person;
    let dialog = format!("pause-{member}");
    let away = match counts.open {
        0 => "There is nothing that they have not begun".to_owned(),
        n => format!("{} that they have not begun are put away", display::count(n, "document")),
    };
    let stays = match counts.saved {
        0 => String::new(),
        n => format!(
            " {} that they have begun can still be finished.",
            display::count(n, "document")
        ),
    };
    view! {
        <PlainDialog id=dialog.clone() title="Pause this labeler?">
            <p>
                <strong dir="auto">{name}</strong>": "{away}", and nothing new is given to them until they go on."{stays}
            </p>
            <ActionForm action=pause attr:class="row dialog-actions">
                <input type="hidden" name="project" value=project.to_string()/>
                <input type="hidden" name="member" value=member.to_string()/>
                <input type="hidden" name="pause" value="true"/>
                <CloseDialog dialog/>
                <button class="primary">"Pause"</button>
            </ActionForm>
        </PlainDialog>
    }
}
