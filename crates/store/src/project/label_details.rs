//! What is said of labels beyond their names, and what their spans may do.

use std::collections::BTreeMap;

use domain::{LabelDetail, LabelId, Limits, ProjectId};

use crate::{
    base::prelude::*,
    entity::{
        label::{self, Column, Entity},
        label_nesting,
    },
    project::attributes,
};

/// What is said of a project's labels, in their order, and first what is asked of documents; with as many
/// queries however many they are.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<LabelDetail>, Error> {
    let labels = Entity::find().filter(Column::ProjectId.eq(project.0));
    let ids = labels.clone().select_only().column(Column::Id).into_query();
    let nestings = label_nesting::Entity::find()
        .filter(label_nesting::Column::LabelId.in_subquery(ids))
        .order_by_asc(label_nesting::Column::OuterId)
        .select_only()
        .columns([label_nesting::Column::LabelId, label_nesting::Column::OuterId]);
    let nestings: Vec<(LabelId, LabelId)> = sql::all(db, nestings).await?;
    let labels =
        labels.order_by_asc(Column::Place).order_by_asc(Column::Id).all(db.connection()).await?;
    let mut attributes: BTreeMap<LabelId, Vec<_>> = BTreeMap::new();
    for attribute in attributes::list(db, project).await? {
        attributes.entry(attribute.label).or_default().push(attribute);
    }
    let within = |id: LabelId| {
        let outer = nestings.iter().filter(|(inner, _)| *inner == id);
        outer.map(|(_, outer)| *outer).collect()
    };
    let detail = |row: label::Model| {
        let id = if row.is_document { LabelId::DOCUMENT } else { LabelId(row.id) };
        LabelDetail {
            id,
            group: row.group_name,
            description: row.description,
            limits: Limits {
                crosses_own: row.crosses_own,
                crosses_others: row.crosses_others,
                within: (!row.nests_anywhere).then(|| within(id)),
            },
            attributes: attributes.remove(&id).unwrap_or_default(),
        }
    };
    Ok(labels.into_iter().map(detail).collect())
}

/// Changes what is said of a label, its attributes left alone; false if the project has none with
/// this id. Labels of other projects are no place to lie in, and left out.
pub async fn save(tx: &Tx, project: ProjectId, detail: &LabelDetail) -> Result<bool, Error> {
    let LabelDetail { id, group, description, limits, .. } = detail;
    let update = Entity::update_many()
        .col_expr(Column::GroupName, group.as_str().into())
        .col_expr(Column::Description, description.as_str().into())
        .col_expr(Column::CrossesOwn, limits.crosses_own.into())
        .col_expr(Column::CrossesOthers, limits.crosses_others.into())
        .col_expr(Column::NestsAnywhere, limits.within.is_none().into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::IsDocument.eq(false));
    if sql::run(tx, update).await? != 1 {
        return Ok(false);
    }
    let forget =
        label_nesting::Entity::delete_many().filter(label_nesting::Column::LabelId.eq(id.0));
    sql::run(tx, forget).await?;
    // SQL: an insert from a select; models insert values.
    let outer = limits.within.as_deref().unwrap_or_default();
    if !outer.is_empty() {
        let wanted = sql::placeholders(outer.len());
        let n = outer.len();
        let insert = format!(
            "INSERT INTO label_nesting (label_id, outer_id)
             SELECT ${}, label.id FROM label
             WHERE label.id IN ({wanted}) AND label.project_id = ${} AND NOT label.is_document",
            n + 1,
            n + 2
        );
        let values = outer.iter().map(|label| label.0).chain([id.0, project.0]);
        sql::execute(tx, &insert, values.map(Into::into)).await?;
    }
    Ok(true)
}
