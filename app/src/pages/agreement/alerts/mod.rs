//! A project's limits on agreement, the alerts that stand, and where they are sent.

mod limits;
mod sent_to;

use domain::{AlertsView, ProjectId};

use self::{limits::Limits, sent_to::SentTo};
use crate::pages::components::{agreement::alert_notices::AlertNotices, prelude::*};

#[component]
pub(crate) fn AlertsPage() -> impl IntoView {
    let project = use_project_id();
    let alerts = load_with(move |services, actor| async move {
        services::agreement::alerts::load(&services, &actor, project).await
    });
    view! {
        <Title text="Limits and alerts"/>
        <div class="page alerts">
            <Loaded resource=alerts view=move |alerts| view! {
                <Alerts project alerts/>
            }/>
        </div>
    }
}

#[component]
fn Alerts(project: ProjectId, alerts: AlertsView) -> impl IntoView {
    let AlertsView { rules, standing, sent_to } = alerts;
    let nothing = (standing.is_empty() && !rules.is_empty())
        .then(|| view! { <p class="notice good">"All values are above their limits."</p> });
    view! {
        <p><a href=format!("/projects/{project}/time")>"← Trend"</a></p>
        <h1>"Limits and alerts"</h1>
        <Lead line="An alert is raised when the lower bound of the 95 % interval falls below a limit." about="alerts">
            <p>"Agreement below the limit can then no longer be ruled out. The alert is cleared when the lower bound is back at the limit or above. Checked about ten seconds after a save."</p>
        </Lead>
        <AlertNotices project notices=standing/>
        {nothing}
        <Limits project rules/>
        <SentTo project addresses=sent_to/>
    }
}
