//! What would be done, and the button that does it.

use domain::{Error, ProjectId, WorkloadPlan, WorkloadShare};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    ApiError,
    api::workload::GiveWork,
    display,
    pages::components::{
        field::{Problem, refusal},
        table::{Number, Table, Text, heads},
    },
    view::view,
};

#[component]
pub(super) fn Preview(project: ProjectId, plan: Result<WorkloadPlan, Error>) -> impl IntoView {
    let give = ServerAction::<GiveWork>::new();
    let refused = refusal(give.into());
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => return view! { <Problem refusal=Some(ApiError::App(error))/> },
    };
    let ask = serde_json::to_string(&plan.ask).unwrap_or_default();
    let WorkloadPlan { seed, shares, before, after, stay, changes, seen, .. } = plan;
    let rows: Vec<_> = shares.into_iter().map(row).collect();
    let spread = spread(&before, &after);
    let seed = seed.map(|seed| {
        view! {
            <p class="soft">
                "Documents that get a second labeler are drawn with the seed "<code>{seed}</code>": those whose SHA-256 of “seed:number of the document” is lowest. Nobody chooses the seed."
            </p>
        }
    });
    let stays = match stay {
        0 => String::new(),
        1 => "1 copy stays as it is: there already, begun or submitted.".to_owned(),
        n => format!(
            "{} copies stay as they are: there already, begun or submitted.",
            display::thousands(n)
        ),
    };
    let act = if changes == 0 {
        view! { <p class="empty">"Nothing would change: everybody has what was asked for."</p> }
    } else {
        let words = format!("Do this: {}", display::count(changes, "change"));
        view! {
            <ActionForm action=give attr:class="actions">
                <input type="hidden" name="project" value=project.to_string()/>
                <input type="hidden" name="ask" value=ask/>
                <input type="hidden" name="seen" value=seen/>
                <button class="primary">{words}</button>
            </ActionForm>
        }
    };
    view! {
        <div class="stack" id="preview">
            <h3>"Preview"</h3>
            <Problem refusal=refused/>
            <Table label="What would change for whom">
                <caption class="visually-hidden">"What would change for each labeler"</caption>
                {heads([
                    Text("Labeler"), Number("Has"), Number("Gets"), Number("Gives away"),
                    Number("New due date"), Number("Has then"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
            {spread}
            <p class="soft">{stays}</p>
            {seed}
            {act}
        </div>
    }
}

fn row(share: WorkloadShare) -> AnyView {
    let WorkloadShare { name, has, gets, loses, dated, .. } = share;
    let number = |n: u64| {
        let class = if n == 0 { "number soft" } else { "number" };
        view! { <td class=class>{display::thousands(n)}</td> }
    };
    view! {
        <tr>
            <th scope="row"><bdi>{name}</bdi></th>
            {number(has)}
            {number(gets)}
            {number(loses)}
            {number(dated)}
            {number(has + gets - loses)}
        </tr>
    }
}

/// How many documents have how many labelers, before and after.
fn spread(before: &[(u64, u64)], after: &[(u64, u64)]) -> AnyView {
    let most = before.iter().chain(after).map(|(copies, _)| *copies).max().unwrap_or(0);
    let of = |spread: &[(u64, u64)], copies: u64| {
        let found = spread.iter().find(|(one, _)| *one == copies);
        display::thousands(found.map_or(0, |(_, documents)| *documents))
    };
    let rows: Vec<_> = (0..=most)
        .filter(|copies| before.iter().chain(after).any(|(one, _)| one == copies))
        .map(|copies| {
            let words = display::count(copies, "labeler");
            view! {
                <tr>
                    <th scope="row">{words}</th>
                    <td class="number">{of(before, copies)}</td>
                    <td class="number">{of(after, copies)}</td>
                </tr>
            }
        })
        .collect();
    view! {
        <Table label="Documents by number of labelers">
            <caption class="visually-hidden">"How many documents have how many labelers"</caption>
            {heads([Text("Documents with"), Number("Now"), Number("Then")])}
            <tbody>{rows}</tbody>
        </Table>
    }
}
