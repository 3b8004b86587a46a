//! What is said of labels beyond their names, and what their spans may do.

use std::collections::BTreeMap;

use domain::{LabelDetail, LabelId, Limits, ProjectId};

use crate::{Db, Error, Tx, base::sql, project::attributes};

/// What is said of a project's labels, in their order; with three queries however many they are.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<LabelDetail>, Error> {
    let rows: Vec<(i64, String, String, bool, bool, bool)> = sql::tuples(
        db,
        "SELECT id, group_name, description, crosses_own, crosses_others, nests_anywhere
         FROM label WHERE project_id = $1 ORDER BY place, id",
        [project.0.into()],
    )
    .await?;
    let nestings: Vec<(i64, i64)> = sql::tuples(
        db,
        "SELECT label_nesting.label_id, label_nesting.outer_id
         FROM label_nesting JOIN label ON label.id = label_nesting.label_id
         WHERE label.project_id = $1 ORDER BY label_nesting.outer_id",
        [project.0.into()],
    )
    .await?;
    let mut attributes: BTreeMap<LabelId, Vec<_>> = BTreeMap::new();
    for attribute in attributes::list(db, project).await? {
        attributes.entry(attribute.label).or_default().push(attribute);
    }
    let within = |id: i64| {
        let outer = nestings.iter().filter(|(inner, _)| *inner == id);
        outer.map(|(_, outer)| LabelId(*outer)).collect()
    };
    let detail = |(id, group, description, crosses_own, crosses_others, nests_anywhere)| {
        let within = if nests_anywhere { None } else { Some(within(id)) };
        LabelDetail {
            id: LabelId(id),
            group,
            description,
            limits: Limits { crosses_own, crosses_others, within },
            attributes: attributes.remove(&LabelId(id)).unwrap_or_default(),
        }
    };
    Ok(rows.into_iter().map(detail).collect())
}

/// Changes what is said of a label, its attributes left alone; false if the project has none with
/// this id. Labels of other projects are no place to lie in, and left out.
pub async fn save(tx: &Tx, project: ProjectId, detail: &LabelDetail) -> Result<bool, Error> {
    let LabelDetail { id, group, description, limits, .. } = detail;
    let updated = sql::execute(
        tx,
        "UPDATE label SET group_name = $3, description = $4, crosses_own = $5,
             crosses_others = $6, nests_anywhere = $7
         WHERE id = $1 AND project_id = $2",
        [
            id.0.into(),
            project.0.into(),
            group.as_str().into(),
            description.as_str().into(),
            limits.crosses_own.into(),
            limits.crosses_others.into(),
            limits.within.is_none().into(),
        ],
    )
    .await?;
    if updated != 1 {
        return Ok(false);
    }
    sql::execute(tx, "DELETE FROM label_nesting WHERE label_id = $1", [id.0.into()]).await?;
    let outer = limits.within.as_deref().unwrap_or_default();
    if !outer.is_empty() {
        let wanted = sql::placeholders(outer.len());
        let n = outer.len();
        let insert = format!(
            "INSERT INTO label_nesting (label_id, outer_id)
             SELECT ${}, label.id FROM label
             WHERE label.id IN ({wanted}) AND label.project_id = ${}",
            n + 1,
            n + 2
        );
        let values = outer.iter().map(|label| label.0).chain([id.0, project.0]);
        sql::execute(tx, &insert, values.map(Into::into)).await?;
    }
    Ok(true)
}
