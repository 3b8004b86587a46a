//! Which reasons reviewers gave for their decisions, how often and for which label.

use domain::{GivenReason, Label, ProjectId, ReasonCounts, ReasonRow};
use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    ApiError,
    context::{answer, request},
    display,
    loading::load,
    pages::components::table::Table,
    pages::{components::loaded::Loaded, project::use_project_id},
    view::view,
};

#[component]
pub(crate) fn ReasonsPage() -> impl IntoView {
    let project = use_project_id();
    let counts = load(load_counts(project));
    view! {
        <Title text="Reasons"/>
        <div class="page wide">
            <h1>"Reasons for decisions"</h1>
            <Loaded resource=counts titled=true view=|counts| view! { <Counts counts/> }/>
        </div>
    }
}

/// The project's reasons.
pub(crate) async fn load_reasons(project: ProjectId) -> Result<Vec<String>, ApiError> {
    let (services, actor) = request()?;
    answer(services::project::reasons::list(&services, &actor, project).await)
}

async fn load_counts(project: ProjectId) -> Result<ReasonCounts, ApiError> {
    let (services, actor) = request()?;
    answer(services::project::reasons::count(&services, &actor, project).await)
}

#[component]
fn Counts(counts: ReasonCounts) -> impl IntoView {
    let ReasonCounts { labels, rows } = counts;
    let decided: u64 = rows.iter().map(|row| row.total).sum();
    if decided == 0 {
        return view! {
            <p class="empty">"No reviewer has decided on anything yet, so no reason was given."</p>
        };
    }
    let heads: Vec<_> = labels
        .iter()
        .map(|Label { name, .. }| view! { <th scope="col" class="number"><bdi>{name.clone()}</bdi></th> })
        .collect();
    let rows: Vec<_> = rows.iter().map(row).collect();
    view! {
        <p class="how">"Decisions of all reviewers by the reason that was given and the label that was decided on. A decision for several labels counts for each of them, and once in the sum."</p>
        <p class="soft number">{display::count(decided, "decision")}</p>
        <Table label="Reasons by label">
            <caption class="visually-hidden">"How often each reason was given, by label"</caption>
            <thead>
                <tr>
                    <th scope="col">"Reason"</th>
                    {heads}
                    <th scope="col" class="number">"Rejected (∅)"</th>
                    <th scope="col" class="number">"All"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </Table>
    }
}

fn row(row: &ReasonRow) -> AnyView {
    let reason = match &row.reason {
        GivenReason::Listed(reason) => view! { <bdi>{reason.clone()}</bdi> },
        GivenReason::Words => view! { <span class="soft">"in the reviewer's own words"</span> },
        GivenReason::None => view! { <span class="soft">"no reason given"</span> },
    };
    let number = |n: u64| {
        let class = if n == 0 { "number soft" } else { "number" };
        view! { <td class=class>{display::thousands(n)}</td> }
    };
    let by_label: Vec<_> = row.by_label.iter().copied().map(number).collect();
    view! {
        <tr>
            <th scope="row">{reason}</th>
            {by_label}
            {number(row.rejected)}
            {number(row.total)}
        </tr>
    }
}
