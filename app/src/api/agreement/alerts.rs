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
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    let rule = domain::NewAlertRule { subject, measure, policy, documents, limit, minimum_n };
    answer(services::agreement::alerts::add_rule(&services, &actor, project, rule).await)?;
    lead_to(&format!("/projects/{project}/alerts"));
    Ok(())
}

/// Removes a limit.
#[server(prefix = "/fn", endpoint = "alerts/remove_limit")]
pub async fn remove_limit(project: ProjectId, limit: AlertRuleId) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    answer(services::agreement::alerts::remove_rule(&services, &actor, project, limit).await)?;
    lead_to(&format!("/projects/{project}/alerts"));
    Ok(())
}
