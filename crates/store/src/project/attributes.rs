//! The attributes of labels and of documents, and their choices. None is ever deleted while its label is there: what
//! is no longer offered stays where it was chosen.

use std::collections::BTreeMap;

use domain::{Attribute, AttributeChoice, AttributeId, LabelId, NewAttribute, ProjectId};

use crate::{
    base::prelude::*,
    entity::{
        attribute::{self, Column, Entity},
        attribute_choice::{self as choice, Entity as Choices},
        label::{self, Entity as Labels},
    },
};

/// What must be unique among a label's attributes.
const UNIQUE: [&str; 1] = ["name"];

/// The attributes of a project's labels and documents in the order in which they were added, each with the choices
/// that it offers in their order, and then those that it does not offer any more.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<Attribute>, Error> {
    let labels = Labels::find()
        .select_only()
        .column(label::Column::Id)
        .filter(label::Column::ProjectId.eq(project.0));
    let attributes =
        Entity::find().filter(Column::LabelId.in_subquery(labels.clone().into_query()));
    let ids = attributes.clone().select_only().column(Column::Id);
    let choices = Choices::find()
        .select_only()
        .columns([choice::Column::AttributeId, choice::Column::Number])
        .columns([choice::Column::Name, choice::Column::Place])
        .filter(choice::Column::AttributeId.in_subquery(ids.into_query()))
        .order_by_asc(choice::Column::Place.is_null())
        .order_by_asc(choice::Column::Place)
        .order_by_asc(choice::Column::Number);
    let rows = attributes.order_by_asc(Column::Id).all(db.connection()).await?;
    if rows.is_empty() {
        // Every page of a project asks, and most projects ask nothing of spans.
        return Ok(Vec::new());
    }
    let of_documents = labels.filter(label::Column::IsDocument.eq(true));
    let of_documents: Option<LabelId> = sql::one(db, of_documents).await?;
    let choices: Vec<(AttributeId, _, _, Option<i64>)> = sql::all(db, choices).await?;
    let mut of_attribute: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (attribute, number, name, place) in choices {
        let choice = AttributeChoice { number, name, offered: place.is_some() };
        of_attribute.entry(attribute).or_default().push(choice);
    }
    let attribute = |row: attribute::Model| Attribute {
        id: AttributeId(row.id),
        label: Some(LabelId(row.label_id))
            .filter(|label| Some(*label) != of_documents)
            .unwrap_or(LabelId::DOCUMENT),
        name: row.name,
        required: row.required,
        offered: row.offered,
        choices: of_attribute.remove(&AttributeId(row.id)).unwrap_or_default(),
    };
    Ok(rows.into_iter().map(attribute).collect())
}

/// Adds an attribute to a label or to the document; [`Error::Duplicate`] says `name`, none that the project has no such label.
pub async fn create(
    tx: &Tx,
    project: ProjectId,
    label: LabelId,
    new: &NewAttribute,
) -> Result<Option<AttributeId>, Error> {
    let (label, is_document) = match label {
        LabelId::DOCUMENT => (super::labels::of_documents(tx, project).await?, true),
        label => (label, false),
    };
    // SQL: an insert from a select; models insert values.
    let id = sql::row(
        tx,
        "INSERT INTO attribute (label_id, name, required, offered)
         SELECT label.id, $3, $4, $5 FROM label
         WHERE label.id = $1 AND label.project_id = $2 AND label.is_document = $6
         RETURNING id",
        [
            label.0.into(),
            project.0.into(),
            new.name.as_str().into(),
            new.required.into(),
            new.offered.into(),
            is_document.into(),
        ],
    )
    .await
    .map_err(|error| error.unless_unique(&UNIQUE))?;
    let Some(id) = id else { return Ok(None) };
    write_choices(tx, id, &[], &new.choices).await?;
    Ok(Some(id))
}

/// Changes an attribute; false if the project has none with this id, [`Error::Duplicate`] says `name`.
/// A choice is known by its name: one that was there keeps its number, also after it was taken off the
/// list for a while.
pub async fn save(
    tx: &Tx,
    project: ProjectId,
    id: AttributeId,
    new: &NewAttribute,
) -> Result<bool, Error> {
    let Some(present) = list(tx, project).await?.into_iter().find(|it| it.id == id) else {
        return Ok(false);
    };
    let update = Entity::update_many()
        .col_expr(Column::Name, new.name.as_str().into())
        .col_expr(Column::Required, new.required.into())
        .col_expr(Column::Offered, new.offered.into())
        .filter(Column::Id.eq(id.0));
    sql::run(tx, update).await.map_err(|error| error.unless_unique(&UNIQUE))?;
    write_choices(tx, id, &present.choices, &new.choices).await?;
    Ok(true)
}

/// Puts the choices with these names on the list, in this order, and takes all others off it.
async fn write_choices(
    tx: &Tx,
    id: AttributeId,
    present: &[AttributeChoice],
    names: &[String],
) -> Result<(), Error> {
    let clear = Choices::update_many()
        .col_expr(choice::Column::Place, Option::<i64>::None.into())
        .filter(choice::Column::AttributeId.eq(id.0));
    sql::run(tx, clear).await?;
    let fresh = present.iter().map(|choice| choice.number + 1).max().unwrap_or(0);
    let is_new = |name: &&String| !present.iter().any(|choice| choice.name == **name);
    let new: Vec<&String> = names.iter().filter(is_new).collect();
    let numbers = (fresh..).zip(new);
    let numbered: BTreeMap<&str, u16> = present
        .iter()
        .map(|choice| (choice.name.as_str(), choice.number))
        .chain(numbers.map(|(number, name)| (name.as_str(), number)))
        .collect();
    let rows = (0_i64..).zip(names).map(|(place, name)| choice::ActiveModel {
        attribute_id: Set(id.0),
        number: Set(numbered.get(name.as_str()).copied().unwrap_or_default().into()),
        name: Set(name.clone()),
        place: Set(Some(place)),
    });
    let existing = OnConflict::columns([choice::Column::AttributeId, choice::Column::Number])
        .update_column(choice::Column::Place)
        .to_owned();
    chunks::insert_or(tx, rows.collect(), existing).await
}
