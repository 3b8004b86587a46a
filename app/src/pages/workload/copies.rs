//! The copies behind a number of the board.

use domain::{CopyQuery, CopyRow, FlagKind, Page, ProjectId, WorkState};
use leptos::prelude::*;
use leptos_meta::Title;

use super::flags::{dialogs, marks};
use crate::{
    ApiError,
    api::work::flags::AnswerFlag,
    context::{answer, request},
    display,
    loading::load,
    pages::{
        base::address::in_query,
        components::{
            field::{Problem, refusal},
            loaded::Loaded,
            pager::{Pager, counted_rows},
            table::{Table, Text, heads},
        },
        project::use_project_id,
    },
    query,
    view::view,
};

#[component]
pub(crate) fn CopiesPage() -> impl IntoView {
    let project = use_project_id();
    let asked = query::read_copies(in_query);
    let copies = load(load_copies(project, asked));
    view! {
        <Title text="Copies"/>
        <div class="page wide">
            <p><a href=format!("/projects/{project}/documents/workload")>"← Workload"</a></p>
            <h1>"Copies"</h1>
            <Loaded resource=copies titled=true view=move |page| view! { <Copies project page asked/> }/>
        </div>
    }
}

async fn load_copies(project: ProjectId, query: CopyQuery) -> Result<Page<CopyRow>, ApiError> {
    let (services, actor) = request()?;
    answer(services::workload::copies(&services, &actor, project, query).await)
}

#[component]
fn Copies(project: ProjectId, page: Page<CopyRow>, asked: CopyQuery) -> impl IntoView {
    let any = CopyQuery { state: None, overdue: false, flag: None, page: 0, ..asked };
    let state = |state| CopyQuery { state: Some(state), ..any };
    let links: Vec<_> = [
        ("All", any),
        ("Open", state(WorkState::Open)),
        ("In work", state(WorkState::Saved)),
        ("Submitted", state(WorkState::Submitted)),
        ("Put aside", CopyQuery { flag: Some(FlagKind::Skip), ..any }),
        ("Overdue", CopyQuery { overdue: true, ..any }),
        ("Flagged", CopyQuery { flag: Some(FlagKind::Flag), ..any }),
    ]
    .into_iter()
    .map(|(words, query)| {
        let is_current =
            (query.state, query.overdue, query.flag) == (asked.state, asked.overdue, asked.flag);
        let current = is_current.then_some("true");
        let class = if is_current { "button small primary" } else { "button small" };
        let address = query::copies_address(project, &query);
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
    let count = counted_rows(&page, "row");
    let answer = ServerAction::<AnswerFlag>::new();
    let content = if page.rows.is_empty() {
        view! { <p class="empty">"There is no copy like that now."</p> }
    } else {
        let rows: Vec<_> = page.rows.iter().map(|copy| row(project, copy)).collect();
        let dialogs: Vec<_> =
            page.rows.iter().flat_map(|copy| dialogs(project, copy, answer)).collect();
        view! {
            <Problem refusal=refusal(answer.into())/>
            <Table label="Copies" class="rows documents">
                <caption class="visually-hidden">"Copies of documents"</caption>
                {heads([
                    Text("Document"), Text("Labeler"), Text("State"), Text("Due"),
                    Text("Last saved"), Text("Said of it"), Text("Versions"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
            {dialogs}
        }
    };
    let address = move |page| query::copies_address(project, &CopyQuery { page, ..asked });
    view! {
        <nav class="row" aria-label="Which copies">{links}</nav>
        <p class="soft number" role="status">{count}" "<bdi>{narrowed}</bdi></p>
        {content}
        <Pager page address/>
    }
}

fn row(project: ProjectId, row: &CopyRow) -> AnyView {
    let said = marks(project, row);
    let CopyRow { copy, document_name, name, state, saved_at, due_at, overdue, marks, .. } =
        row.clone();
    let (sign, word) = match state {
        WorkState::Open | WorkState::Saved if marks.is_skipped() => ("↷", "put aside"),
        WorkState::Open => ("○", "open"),
        WorkState::Saved => ("◐", "in work"),
        WorkState::Submitted => ("●", "submitted"),
    };
    let none = || "–".to_owned();
    let due = due_at.map_or_else(none, display::time);
    let late = overdue.then(|| {
        view! { " "<span class="badge danger"><span aria-hidden="true">"△"</span>"overdue"</span> }
    });
    let label = format!("History: {document_name}, {name}");
    let address = format!("/assignments/{copy}/history");
    let history = view! { <a href=address aria-label=label>"History"</a> };
    view! {
        <tr>
            <th scope="row" dir="auto">{document_name}</th>
            <td><bdi>{name}</bdi></td>
            <td><span aria-hidden="true">{sign}" "</span>{word}</td>
            <td class="time">{due}{late}</td>
            <td class="time">{saved_at.map_or_else(none, display::time)}</td>
            <td>{said}</td>
            <td>{history}</td>
        </tr>
    }
}
