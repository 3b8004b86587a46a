//! The models of projects.

use domain::{Model, ModelId, NewModel, ProjectId};

use crate::{
    base::prelude::*,
    entity::model::{self, Column, Entity},
};

/// A project's models by name, then version.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<Model>, Error> {
    let select = format!("{SELECT} WHERE project_id = $1 ORDER BY name, version, id");
    // SQL: a count beside each row.
    sql::rows(db, &select, [project.0.into()]).await
}

/// A model of a project.
pub async fn find(db: &impl Db, project: ProjectId, id: ModelId) -> Result<Option<Model>, Error> {
    let select = format!("{SELECT} WHERE project_id = $1 AND id = $2");
    // SQL: a count beside each row.
    sql::row(db, &select, [project.0.into(), id.0.into()]).await
}

const SELECT: &str = "SELECT id, name, version, prompt_hash, made_on, created_at, revision,
           (SELECT COUNT(*) FROM model_work WHERE model_work.model_id = model.id) AS documents
    FROM model";

read_by_columns! {
    Model { id, name, version, prompt_hash, made_on, created_at, revision, documents }
}

/// Adds a model; [`Error::Duplicate`] if there is one with its name and version.
pub async fn create(
    tx: &Tx,
    project: ProjectId,
    new: &NewModel,
    now: DateTime<Utc>,
) -> Result<ModelId, Error> {
    let row = model::ActiveModel {
        project_id: Set(project.0),
        name: Set(new.name.clone()),
        version: Set(new.version.clone()),
        prompt_hash: Set(new.prompt_hash.clone()),
        made_on: Set(new.made_on),
        created_at: Set(now),
        revision: Set(0),
        ..Default::default()
    };
    sql::insert(tx, row).await.map_err(|error: Error| error.unless_unique(&["version"]))
}

/// Removes a model with its work and its tokens; false if the project has none with this id.
pub async fn delete(tx: &Tx, project: ProjectId, id: ModelId) -> Result<bool, Error> {
    let delete = Entity::delete_by_id(id.0).filter(Column::ProjectId.eq(project.0));
    Ok(sql::run(tx, delete).await? == 1)
}

/// Moves a model's revision on, and locks it until the transaction ends: of two who change what it has
/// marked at the same time, the second comes after the first. False if the project has none with this id.
pub async fn advance(tx: &Tx, project: ProjectId, id: ModelId) -> Result<bool, Error> {
    let advance = Entity::update_many()
        .col_expr(Column::Revision, Expr::col(Column::Revision).add(1))
        .filter(Column::Id.eq(id.0))
        .filter(Column::ProjectId.eq(project.0));
    Ok(sql::run(tx, advance).await? == 1)
}
