//! Which reasons reviewers gave for their decisions, how often and for which label.

use domain::{GivenReason, Label, ProjectId, ReasonCounts, ReasonRow};

use crate::pages::components::prelude::*;

#[component]
pub(crate) fn ReasonsPage() -> impl IntoView {
    let project = use_project_id();
    let counts = load_with(move |services, actor| async move {
        services::project::reasons::count(&services, &actor, project).await
    });
    view! {
        <Title text="Reasons"/>
        <div class="page">
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

#[component]
fn Counts(counts: ReasonCounts) -> impl IntoView {
    let ReasonCounts { labels, rows } = counts;
    let decided: u64 = rows.iter().map(|row| row.total).sum();
    if decided == 0 {
        return view! {
            <p class="empty">"No decisions yet, so no reasons."</p>
        };
    }
    let heads: Vec<_> = labels
        .iter()
        .map(|Label { name, .. }| view! { <th scope="col" class="number"><bdi>{name.clone()}</bdi></th> })
        .collect();
    let rows: Vec<_> = rows.iter().map(row).collect();
    view! {
        <Lead line="Reviewer decisions by reason and label." about="reasons">
            <p>"A decision for several labels counts once for each of them, and once in the total."</p>
        </Lead>
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
        GivenReason::Words => view! { <span class="soft">"own words"</span> },
        GivenReason::None => view! { <span class="soft">"none given"</span> },
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
