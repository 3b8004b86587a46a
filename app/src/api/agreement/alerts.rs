//! Server functions for limits on agreement.

use domain::{AlertRuleId, AlertSubject, Documents, Measure, PolicyChoice, ProjectId};
use leptos::prelude::*;

use crate::ApiError;

/// Sets a limit.
#[server(prefix = "/fn", endpoint = "alerts/add_limit")]
pub async fn add_limit(
    project: ProjectId,
    subject: AlertSubject,
    measure: Measure,
    policy: PolicyChoice,
    documents: Documents,
    limit: f64,
    minimum_n: u64,
) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let rule = domain::NewAlertRule { subject, measure, policy, documents, limit, minimum_n };
    let done = services::agreement::alerts::add_rule(&services, &actor, project, rule).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings/targets"))
}

/// Removes a limit.
#[server(prefix = "/fn", endpoint = "alerts/remove_limit")]
pub async fn remove_limit(project: ProjectId, limit: AlertRuleId) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let done = services::agreement::alerts::remove_rule(&services, &actor, project, limit).await;
    crate::context::answer_at(done, &format!("/projects/{project}/settings/targets"))
}
