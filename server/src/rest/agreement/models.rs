//! Models against people, for programs.

use axum::Json;
use domain::{ModelId, ModelScoresView, ModelVersion, ModelsView, ProjectId, StandInView};

use crate::rest::base::{
    extract::{Ask, Query, Reply, StandInQuery, SwitchesQuery},
    pages::Listed,
};

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
    Ok(Json(services::agreement::model(&services, &actor, of, switches.switches()).await?))
}

/// Get a model's scores
///
/// Precision, recall and F1 against what reviewers decided, of all labels and of each, and how far the model is from
/// each other one, in the documents of the switches whose review is submitted. Spans match exactly, or by overlap under
/// `overlap`. Of a question, answers count where a reviewer decided on one.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/models/{model}/scores", tag = "Models",
    params(("project" = ProjectId, Path), ("model" = ModelId, Path), SwitchesQuery),
    responses((status = 200, description = "The scores.", body = ModelScoresView)),
)]
pub(super) async fn load_scores(
    Ask(services, actor, of): Ask<(ProjectId, ModelId)>,
    Query(switches): Query<SwitchesQuery>,
) -> Reply<Json<ModelScoresView>> {
    let switches = switches.switches();
    Ok(Json(services::agreement::against_decisions(&services, &actor, of, switches).await?))
}

/// Test whether a model may stand in for a labeler
///
/// The alternative annotator test, of all labels and of each, in the submitted documents of the switches. Spans match
/// exactly, or by overlap under `overlap`. Of a question, answers are compared: `by` says how.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/models/{model}/stand-in", tag = "Models",
    params(("project" = ProjectId, Path), ("model" = ModelId, Path), StandInQuery),
    responses((status = 200, description = "What came of the test.", body = StandInView)),
)]
pub(super) async fn load_stand_in(
    Ask(services, actor, of): Ask<(ProjectId, ModelId)>,
    Query(query): Query<StandInQuery>,
) -> Reply<Json<StandInView>> {
    let asked = (query.switches(), query.annotators);
    Ok(Json(services::agreement::stand_in(&services, &actor, of, asked).await?))
}

/// List a model's versions
///
/// All models with its name, by the day they were made or added, each with its agreement with all labelers together, its
/// F1 against what reviewers decided, and whether it may stand in for a labeler, under the given switches.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/models/{model}/versions", tag = "Models",
    params(("project" = ProjectId, Path), ("model" = ModelId, Path), StandInQuery),
    responses((status = 200, description = "All of them.", body = Listed<ModelVersion>)),
)]
pub(super) async fn list_versions(
    Ask(services, actor, of): Ask<(ProjectId, ModelId)>,
    Query(query): Query<StandInQuery>,
) -> Reply<Json<Listed<ModelVersion>>> {
    let asked = (query.switches(), query.annotators);
    Ok(Json(Listed::all(services::agreement::versions(&services, &actor, of, asked).await?)))
}
