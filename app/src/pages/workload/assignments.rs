//! The assignments behind a number of the board.

use domain::{AssignmentQuery, AssignmentRow, FlagKind, Page, ProjectId, WorkState};

use super::flags::{dialogs, notes};
use crate::{api::work::flags::AnswerFlag, pages::components::prelude::*};

#[component]
pub(crate) fn AssignmentsPage() -> impl IntoView {
    let project = use_project_id();
    let asked = query::read_assignments(in_query);
    let assignments = load_with(move |services, actor| async move {
        services::workload::assignments(&services, &actor, project, asked).await
    });
    view! {
        <PageBody title="Assignments" class="page">
            <Loaded resource=assignments titled=true view=move |page| view! { <Assignments project page asked/> }/>
        </PageBody>
    }
}

#[component]
fn Assignments(
    project: ProjectId,
    page: Page<AssignmentRow>,
    asked: AssignmentQuery,
) -> impl IntoView {
    let any = AssignmentQuery { state: None, overdue: false, flag: None, page: 0, ..asked };
    let state = |state| AssignmentQuery { state: Some(state), ..any };
    let links: Vec<_> = [
        ("All", any),
        ("Open", state(WorkState::Open)),
        ("In progress", state(WorkState::Saved)),
        ("Submitted", state(WorkState::Submitted)),
        ("Skipped", AssignmentQuery { flag: Some(FlagKind::Skip), ..any }),
        ("Overdue", AssignmentQuery { overdue: true, ..any }),
        ("Flagged", AssignmentQuery { flag: Some(FlagKind::Flag), ..any }),
    ]
    .into_iter()
    .map(|(words, query)| {
        let is_current =
            (query.state, query.overdue, query.flag) == (asked.state, asked.overdue, asked.flag);
        let current = is_current.then_some("true");
        let class = if is_current { "button small primary" } else { "button small" };
        let address = query::assignments_address(project, &query);
        view! { <a class=class href=address aria-current=current>{words}</a> }
    })
    .collect();
    let narrowed = page.rows.first().map(|row| {
        let mut words = Vec::new();
        if asked.member.is_some() {
            words.push(format!("of {}", row.name));
        }
        if asked.document.is_some() {
            words.push(format!("of “{}”", row.document_name));
        }
        words.join(" ")
    });
    let count = counted_rows(&page, "assignment");
    let answer = ServerAction::<AnswerFlag>::new();
    let content = if page.rows.is_empty() {
        view! { <p class="empty">"No matching assignments."</p> }
    } else {
        let rows: Vec<_> = page.rows.iter().map(|assignment| row(project, assignment)).collect();
        let dialogs: Vec<_> =
            page.rows.iter().flat_map(|assignment| dialogs(project, assignment, answer)).collect();
        view! {
            <Problem refusal=refusal(answer.into())/>
            <Table label="Assignments" class="rows documents">
                <caption class="visually-hidden">"Assignments"</caption>
                {heads([
                    Text("Document"), Text("Labeler"), Text("State"), Text("Due"),
                    Text("Last saved"), Text("Flags"), Text("Versions"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
            {dialogs}
        }
    };
    let address =
        move |page| query::assignments_address(project, &AssignmentQuery { page, ..asked });
    view! {
        <nav class="row" aria-label="Filter">{links}</nav>
        <p class="soft number" role="status">{count}" "<bdi>{narrowed}</bdi></p>
        {content}
        <Pager page address/>
    }
}

fn row(project: ProjectId, row: &AssignmentRow) -> AnyView {
    let said = notes(project, row);
    let AssignmentRow {
        assignment,
        document_name,
        name,
        state,
        saved_at,
        due_at,
        overdue,
        notes,
        ..
    } = row.clone();
    let (sign, word) = match state {
        WorkState::Open | WorkState::Saved if notes.is_skipped() => ("↷", "skipped"),
        WorkState::Open => ("○", "open"),
        WorkState::Saved => ("◐", "in progress"),
        WorkState::Submitted => ("●", "submitted"),
    };
    let late = overdue.then(|| {
        view! { " "<span class="badge danger"><span aria-hidden="true">"△"</span>"overdue"</span> }
    });
    let label = format!("History: {document_name}, {name}");
    let address = format!("/assignments/{assignment}/history");
    let history = view! { <a href=address aria-label=label>"History"</a> };
    view! {
        <tr>
            <th scope="row" dir="auto">{document_name}</th>
            <td><bdi>{name}</bdi></td>
            <td><span aria-hidden="true">{sign}" "</span>{word}</td>
            <td class="time"><MomentIfAny at=due_at/>{late}</td>
            <td class="time"><MomentIfAny at=saved_at/></td>
            <td>{said}</td>
            <td>{history}</td>
        </tr>
    }
}
