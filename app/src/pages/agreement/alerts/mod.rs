//! A project's limits on agreement, the alerts that stand, and where they are sent.

mod limits;
mod sent_to;

use domain::{AlertsView, ProjectId};
use leptos::prelude::*;
use leptos_meta::Title;

use self::{limits::Limits, sent_to::SentTo};
use crate::{
    ApiError,
    context::{answer, request},
    loading::load,
    pages::components::{alert_notices::AlertNotices, loaded::Loaded},
    pages::project::use_project_id,
    view::view,
};

#[component]
pub(crate) fn AlertsPage() -> impl IntoView {
    let project = use_project_id();
    let alerts = load(load_alerts(project));
    view! {
        <Title text="Limits and alerts"/>
        <div class="page alerts">
            <Loaded resource=alerts view=move |alerts| view! {
                <Alerts project alerts/>
            }/>
        </div>
    }
}

async fn load_alerts(project: ProjectId) -> Result<AlertsView, ApiError> {
    let (services, actor) = request()?;
    answer(services::agreement::alerts::load(&services, &actor, project).await)
}

#[component]
fn Alerts(project: ProjectId, alerts: AlertsView) -> impl IntoView {
    let AlertsView { rules, standing, sent_to } = alerts;
    let nothing = (standing.is_empty() && !rules.is_empty())
        .then(|| view! { <p class="notice good">"Nothing lies under a limit."</p> });
    view! {
        <p><a href=format!("/projects/{project}/time")>"← Agreement over time"</a></p>
        <h1>"Limits and alerts"</h1>
        <p class="soft">
            "An alert is raised when the lower bound of the 95 % interval falls below a limit: when it cannot be ruled out any more "
            "that agreement lies there. It is cleared when the lower bound is at the limit or above again. "
            "Limits are held against the numbers about ten seconds after work was saved."
        </p>
        <AlertNotices project notices=standing/>
        {nothing}
        <Limits project rules/>
        <SentTo project addresses=sent_to/>
    }
}
