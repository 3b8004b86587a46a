//! The server function for a project's target.

use domain::{PolicyChoice, ProjectId, TargetBasis};
use leptos::prelude::*;

use crate::ApiError;

/// Gives the project another target; none without a measure.
#[server(prefix = "/fn", endpoint = "target/save_target")]
pub async fn save_target(
    project: ProjectId,
    #[server(default)] measure: String,
    #[server(default)] policy: PolicyChoice,
    #[server(default)] basis: TargetBasis,
    #[server(default)] at_least: String,
) -> Result<(), ApiError> {
    use crate::context::{answer, lead_with_note, request};

    let (services, actor) = request()?;
    let target = answer(domain::Target::typed(&measure, policy, basis, &at_least))?;
    answer(services::agreement::target::set(&services, &actor, project, target).await)?;
    lead_with_note(project, "settings/targets", "target");
    Ok(())
}
