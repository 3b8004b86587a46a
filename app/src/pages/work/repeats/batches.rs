//! What was given so far, how far it has come, and taking back what nobody has begun.

use domain::{ProjectId, RepeatBatch, RepeatBatchId};

use crate::{api::work::repeats::TakeRepeatsBack, pages::components::prelude::*};

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
        view! { <p class="empty">"No repeats yet."</p> }
    } else {
        let rows: Vec<_> = batches.into_iter().map(row).collect();
        view! {
            <Table label="Repeats so far">
                <caption class="visually-hidden">"Repeats so far, latest first"</caption>
                {heads([
                    Text("Given"), Text("Request"), Number("Labelers"), Number("Open"),
                    Number("Started"), Number("Submitted"), Text("Seed"), Hidden("Actions"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
            <p><a href=format!("/projects/{project}/agreement/people")>"Agreement with themselves"</a></p>
        }
    };
    view! {
        <Section title_id="given-title" title="Repeats so far">
            {problem}
            {body}
            {dialogs}
        </Section>
    }
}

fn row(batch: RepeatBatch) -> AnyView {
    let RepeatBatch { id, ask, seed, given_at, given_by, labelers, counts } = batch;
    let by = given_by.map(|name| view! { <br/><bdi>{name}</bdi> });
    let documents = display::thousands(ask.documents.into());
    let asked = match ask.days {
        0 => format!("{documents} each, submitted at any time"),
        days => {
            let days = display::count(days.into(), "day");
            format!("{documents} each, submitted at least {days} before")
        }
    };
    let tool = (counts.open > 0).then(|| {
        view! {
            <OpenDialog dialog=dialog_of(id) class="small">
                "Withdraw"<span class="visually-hidden">" unstarted repeats of "<Moment at=given_at/></span>
            </OpenDialog>
        }
    });
    view! {
        <tr>
            <th scope="row" class="time"><Moment at=given_at/>{by}</th>
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
        <PlainDialog id=dialog.clone() title="Withdraw these repeats?">
            <p>
                {format!("{documents} not started will show as submitted again. Started ones stay.")}
            </p>
            <ActionForm action=take_back attr:class="row dialog-actions">
                {hidden_fields([("project", &project), ("batch", &batch)])}
                <CloseDialog dialog/>
                <button class="danger">{format!("Withdraw {documents}")}</button>
            </ActionForm>
        </PlainDialog>
    }
}
