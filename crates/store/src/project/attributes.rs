//! The attributes of labels and of documents, and their choices. None is ever deleted while its label is there: what
//! is no longer offered stays where it was chosen.

use std::collections::BTreeMap;

use domain::{
    AnswerKind, Attribute, AttributeChoice, AttributeId, LabelId, NewAttribute, ProjectId, Scale,
};

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
    let attribute = |row: attribute::Model| {
        Ok(Attribute {
            answers: answers(&row)?,
            id: AttributeId(row.id),
            label: Some(LabelId(row.label_id))
                .filter(|label| Some(*label) != of_documents)
                .unwrap_or(LabelId::DOCUMENT),
            name: row.name,
            required: row.required,
            offered: row.offered,
            choices: of_attribute.remove(&AttributeId(row.id)).unwrap_or_default(),
        })
    };
    rows.into_iter().map(attribute).collect()
}

/// What answers to an attribute are.
fn answers(row: &attribute::Model) -> Result<AnswerKind, Error> {
    let numbers = row.least.zip(row.step).zip(row.steps.zip(row.decimals));
    match (&*row.answers, numbers) {
        ("one", None) => Ok(AnswerKind::One),
        ("several", None) => Ok(AnswerKind::Several),
        ("number", Some(((least, step), (steps, decimals)))) => {
            let ends = [row.least_means.clone(), row.greatest_means.clone()];
            let scale = Scale::from_stored([least, step, steps, decimals], ends);
            scale.map(AnswerKind::Number).ok_or_else(|| Error::unreadable("a scale"))
        }
        _ => Err(Error::unreadable("answers")),
    }
}

/// The columns of an attribute that say what answers to it are, the names of a scale's ends last.
fn columns(answers: &AnswerKind) -> (&'static str, [Option<i64>; 4], [&str; 2]) {
    match answers {
        AnswerKind::One => ("one", [None; 4], [""; 2]),
        AnswerKind::Several => ("several", [None; 4], [""; 2]),
        AnswerKind::Number(scale) => {
            ("number", scale.stored().map(Some), scale.ends.each_ref().map(String::as_str))
        }
    }
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
    let (answers, [least, step, steps, decimals], [least_means, greatest_means]) =
        columns(&new.answers);
    // SQL: an insert from a select; models insert values.
    let id = sql::row(
        tx,
        "INSERT INTO attribute (label_id, name, required, offered, answers,
             least, step, steps, decimals, least_means, greatest_means)
         SELECT label.id, $3, $4, $5, $7, CAST($8 AS BIGINT), CAST($9 AS BIGINT),
             CAST($10 AS BIGINT), CAST($11 AS BIGINT), $12, $13 FROM label
         WHERE label.id = $1 AND label.project_id = $2 AND label.is_document = $6
         RETURNING id",
        [
            label.0.into(),
            project.0.into(),
            new.name.as_str().into(),
            new.required.into(),
            new.offered.into(),
            is_document.into(),
            answers.into(),
            least.into(),
            step.into(),
            steps.into(),
            decimals.into(),
            least_means.into(),
            greatest_means.into(),
        ],
    )
    .await
    .map_err(|error| error.unless_unique(&UNIQUE))?;
    let Some(id) = id else { return Ok(None) };
    write_choices(tx, id, &[], &new.choices).await?;
    Ok(Some(id))
}

/// Changes an attribute; false if the project has none with this id, [`Error::Duplicate`] says `name`.
/// What answers to it are stays, but for how long a scale is. A choice is known by its name: one that was there keeps its number, also after it was taken off the
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
    let (_, [_, _, steps, _], [least_means, greatest_means]) = columns(&new.answers);
    let update = Entity::update_many()
        .col_expr(Column::Steps, steps.into())
        .col_expr(Column::LeastMeans, least_means.into())
        .col_expr(Column::GreatestMeans, greatest_means.into())
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
