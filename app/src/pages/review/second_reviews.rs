//! A second reviewer on a sample of what is reviewed: asked for, previewed, undone.

use domain::{
    Error, MemberId, ProjectId, SecondReviewAsk, SecondReviewPlan, SecondReviewSample,
    SecondReviewsView,
};
use leptos::{form::ActionForm, prelude::*};
use leptos_meta::Title;

use crate::{
    ApiError,
    api::review::second_reviews::{GiveSecondReviews, UndoSecondReviews},
    context::{answer, request},
    display,
    loading::load,
    pages::{
        base::address::in_query,
        components::{
            field::{Problem, refusal},
            loaded::Loaded,
            table::{Hidden, Number, Table, Text, heads},
        },
        project::use_project_id,
    },
    view::view,
};

#[component]
pub(crate) fn SecondReviewsPage() -> impl IntoView {
    let project = use_project_id();
    let ask = read_ask(in_query);
    let view = load(load_view(project, ask));
    view! {
        <Title text="Second reviews"/>
        <div class="page wide">
            <p><a href=format!("/projects/{project}/documents/workload")>"← Workload"</a></p>
            <h1>"Second reviews"</h1>
            <p class="how">
                "A reviewer reviews a drawn share of what others have reviewed, independently: until both have ended their reviews, agreement, disagreements, the walk, the gold standard and the answers of other reviewers are closed to the second reviewer. How far the two agree is then their pair in the matrix."
                <small>"What somebody has looked at before cannot be unseen: choose a reviewer who has not followed these documents."</small>
            </p>
            <Loaded resource=view titled=true view=move |view| view! { <View project view ask/> }/>
        </div>
    }
}

fn read_ask(get: impl Fn(&str) -> Option<String>) -> SecondReviewAsk {
    let usual = SecondReviewAsk::default();
    SecondReviewAsk {
        reviewer: get("reviewer").and_then(|id| id.parse().ok()),
        percent: get("percent").and_then(|n| n.trim().parse().ok()).unwrap_or(usual.percent),
    }
}

async fn load_view(
    project: ProjectId,
    ask: SecondReviewAsk,
) -> Result<SecondReviewsView, ApiError> {
    let (services, actor) = request()?;
    answer(services::review::second_reviews::load(&services, &actor, project, ask).await)
}

#[component]
fn View(project: ProjectId, view: SecondReviewsView, ask: SecondReviewAsk) -> impl IntoView {
    let SecondReviewsView { reviewers, plan, samples } = view;
    if reviewers.len() < 2 {
        return view! {
            <div class="empty">
                <p>"A second review takes two reviewers."</p>
                <p><a href=format!("/projects/{project}/members")>"Invite another"</a></p>
            </div>
        };
    }
    let options: Vec<_> = reviewers
        .iter()
        .map(|(id, name): &(MemberId, String)| {
            let (value, name) = (id.to_string(), name.clone());
            let selected = ask.reviewer == Some(*id);
            view! { <option value=value selected=selected>{name}</option> }
        })
        .collect();
    let plan = plan.map(|plan| preview(project, plan));
    view! {
        <section class="card stack" aria-labelledby="ask-title">
            <h2 id="ask-title">"Ask for second reviews"</h2>
            <form method="get" class="row work-fields">
                <div class="field">
                    <label for="second-reviewer">"Second reviewer"</label>
                    <select id="second-reviewer" name="reviewer">{options}</select>
                </div>
                <div class="field">
                    <label for="second-percent">"Percent of what others have reviewed"</label>
                    <input id="second-percent" class="short" type="number" name="percent" min="1" max="100" required=true value=ask.percent.to_string()/>
                </div>
                <button>"Preview"</button>
            </form>
            {plan}
        </section>
        {samples_table(project, samples)}
    }
}

fn preview(project: ProjectId, plan: Result<SecondReviewPlan, Error>) -> AnyView {
    let give = ServerAction::<GiveSecondReviews>::new();
    let refused = refusal(give.into());
    let SecondReviewPlan { ask, seed, eligible, chosen, seen } = match plan {
        Ok(plan) => plan,
        Err(error) => return view! { <Problem refusal=Some(ApiError::App(error))/> },
    };
    if chosen.is_empty() {
        return view! {
            <p class="empty">"Nothing to draw from: no document whose review by somebody else is ended is left for this reviewer."</p>
        };
    }
    let n = u64::try_from(chosen.len()).unwrap_or(u64::MAX);
    let words = format!(
        "{} of {} would be reviewed a second time.",
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
                <summary>"Which documents"</summary>
                <ul class="plain-list">{names}</ul>
                <p class="soft">
                    "Drawn at random, each as likely as the others, with the seed "<code>{seed}</code>": those whose SHA-256 of “seed:number of the document” is lowest. Nobody chooses the seed."
                </p>
            </details>
            <ActionForm action=give attr:class="actions">
                <input type="hidden" name="project" value=project.to_string()/>
                <input type="hidden" name="reviewer" value=reviewer/>
                <input type="hidden" name="percent" value=ask.percent.to_string()/>
                <input type="hidden" name="seen" value=seen/>
                <button class="primary">{format!("Ask for {}", display::count(n, "second review"))}</button>
            </ActionForm>
        </div>
    }
}

fn samples_table(project: ProjectId, samples: Vec<SecondReviewSample>) -> AnyView {
    let undo = ServerAction::<UndoSecondReviews>::new();
    let refused = refusal(undo.into());
    let content = if samples.is_empty() {
        view! { <p class="empty">"Nobody was asked for a second review yet."</p> }
    } else {
        let rows: Vec<_> =
            samples.into_iter().map(|sample| sample_row(project, sample, undo)).collect();
        view! {
            <Table label="Asked for so far">
                <caption class="visually-hidden">"Second reviews that were asked for, the latest first"</caption>
                {heads([
                    Text("When"), Text("Second reviewer"), Number("Percent"),
                    Number("Documents"), Number("Ended"), Text("Seed"), Hidden("Undo"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <section class="stack" id="samples" aria-labelledby="samples-title">
            <h2 id="samples-title">"Asked for so far"</h2>
            <Problem refusal=refused/>
            {content}
        </section>
    }
}

fn sample_row(
    project: ProjectId,
    sample: SecondReviewSample,
    undo: ServerAction<UndoSecondReviews>,
) -> AnyView {
    let by = sample.made_by.map(|name| view! { <br/><bdi>{name}</bdi> });
    let time = display::time(sample.made_at);
    let tool = if sample.undone_at.is_some() {
        view! { <span class="soft">"undone"</span> }
    } else {
        let label = format!("Undo what was asked for {time}");
        let id = sample.id.to_string();
        view! {
            <ActionForm action=undo>
                <input type="hidden" name="project" value=project.to_string()/>
                <input type="hidden" name="sample" value=id/>
                <button class="small" aria-label=label>"Undo"</button>
            </ActionForm>
        }
    };
    view! {
        <tr>
            <th scope="row" class="time">{time}{by}</th>
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
    use super::*;

    #[test]
    fn an_address_asks_for_what_it_names() {
        let ask = read_ask(|name| (name == "reviewer").then(|| "7".to_owned()));
        assert_eq!(ask, SecondReviewAsk { reviewer: Some(MemberId(7)), percent: 20 });
        assert_eq!(read_ask(|_| None), SecondReviewAsk::default());
    }
}
