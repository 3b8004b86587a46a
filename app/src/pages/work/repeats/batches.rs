//! What was given so far, how far it has come, and taking back what nobody has begun.

use domain::{ProjectId, RepeatBatch, RepeatBatchId};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::work::repeats::TakeRepeatsBack,
    display,
    pages::components::{
        field::{Problem, refusal},
        plain_dialog::{CloseDialog, OpenDialog, PlainDialog},
        table::{Hidden, Number, Table, Text, heads},
    },
    view::view,
};

#[component]
pub(super) fn Batches(project: ProjectId, batches: Vec<RepeatBatch>) -> impl IntoView {
    let take_back = ServerAction::<TakeRepeatsBack>::new();
    let problem = view! { <Problem refusal=refusal(take_back.into())/> };
    let dialogs: Vec<_> = batches
        .iter()
        .filter(|batch| batch.counts.open > 0)
        .map(|batch| {
            view! { <TakeBack project batch=batch.id open=batch.counts.open take_back/> }
        })
        .collect();
    let body = if batches.is_empty() {
        view! { <p class="empty">"Nothing was given back yet."</p> }
    } else {
        let rows: Vec<_> = batches.into_iter().map(row).collect();
        view! {
            <Table label="Given so far">
                <caption class="visually-hidden">"What was given back so far, the latest first"</caption>
                {heads([
                    Text("Given"), Text("Asked for"), Number("Labelers"), Number("Open"),
                    Number("Begun"), Number("Submitted"), Text("Seed"), Hidden("Actions"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
            <p>
                "How far each labeler agrees with themselves is on the page "
                <a href=format!("/projects/{project}/agreement/people")>"Who sees it differently"</a>
                ", under the same measures and switches as everything else."
            </p>
        }
    };
    view! {
        <section class="stack" aria-labelledby="given-title">
            <h2 id="given-title">"Given so far"</h2>
            {problem}
            {body}
            {dialogs}
        </section>
    }
}

fn row(batch: RepeatBatch) -> AnyView {
    let RepeatBatch { id, ask, seed, given_at, given_by, labelers, counts } = batch;
    let by = given_by.map(|name| view! { <br/><bdi>{name}</bdi> });
    let documents = display::thousands(ask.documents.into());
    let asked = match ask.days {
        0 => format!("{documents} each, whenever submitted"),
        days => {
            let days = display::count(days.into(), "day");
            format!("{documents} each, submitted at least {days} before")
        }
    };
    let time = display::time(given_at);
    let label = format!("Take back those given {time} that nobody has begun");
    let tool = (counts.open > 0).then(|| {
        view! {
            <OpenDialog dialog=dialog_of(id) class="small" label>"Take back"</OpenDialog>
        }
    });
    view! {
        <tr>
            <th scope="row" class="time">{time}{by}</th>
            <td>{asked}</td>
            <td class="number">{display::thousands(labelers)}</td>
            <td class="number">{display::thousands(counts.open)}</td>
            <td class="number">{display::thousands(counts.saved)}</td>
            <td class="number">{display::thousands(counts.submitted)}</td>
            <td><code>{seed}</code></td>
            <td class="tools">{tool}</td>
        </tr>
    }
}

/// The dialog that takes this batch back.
fn dialog_of(batch: RepeatBatchId) -> String {
    format!("take-back-{batch}")
}

/// Asks whether what nobody has begun is to be taken back.
#[component]
fn TakeBack(
    project: ProjectId,
    batch: RepeatBatchId,
    open: u64,
    take_back: ServerAction<TakeRepeatsBack>,
) -> impl IntoView {
    let dialog = dialog_of(batch);
    let documents = display::count(open, "document");
    view! {
        <PlainDialog id=dialog.clone() title="Take these repeats back?">
            <p>
                {format!("{documents} that nobody has begun will stand in the labelers’ lists as they submitted them the first time. What was begun stays.")}
            </p>
            <ActionForm action=take_back attr:class="row dialog-actions">
                <input type="hidden" name="project" value=project.to_string()/>
                <input type="hidden" name="batch" value=batch.to_string()/>
                <CloseDialog dialog/>
                <button class="danger">{format!("Take {documents} back")}</button>
            </ActionForm>
        </PlainDialog>
    }
}
