//! The matrix, for programs.

use std::sync::Arc;

use axum::{Extension, Json, extract::State};
use domain::{Actor, AgreementSnapshot, ProjectId};

use super::extract::{Path, Query, SwitchesQuery};
use crate::{Site, problem::Problem};

/// The matrix under the given switches.
pub(crate) async fn load(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(switches): Query<SwitchesQuery>,
) -> Result<Json<AgreementSnapshot>, Problem> {
    let snapshot =
        services::agreement::snapshot(&site.services, &actor, project, switches.into()).await?;
    Ok(Json(snapshot))
}
