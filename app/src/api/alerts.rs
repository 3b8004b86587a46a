//! Server functions for limits on agreement and the webhook that alerts are sent to.

use domain::{AlertNotice, AlertRuleId, AlertSubject, Documents, Measure, PolicyChoice, ProjectId};
use leptos::prelude::*;

use crate::ApiError;

/// The alerts that stand.
#[server(prefix = "/fn", endpoint = "alerts/list_standing")]
pub async fn list_standing(project: ProjectId) -> Result<Vec<AlertNotice>, ApiError> {
    use crate::context::{answer, request};

    let (services, actor) = request()?;
    answer(services::alerts::standing(&services, &actor, project).await)
}

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
    answer(services::alerts::add_rule(&services, &actor, project, rule).await)?;
    lead_to(&format!("/projects/{project}/alerts"));
    Ok(())
}

/// Removes a limit.
#[server(prefix = "/fn", endpoint = "alerts/remove_limit")]
pub async fn remove_limit(project: ProjectId, limit: AlertRuleId) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    answer(services::alerts::remove_rule(&services, &actor, project, limit).await)?;
    lead_to(&format!("/projects/{project}/alerts"));
    Ok(())
}

/// Has alerts sent to an address.
#[server(prefix = "/fn", endpoint = "alerts/save_webhook")]
pub async fn save_webhook(project: ProjectId, url: String) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    answer(services::alerts::save_webhook(&services, &actor, project, url).await)?;
    lead_to(&format!("/projects/{project}/alerts"));
    Ok(())
}

/// Never shows the webhook's secret again.
#[server(prefix = "/fn", endpoint = "alerts/hide_secret")]
pub async fn hide_secret(project: ProjectId) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    answer(services::alerts::hide_secret(&services, &actor, project).await)?;
    lead_to(&format!("/projects/{project}/alerts"));
    Ok(())
}

/// Sends something to the webhook that is no alert.
#[server(prefix = "/fn", endpoint = "alerts/try_webhook")]
pub async fn try_webhook(project: ProjectId) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    answer(services::alerts::try_webhook(&services, &actor, project).await)?;
    lead_to(&format!("/projects/{project}/alerts"));
    Ok(())
}

/// Has alerts sent nowhere.
#[server(prefix = "/fn", endpoint = "alerts/remove_webhook")]
pub async fn remove_webhook(project: ProjectId) -> Result<(), ApiError> {
    use crate::context::{answer, lead_to, request};

    let (services, actor) = request()?;
    answer(services::alerts::remove_webhook(&services, &actor, project).await)?;
    lead_to(&format!("/projects/{project}/alerts"));
    Ok(())
}
