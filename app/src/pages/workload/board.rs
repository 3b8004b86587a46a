//! How far everybody and every document is; each number leads to the assignments that it counts.

use domain::{
    AssignmentQuery, BoardQuery, DocumentLoad, FlagKind, LoadOrder, Page, PersonLoad, ProjectId,
    Sorting, StateCounts, WorkState,
};

use crate::{
    api::workload::PauseWork,
    pages::components::{list::sort_head::SortHead, prelude::*},
};

#[component]
pub(super) fn Board(
    project: ProjectId,
    people: Vec<PersonLoad>,
    documents: Page<DocumentLoad>,
    asked: BoardQuery,
) -> impl IntoView {
    let (pause, refused) = form_action::<PauseWork>();
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
        <Section title_id="people-title" title="By person" id="people">
            <Problem refusal=refused/>
            <Table label="Progress by person">
                <caption class="visually-hidden">"Progress by labeler, in documents"</caption>
                <thead>
                    <tr>
                        {heads("Labeler", asked.people, by_person)}
                        <th scope="col"><span class="visually-hidden">"Actions"</span></th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
            {dialogs}
        </Section>
        <Section title_id="by-document-title" title="By document" id="by-document">
            <p class="soft number" role="status">{count}</p>
            <Table label="Progress by document" class="rows documents">
                <caption class="visually-hidden">"Progress by document, in assignments"</caption>
                <thead><tr>{heads("Document", asked.documents, by_document)}</tr></thead>
                <tbody>{document_rows}</tbody>
            </Table>
            <Pager page=documents address=pages/>
        </Section>
    }
}

fn heads(
    first: &'static str,
    sorting: Sorting<LoadOrder>,
    address: impl Fn(&Sorting<LoadOrder>) -> String + Copy + 'static,
) -> AnyView {
    let numbers = [
        ("Open", LoadOrder::Open),
        ("In progress", LoadOrder::Saved),
        ("Submitted", LoadOrder::Submitted),
        ("Skipped", LoadOrder::Skipped),
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

/// The numbers, each a link to its assignments.
fn numbers(
    project: ProjectId,
    of: AssignmentQuery,
    counts: StateCounts,
    (overdue, flagged): (u64, u64),
    whose: &str,
) -> AnyView {
    let state = |state| AssignmentQuery { state: Some(state), ..of };
    let flag = |kind| AssignmentQuery { flag: Some(kind), ..of };
    let cells = [
        (counts.open, state(WorkState::Open), "open", ""),
        (counts.saved, state(WorkState::Saved), "in progress", ""),
        (counts.submitted, state(WorkState::Submitted), "submitted", ""),
        (counts.skipped, flag(FlagKind::Skip), "skipped", "↷ "),
        (overdue, AssignmentQuery { overdue: true, ..of }, "overdue", "△ "),
        (flagged, flag(FlagKind::Flag), "flagged", "⚑ "),
        (counts.total(), of, "assignments", ""),
    ];
    let cells: Vec<_> = cells
        .into_iter()
        .map(|(n, query, words, sign)| {
            let number = display::thousands(n);
            if n == 0 {
                return view! { <td class="number soft">{number}</td> };
            }
            let address = query::assignments_address(project, &query);
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
    let of = AssignmentQuery { member: Some(*member), ..AssignmentQuery::default() };
    let paused = paused_at.map(|at| {
        view! { " "<span class="badge warn"><span aria-hidden="true">"‖"</span>"paused since "<Moment at/></span> }
    });
    let tool = if paused_at.is_some() {
        let resume = ServerAction::<PauseWork>::new();
        let member = member.to_string();
        let label = format!("Resume {name}");
        view! {
            <ActionForm action=resume>
                {hidden_fields([("project", &project), ("member", &member), ("pause", &"false")])}
                <button class="small" aria-label=label>"Resume"</button>
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
    let of = AssignmentQuery { document: Some(*document), ..AssignmentQuery::default() };
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
        0 => "No unstarted documents".to_owned(),
        n => format!("Hides {} not started", display::count(n, "document")),
    };
    let stays = match counts.saved {
        0 => String::new(),
        n => format!(" {} in progress can be finished.", display::count(n, "document")),
    };
    view! {
        <PlainDialog id=dialog.clone() title="Pause this labeler?">
            <p>
                <strong dir="auto">{name}</strong>": "{away}". Nothing new is assigned until resumed."{stays}
            </p>
            <ActionForm action=pause attr:class="row dialog-actions">
                {hidden_fields([("project", &project), ("member", &member), ("pause", &"true")])}
                <CloseDialog dialog/>
                <button class="primary">"Pause"</button>
            </ActionForm>
        </PlainDialog>
    }
}
