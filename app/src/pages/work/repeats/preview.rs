//! What to ask for, what would be given, and the button that gives it.

use domain::{MAX_REPEATS, ProjectId, RepeatPlan, RepeatShare};

use crate::{api::work::repeats::GiveRepeats, pages::components::prelude::*};

#[component]
pub(super) fn Preview(project: ProjectId, plan: RepeatPlan) -> impl IntoView {
    let ask = plan.ask;
    let give = ServerAction::<GiveRepeats>::new();
    let problem = view! { <Problem refusal=refusal(give.into())/> };
    let shares = view! { <Shares project plan give/> };
    view! {
        <Section title_id="give-title" title="New repeats" class="card stack">
            {problem}
            <form method="get" class="row repeats-ask">
                <div class="field">
                    <label for="repeats-documents">"Documents per labeler"</label>
                    <input
                        id="repeats-documents"
                        name="documents"
                        type="number"
                        min="1"
                        max=MAX_REPEATS.to_string()
                        required=true
                        value=ask.documents.to_string()
                    />
                </div>
                <div class="field">
                    <label for="repeats-days">"Submitted at least this many days ago"</label>
                    <input
                        id="repeats-days"
                        name="days"
                        type="number"
                        min="0"
                        max="365"
                        required=true
                        value=ask.days.to_string()
                    />
                </div>
                <button>"Preview"</button>
            </form>
            {shares}
        </Section>
    }
}

/// Who would get what.
#[component]
fn Shares(project: ProjectId, plan: RepeatPlan, give: ServerAction<GiveRepeats>) -> impl IntoView {
    let total = plan.total();
    let RepeatPlan { ask, seed, shares, seen } = plan;
    if shares.is_empty() {
        return view! {
            <p class="empty">"No labelers yet: "<a href=format!("/projects/{project}/settings/members")>"invite some"</a>"."</p>
        };
    }
    let (rows, names) = shares.into_iter().map(row).collect::<(Vec<_>, Vec<_>)>();
    let table = view! {
        <Table label="Preview">
            <caption class="visually-hidden">"Repeats per labeler"</caption>
            {heads([Text("Labeler"), Number("Available"), Number("Repeats")])}
            <tbody>{rows}</tbody>
        </Table>
    };
    if total == 0 {
        let since = match ask.days {
            0 => String::new(),
            days => format!(" at least {} ago", display::count(days.into(), "day")),
        };
        return view! {
            {table}
            <p class="empty">{format!("Nothing to repeat: no document submitted{since} that was not repeated before.")}</p>
        };
    }
    let given = display::count(u64::try_from(total).unwrap_or(u64::MAX), "document");
    view! {
        {table}
        <details>
            <summary>"Documents"</summary>
            <ul class="plain-list">{names}</ul>
            <p class="soft">
                "Drawn at random, all equally likely, with the seed "<code>{seed}</code>": lowest SHA-256 of “seed:assignment number”. Nobody chooses the seed, so nobody can redraw."
            </p>
        </details>
        <ActionForm action=give attr:class="actions">
            {hidden_fields([("project", &project), ("documents", &ask.documents), ("days", &ask.days), ("seen", &seen)])}
            <button class="primary">{format!("Give {given} again")}</button>
        </ActionForm>
    }
}

/// A labeler's row, and the names of their documents.
fn row(share: RepeatShare) -> (AnyView, AnyView) {
    let RepeatShare { name, eligible, chosen, .. } = share;
    let documents = u64::try_from(chosen.len()).unwrap_or(u64::MAX);
    let row = view! {
        <tr>
            <th scope="row"><bdi>{name.clone()}</bdi></th>
            <td class="number">{display::thousands(eligible)}</td>
            <td class="number">{display::thousands(documents)}</td>
        </tr>
    };
    let last = chosen.len().saturating_sub(1);
    let documents: Vec<_> = chosen
        .into_iter()
        .enumerate()
        .map(|(place, (_, name))| {
            let comma = if place == last { "" } else { ", " };
            view! { <bdi>{name}</bdi>{comma} }
        })
        .collect();
    let names = (!documents.is_empty())
        .then(|| view! { <li><bdi>{name}</bdi>": "{documents}</li> })
        .into_any();
    (row, names)
}
