//! What was given out, and undoing it where nobody has begun.

use domain::{ProjectId, WorkloadBatch};

use super::ask::in_words;
use crate::{api::workload::UndoWork, pages::components::prelude::*};

#[component]
pub(super) fn Batches(project: ProjectId, batches: Vec<WorkloadBatch>) -> impl IntoView {
    let (undo, refused) = form_action::<UndoWork>();
    let content = if batches.is_empty() {
        view! { <p class="empty">"Nothing assigned here yet."</p> }
    } else {
        let rows: Vec<_> = batches.into_iter().map(|batch| row(project, batch, undo)).collect();
        view! {
            <Table label="Assigned so far">
                <caption class="visually-hidden">"Assigned so far, latest first"</caption>
                {heads([
                    Text("When"), Text("What"), Number("Given"), Number("Taken"),
                    Number("Dated"), Text("Seed"), Hidden("Undo"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <Section title_id="acts-title" title="Assigned so far" id="acts">
            <Problem refusal=refused/>
            {content}
        </Section>
    }
}

fn row(project: ProjectId, batch: WorkloadBatch, undo: ServerAction<UndoWork>) -> AnyView {
    let WorkloadBatch {
        id,
        ask,
        seed,
        made_at,
        made_by,
        given,
        taken,
        dated,
        undone_at,
        left_alone,
    } = batch;
    let by = made_by.map(|name| view! { <br/><bdi>{name}</bdi> });
    let tool = match undone_at {
        Some(_) if left_alone == 0 => view! { <span class="soft">"undone"</span> },
        Some(_) => {
            let left = display::thousands(left_alone);
            view! { <span class="soft">{format!("undone except {left} started since")}</span> }
        }
        None => {
            let called = format!("undo-{id} made-{id}");
            view! {
                <ActionForm action=undo>
                    {hidden_fields([("project", &project), ("act", &id)])}
                    <button class="small" id=format!("undo-{id}") aria-labelledby=called>"Undo"</button>
                </ActionForm>
            }
        }
    };
    view! {
        <tr>
            <th scope="row" class="time" id=format!("made-{id}")><Moment at=made_at/>{by}</th>
            <td>{in_words(&ask)}</td>
            <td class="number">{display::thousands(given)}</td>
            <td class="number">{display::thousands(taken)}</td>
            <td class="number">{display::thousands(dated)}</td>
            <td><code>{seed}</code></td>
            <td class="tools">{tool}</td>
        </tr>
    }
}
