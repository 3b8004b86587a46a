//! What agreement is to reach: a project's target, its limits, the alerts that stand, and where they are
//! sent.

mod limits;
mod sent_to;
mod target;

use domain::{AlertsView, ProjectId, Target};

use self::{limits::Limits, sent_to::SentTo, target::TargetForm};
use crate::{
    context::take_note,
    pages::components::{
        agreement::{alert_notices::AlertNotices, target::load_target},
        prelude::*,
    },
};

#[component]
pub(crate) fn TargetsPage() -> impl IntoView {
    let project = use_project_id();
    let is_saved = take_note(project, "settings/targets").is_some();
    let found = load(async move {
        let (services, actor) = request()?;
        let alerts = answer(services::agreement::alerts::load(&services, &actor, project).await)?;
        Ok::<_, ApiError>((load_target(project).await?, alerts))
    });
    view! {
        <PageBody title="Targets" class="page alerts">
            <Loaded resource=found titled=true view=move |(target, alerts)| view! {
                <Targets project target alerts is_saved/>
            }/>
        </PageBody>
    }
}

#[component]
fn Targets(
    project: ProjectId,
    target: Option<Target>,
    alerts: AlertsView,
    is_saved: bool,
) -> impl IntoView {
    let AlertsView { rules, standing, sent_to } = alerts;
    let nothing = (standing.is_empty() && !rules.is_empty())
        .then(|| view! { <p class="notice good">"All values are above their limits."</p> });
    view! {
        <AlertNotices project notices=standing/>
        <TargetForm project target is_saved/>
        {nothing}
        <Limits project rules/>
        <SentTo project addresses=sent_to/>
    }
}
