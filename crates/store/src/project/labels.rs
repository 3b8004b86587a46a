//! The projects' label sets.

use domain::{Colour, Label, LabelId, NewLabel, ProjectId};

use crate::{
    base::prelude::*,
    entity::label::{ActiveModel, Column, Entity},
};

/// What must be unique in a label set.
const UNIQUE: [&str; 2] = ["hotkey", "name"];

/// A project's labels in their order.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<Label>, Error> {
    let labels = Entity::find()
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::IsDocument.eq(false))
        .order_by_asc(Column::Place)
        .order_by_asc(Column::Id);
    sql::all(db, labels).await
}

/// Adds a label at the end; [`Error::Duplicate`] says `name` or `hotkey`.
pub async fn create(tx: &Tx, project: ProjectId, label: &NewLabel) -> Result<LabelId, Error> {
    // SQL: an insert from a select; models insert values.
    let id = sql::row(
        tx,
        "INSERT INTO label (project_id, name, colour, hotkey, place)
         SELECT $1, $2, $3, $4, COALESCE(MAX(place) + 1, 0) FROM label WHERE project_id = $1
         RETURNING id",
        [
            project.0.into(),
            label.name.as_str().into(),
            i32::from(label.colour.index()).into(),
            label.hotkey.map(String::from).into(),
        ],
    )
    .await
    .map_err(|error| error.unless_unique(&UNIQUE))?;
    id.ok_or_else(|| Error::unreadable("a label without an id"))
}

/// Changes a label; false if the project has none with this id.
pub async fn save(
    tx: &Tx,
    project: ProjectId,
    id: LabelId,
    label: &NewLabel,
) -> Result<bool, Error> {
    let update = Entity::update_many()
        .col_expr(Column::Name, label.name.as_str().into())
        .col_expr(Column::Colour, i32::from(label.colour.index()).into())
        .col_expr(Column::Hotkey, label.hotkey.map(String::from).into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::IsDocument.eq(false));
    let updated = sql::run(tx, update).await.map_err(|error| error.unless_unique(&UNIQUE))?;
    Ok(updated == 1)
}

/// Deletes a label; false if the project has none with this id, [`Error::InUse`] while a span, a
/// suggestion or a decision carries it. Its name stays for the versions of assignments that had it.
pub async fn delete(tx: &Tx, project: ProjectId, id: LabelId) -> Result<bool, Error> {
    // SQL: an insert from a select; models insert values.
    sql::execute(
        tx,
        "INSERT INTO former_label (id, project_id, name, colour)
         SELECT id, project_id, name, colour FROM label
         WHERE id = $1 AND project_id = $2 AND NOT is_document",
        [id.0.into(), project.0.into()],
    )
    .await?;
    let delete = Entity::delete_by_id(id.0)
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::IsDocument.eq(false));
    Ok(sql::run(tx, delete).await.map_err(Error::unless_unused)? == 1)
}

/// The row that stands for a project's documents where something is asked of them, made with the first
/// question. It is none of the label set.
pub(crate) async fn of_documents(tx: &Tx, project: ProjectId) -> Result<LabelId, Error> {
    let of_project = Column::ProjectId.eq(project.0).and(Column::IsDocument.eq(true));
    let found = Entity::find().select_only().column(Column::Id).filter(of_project);
    if let Some(id) = sql::one(tx, found).await? {
        return Ok(id);
    }
    let row = ActiveModel {
        project_id: Set(project.0),
        name: Set(String::new()),
        colour: Set(0),
        place: Set(-1),
        is_document: Set(true),
        ..Default::default()
    };
    Ok(LabelId(row.insert(tx.connection()).await?.id))
}

impl FromRow for Label {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let colour: i32 = row.get("colour")?;
        let found = u8::try_from(colour).ok().and_then(Colour::new);
        let hotkey: Option<String> = row.get("hotkey")?;
        Ok(Self {
            id: row.get("id")?,
            name: row.get("name")?,
            colour: found.ok_or_else(|| Error::unreadable(format!("colour {colour}")))?,
            hotkey: hotkey.and_then(|hotkey| hotkey.chars().next()),
        })
    }
}
