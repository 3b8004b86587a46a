//! Models against people, for programs.

use axum::Json;
use domain::{ModelId, ModelsView, ProjectId};

use crate::rest::base::extract::{Ask, Query, Reply, SwitchesQuery};

/// Get a model's agreement
///
/// The model against each labeler and reviewer, and against all of a role together, under the given switches.
/// It is not a part of anybody else's numbers.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/models/{model}/agreement", tag = "Models",
    params(("project" = ProjectId, Path), ("model" = ModelId, Path), SwitchesQuery),
    responses((status = 200, description = "One row, that of the model.", body = ModelsView)),
)]
pub(super) async fn load_of_model(
    Ask(services, actor, (project, model)): Ask<(ProjectId, ModelId)>,
    Query(switches): Query<SwitchesQuery>,
) -> Reply<Json<ModelsView>> {
    let of = (project, model);
    Ok(Json(services::agreement::model(&services, &actor, of, switches.into()).await?))
}
