//! The first page of a project: for a manager how good agreement is, what it fails on, what to do
//! next and how far the work is; for others the way to their own work.

mod activity;
mod advice;
mod headlines;
mod lists;
mod progress;
mod set_up;
mod small_matrix;

use std::sync::Arc;

use domain::{Confidence, Overview, PersonProgress, ProjectId, ProjectView, Role};
use leptos_router::components::Redirect;
use services::{agreement::SharedSnapshot, overview::SWITCHES};

use self::{
    activity::Activity, advice::DoNext, headlines::Headlines, lists::Lists, progress::Progress,
    set_up::SetUp, small_matrix::SmallMatrix,
};
use crate::pages::{components::prelude::*, project::ProjectContext};

/// What the page shows.
#[derive(Clone)]
struct Seen {
    overview: Overview,
    matrix: Arc<SharedSnapshot>,
    people: Vec<PersonProgress>,
}

/// Where the project's address itself leads: the manager's overview, or the viewer's own work.
#[component]
pub(crate) fn ProjectHomePage() -> impl IntoView {
    let ProjectContext(project) = expect_context();
    let home = load(async move {
        let project = project.await?;
        let seen = match project.role {
            Role::Manager => Some(look_at(project.id).await?),
            Role::Labeler | Role::Reviewer => None,
        };
        Ok((project, seen))
    });
    view! {
        <Title text="Overview"/>
        <Loaded resource=home view=|(project, seen)| match (project.role, seen) {
            (Role::Manager, Some(seen)) => view! { <OverviewPage project seen/> },
            (Role::Reviewer, _) => {
                view! { <Redirect path=format!("/projects/{}/review", project.id)/> }
            }
            (Role::Labeler | Role::Manager, _) => {
                view! { <Redirect path=format!("/projects/{}/work", project.id)/> }
            }
        }/>
    }
}

async fn look_at(project: ProjectId) -> Result<Seen, ApiError> {
    let (services, actor) = request()?;
    Ok(Seen {
        overview: answer(services::overview::load(&services, &actor, project).await)?,
        matrix: answer(services::agreement::snapshot(&services, &actor, project, SWITCHES).await)?,
        people: answer(services::document::progress(&services, &actor, project).await)?,
    })
}

#[component]
fn OverviewPage(project: ProjectView, seen: Seen) -> impl IntoView {
    let Seen { overview, matrix, people } = seen;
    let id = project.id;
    let pending = overview.headlines.is_pending()
        || matrix.cells.iter().any(|cell| cell.confidence == Confidence::Pending);
    let (revision, headlines) = (overview.revision, overview.headlines.clone());
    let (courses, guidelines) = (overview.courses.clone(), overview.guidelines.clone());
    let labels: Arc<[_]> = overview.labels.clone().into();
    // Before there is anything to count, the way there stands in the place of empty numbers.
    let is_counted = overview.headlines.numbers.iter().any(|number| number.documents > 0);
    let agreement = is_counted.then(|| {
        view! { <Headlines project=id headlines courses guidelines/> <SmallMatrix matrix/> }
    });
    let has_documents = overview.funnel.documents > 0;
    let progress = has_documents.then(|| {
        let people = people.clone();
        view! { <Progress project=id funnel=overview.funnel pace=overview.pace people/> }
    });
    let lists = (overview.funnel.compared > 0).then(|| {
        let (people, confusions) = (overview.people.clone(), overview.confusions.clone());
        let documents = overview.documents.clone();
        view! { <Lists project=id labels=labels.clone() people confusions documents funnel=overview.funnel/> }
    });
    view! {
        <div class="page overview">
            <PageHead heading="Overview">
                <LiveLine project=id switches=SWITCHES revision pending/>
            </PageHead>
            <SetUp project=project.clone() documents=overview.funnel.documents people is_counted/>
            <div class="overview-columns">
                <div class="stack">
                    {agreement}
                    {lists}
                </div>
                <div class="stack">
                    <DoNext project=id labels advice=overview.advice/>
                    {progress}
                    <Activity sittings=overview.sittings/>
                    {project.demo.then(|| view! { <Watch project=id/> })}
                </div>
            </div>
        </div>
    }
}

/// Where a demo shows labelers at work.
#[component]
fn Watch(project: ProjectId) -> impl IntoView {
    view! {
        <Section title_id="watch-title" title="Simulate labelers" class="card">
            <p>
                "Let two labelers work on the "
                <a href=format!("/projects/{project}/agreement#simulation")>"agreement matrix"</a>"."
            </p>
        </Section>
    }
}
