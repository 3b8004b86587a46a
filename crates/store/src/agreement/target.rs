//! The targets of projects.

use domain::{ProjectId, Target};

use crate::{
    base::prelude::*,
    entity::target::{self, Column, Entity},
};

/// A project's target, if it has one.
pub async fn find(db: &impl Db, project: ProjectId) -> Result<Option<Target>, Error> {
    sql::one(db, Entity::find_by_id(project.0)).await
}

read_by_columns! { Target { measure, policy, basis, at_least } }

/// Gives a project this target in the place of any other, or none.
pub async fn set(tx: &Tx, project: ProjectId, target: Option<Target>) -> Result<(), Error> {
    let Some(Target { measure, policy, basis, at_least }) = target else {
        sql::run(tx, Entity::delete_by_id(project.0)).await?;
        return Ok(());
    };
    let row = target::ActiveModel {
        project_id: Set(project.0),
        measure: Set(measure.name().to_owned()),
        policy: Set(policy.name().to_owned()),
        basis: Set(basis.name().to_owned()),
        at_least: Set(at_least),
    };
    let newer = OnConflict::column(Column::ProjectId)
        .update_columns([Column::Measure, Column::Policy, Column::Basis, Column::AtLeast])
        .to_owned();
    sql::run(tx, Entity::insert(row).on_conflict(newer)).await?;
    Ok(())
}
