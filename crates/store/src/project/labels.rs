//! The projects' label sets.

use domain::{Colour, Label, LabelId, NewLabel, ProjectId};
use sea_orm::{EntityTrait, QueryFilter, QueryOrder, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::label::{self, Column, Entity},
};

/// What must be unique in a label set.
const UNIQUE: [&str; 2] = ["hotkey", "name"];

/// A project's labels in their order.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<Label>, Error> {
    let rows = Entity::find()
        .filter(Column::ProjectId.eq(project.0))
        .order_by_asc(Column::Place)
        .order_by_asc(Column::Id)
        .all(db.connection())
        .await?;
    rows.into_iter().map(label).collect()
}

/// Adds a label at the end; [`Error::Duplicate`] says `name` or `hotkey`.
pub async fn create(tx: &Tx, project: ProjectId, label: &NewLabel) -> Result<LabelId, Error> {
    let id: Option<i64> = sql::try_tuple(
        tx,
        "INSERT INTO label (project_id, name, colour, hotkey, place)
         SELECT $1, $2, $3, $4, COALESCE(MAX(place) + 1, 0) FROM label WHERE project_id = $1
         RETURNING id",
        [
            project.0.into(),
            label.name.as_str().into(),
            i32::from(label.colour.number()).into(),
            label.hotkey.map(String::from).into(),
        ],
    )
    .await
    .map_err(|error| Error::unless_unique(&UNIQUE, error))?;
    id.map(LabelId).ok_or_else(|| Error::unreadable("a label without an id"))
}

/// Changes a label; false if the project has none with this id.
pub async fn save(
    tx: &Tx,
    project: ProjectId,
    id: LabelId,
    label: &NewLabel,
) -> Result<bool, Error> {
    let updated = Entity::update_many()
        .col_expr(Column::Name, label.name.as_str().into())
        .col_expr(Column::Colour, i32::from(label.colour.number()).into())
        .col_expr(Column::Hotkey, label.hotkey.map(String::from).into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::ProjectId.eq(project.0))
        .exec(tx.connection())
        .await
        .map_err(|error| Error::unless_unique(&UNIQUE, error))?;
    Ok(updated.rows_affected == 1)
}

/// Deletes a label; false if the project has none with this id, [`Error::InUse`] while a span, a
/// suggestion or a decision carries it. Its name stays for the versions of copies that had it.
pub async fn delete(tx: &Tx, project: ProjectId, id: LabelId) -> Result<bool, Error> {
    sql::execute(
        tx,
        "INSERT INTO former_label (id, project_id, name, colour)
         SELECT id, project_id, name, colour FROM label WHERE id = $1 AND project_id = $2",
        [id.0.into(), project.0.into()],
    )
    .await?;
    let deleted = Entity::delete_many()
        .filter(Column::Id.eq(id.0))
        .filter(Column::ProjectId.eq(project.0))
        .exec(tx.connection())
        .await
        .map_err(Error::unless_unused)?;
    Ok(deleted.rows_affected == 1)
}

fn label(row: label::Model) -> Result<Label, Error> {
    let colour = u8::try_from(row.colour).ok().and_then(Colour::new);
    Ok(Label {
        id: LabelId(row.id),
        name: row.name,
        colour: colour.ok_or_else(|| Error::unreadable(format!("colour {}", row.colour)))?,
        hotkey: row.hotkey.and_then(|hotkey| hotkey.chars().next()),
    })
}
