//! A second reviewer on a sample of what is reviewed: asked for, previewed, undone.

use domain::{
    Error, ProjectId, SecondReviewAsk, SecondReviewPlan, SecondReviewSample, SecondReviewsView,
};

use crate::{
    api::review::second_reviews::{GiveSecondReviews, UndoSecondReviews},
    pages::components::prelude::*,
};

#[component]
pub(crate) fn SecondReviewsPage() -> impl IntoView {
    let project = use_project_id();
    let ask = read_ask(in_query);
    let view = load_with(move |services, actor| async move {
        services::review::second_reviews::load(&services, &actor, project, ask).await
    });
    view! {
        <PageBody title="Second reviews" class="page" back=(format!("/projects/{project}/work/people"), "← People")>
            <Lead line="A reviewer independently repeats a random share of finished reviews." about="second reviews">
                <p>"Until both reviews are finished, the second reviewer cannot open agreement, disagreements, the gold standard or other reviewers’ answers for them. How far the two agree is their pair in the matrix."</p>
                <p>"Choose a reviewer who has not followed these documents: what they have seen cannot be unseen."</p>
            </Lead>
            <Loaded resource=view titled=true view=move |view| view! { <View project view ask/> }/>
        </PageBody>
    }
}

fn read_ask(get: impl Fn(&str) -> Option<String>) -> SecondReviewAsk {
    let usual = SecondReviewAsk::default();
    SecondReviewAsk {
        reviewer: get("reviewer").and_then(|id| id.parse().ok()),
        percent: get("percent").and_then(|n| n.trim().parse().ok()).unwrap_or(usual.percent),
    }
}

#[component]
fn View(project: ProjectId, view: SecondReviewsView, ask: SecondReviewAsk) -> impl IntoView {
    let SecondReviewsView { reviewers, plan, samples } = view;
    if reviewers.len() < 2 {
        return view! {
            <div class="empty">
                <p>"A second review needs two reviewers."</p>
                <p><a href=format!("/projects/{project}/settings/members")>"Invite a reviewer"</a></p>
            </div>
        };
    }
    let reviewers =
        reviewers.into_iter().map(|(id, name)| (id.to_string(), name, ask.reviewer == Some(id)));
    let reviewers =
        select_field("second-reviewer".to_owned(), "reviewer", "Second reviewer", reviewers);
    let plan = plan.map(|plan| preview(project, plan));
    view! {
        <Section title_id="ask-title" title="New second reviews" class="card stack">
            <form method="get" class="row work-fields">
                {reviewers}
                <div class="field">
                    <label for="second-percent">"Share of others' reviews (%)"</label>
                    <input id="second-percent" class="short" type="number" name="percent" min="1" max="100" required=true value=ask.percent.to_string()/>
                </div>
                <button>"Preview"</button>
            </form>
            {plan}
        </Section>
        {samples_table(project, samples)}
    }
}

fn preview(project: ProjectId, plan: Result<SecondReviewPlan, Error>) -> AnyView {
    let (give, refused) = form_action::<GiveSecondReviews>();
    let SecondReviewPlan { ask, seed, eligible, chosen, seen } = match plan {
        Ok(plan) => plan,
        Err(error) => return view! { <Problem refusal=Some(ApiError::App(error))/> },
    };
    if chosen.is_empty() {
        return view! {
            <p class="empty">"Nothing to draw from: no finished review by others is left for this reviewer."</p>
        };
    }
    let n = u64::try_from(chosen.len()).unwrap_or(u64::MAX);
    let words = format!(
        "{} of {} would be reviewed again.",
        display::thousands(n),
        display::count(eligible, "document")
    );
    let names: Vec<_> =
        chosen.into_iter().map(|(_, name)| view! { <li><bdi>{name}</bdi></li> }).collect();
    let reviewer = ask.reviewer.unwrap_or_default().to_string();
    view! {
        <div class="stack" id="preview">
            <h3>"Preview"</h3>
            <Problem refusal=refused/>
            <p>{words}</p>
            <details>
                <summary>"Documents"</summary>
                <ul class="plain-list">{names}</ul>
                <p class="soft">
                    "Drawn at random, all equally likely, with the seed "<code>{seed}</code>": lowest SHA-256 of “seed:document number”. Nobody chooses the seed."
                </p>
            </details>
            <ActionForm action=give attr:class="actions">
                {hidden_fields([("project", &project), ("reviewer", &reviewer), ("percent", &ask.percent), ("seen", &seen)])}
                <button class="primary">{format!("Request {}", display::count(n, "second review"))}</button>
            </ActionForm>
        </div>
    }
}

fn samples_table(project: ProjectId, samples: Vec<SecondReviewSample>) -> AnyView {
    let (undo, refused) = form_action::<UndoSecondReviews>();
    let content = if samples.is_empty() {
        view! { <p class="empty">"No second reviews yet."</p> }
    } else {
        let rows: Vec<_> =
            samples.into_iter().map(|sample| sample_row(project, sample, undo)).collect();
        view! {
            <Table label="Second reviews so far">
                <caption class="visually-hidden">"Second reviews so far, latest first"</caption>
                {heads([
                    Text("When"), Text("Second reviewer"), Number("Percent"),
                    Number("Documents"), Number("Ended"), Text("Seed"), Hidden("Undo"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <Section title_id="samples-title" title="Second reviews so far" id="samples">
            <Problem refusal=refused/>
            {content}
        </Section>
    }
}

fn sample_row(
    project: ProjectId,
    sample: SecondReviewSample,
    undo: ServerAction<UndoSecondReviews>,
) -> AnyView {
    let by = sample.made_by.map(|name| view! { <br/><bdi>{name}</bdi> });
    let tool = if sample.undone_at.is_some() {
        view! { <span class="soft">"undone"</span> }
    } else {
        let id = sample.id.to_string();
        let called = format!("undo-{id} made-{id}");
        view! {
            <ActionForm action=undo>
                {hidden_fields([("project", &project), ("sample", &id)])}
                <button class="small" id=format!("undo-{id}") aria-labelledby=called>"Undo"</button>
            </ActionForm>
        }
    };
    view! {
        <tr>
            <th scope="row" class="time" id=format!("made-{}", sample.id)><Moment at=sample.made_at/>{by}</th>
            <td><bdi>{sample.reviewer_name}</bdi></td>
            <td class="number">{sample.percent}</td>
            <td class="number">{display::thousands(sample.documents)}</td>
            <td class="number">{display::thousands(sample.ended)}</td>
            <td><code>{sample.seed}</code></td>
            <td class="tools">{tool}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use domain::MemberId;

    use super::*;

    #[test]
    fn an_address_asks_for_what_it_names() {
        let ask = read_ask(|name| (name == "reviewer").then(|| "7".to_owned()));
        assert_eq!(ask, SecondReviewAsk { reviewer: Some(MemberId(7)), percent: 20 });
        assert_eq!(read_ask(|_| None), SecondReviewAsk::default());
    }
}
