//! Server functions for the matrix and a pair of it.

pub mod alerts;
pub mod target;

use domain::{AgreementSnapshot, MemberId, Mover, PairView, ProjectId, Revision, Switches};
use leptos::prelude::*;
use server_fn::codec::Json;

use crate::ApiError;

/// The matrix.
#[server(prefix = "/fn", endpoint = "agreement/load_agreement", input = Json)]
pub async fn load_agreement(
    project: ProjectId,
    switches: Switches,
) -> Result<AgreementSnapshot, ApiError> {
    let (services, actor) = crate::context::request()?;
    let snapshot = services::agreement::snapshot(&services, &actor, project, switches).await;
    crate::context::answer(snapshot.map(|shared| AgreementSnapshot::clone(&shared)))
}

/// Who has moved the numbers since a revision.
#[server(prefix = "/fn", endpoint = "agreement/list_movers", input = Json)]
pub async fn list_movers(project: ProjectId, since: Revision) -> Result<Vec<Mover>, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(services::agreement::movers(&services, &actor, project, since).await)
}

/// One pair of the matrix.
#[server(prefix = "/fn", endpoint = "agreement/load_pair", input = Json)]
pub async fn load_pair(
    project: ProjectId,
    first: MemberId,
    second: MemberId,
    switches: Switches,
) -> Result<PairView, ApiError> {
    let (services, actor) = crate::context::request()?;
    crate::context::answer(
        services::agreement::pair(&services, &actor, project, first, second, switches).await,
    )
}
