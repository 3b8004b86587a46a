//! The attributes of labels and their choices. Neither is ever deleted while its label is there: what
//! is no longer offered stays where it was chosen.

use std::collections::BTreeMap;

use domain::{Attribute, AttributeChoice, AttributeId, LabelId, NewAttribute, ProjectId};

use crate::{Db, Error, Tx, base::sql};

/// What must be unique among a label's attributes.
const UNIQUE: [&str; 1] = ["name"];

/// The attributes of a project's labels in the order in which they were added, each with the choices
/// that it offers in their order, and then those that it does not offer any more.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<Attribute>, Error> {
    let rows: Vec<(i64, i64, String, bool, bool)> = sql::tuples(
        db,
        "SELECT attribute.id, attribute.label_id, attribute.name, attribute.required,
                attribute.offered
         FROM attribute JOIN label ON label.id = attribute.label_id
         WHERE label.project_id = $1 ORDER BY attribute.id",
        [project.0.into()],
    )
    .await?;
    let choices: Vec<(i64, i64, String, Option<i64>)> = sql::tuples(
        db,
        "SELECT attribute_choice.attribute_id, attribute_choice.number, attribute_choice.name,
                attribute_choice.place
         FROM attribute_choice
         JOIN attribute ON attribute.id = attribute_choice.attribute_id
         JOIN label ON label.id = attribute.label_id
         WHERE label.project_id = $1
         ORDER BY CASE WHEN attribute_choice.place IS NULL THEN 1 ELSE 0 END,
                  attribute_choice.place, attribute_choice.number",
        [project.0.into()],
    )
    .await?;
    let mut of_attribute: BTreeMap<i64, Vec<AttributeChoice>> = BTreeMap::new();
    for (attribute, number, name, place) in choices {
        let choice =
            AttributeChoice { number: sql::number(number)?, name, offered: place.is_some() };
        of_attribute.entry(attribute).or_default().push(choice);
    }
    let attribute = |(id, label, name, required, offered)| Attribute {
        id: AttributeId(id),
        label: LabelId(label),
        name,
        required,
        offered,
        choices: of_attribute.remove(&id).unwrap_or_default(),
    };
    Ok(rows.into_iter().map(attribute).collect())
}

/// Adds an attribute; [`Error::Duplicate`] says `name`, none that the project has no such label.
pub async fn create(
    tx: &Tx,
    project: ProjectId,
    label: LabelId,
    new: &NewAttribute,
) -> Result<Option<AttributeId>, Error> {
    let id: Option<i64> = sql::try_tuple(
        tx,
        "INSERT INTO attribute (label_id, name, required, offered)
         SELECT label.id, $3, $4, $5 FROM label WHERE label.id = $1 AND label.project_id = $2
         RETURNING id",
        [
            label.0.into(),
            project.0.into(),
            new.name.as_str().into(),
            new.required.into(),
            new.offered.into(),
        ],
    )
    .await
    .map_err(|error| Error::unless_unique(&UNIQUE, error))?;
    let Some(id) = id.map(AttributeId) else { return Ok(None) };
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
    let updated: Result<Option<i64>, _> = sql::try_tuple(
        tx,
        "UPDATE attribute SET name = $2, required = $3, offered = $4 WHERE id = $1 RETURNING id",
        [id.0.into(), new.name.as_str().into(), new.required.into(), new.offered.into()],
    )
    .await;
    updated.map_err(|error| Error::unless_unique(&UNIQUE, error))?;
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
    let clear = "UPDATE attribute_choice SET place = NULL WHERE attribute_id = $1";
    sql::execute(tx, clear, [id.0.into()]).await?;
    let fresh = present.iter().map(|choice| choice.number + 1).max().unwrap_or(0);
    let is_new = |name: &&String| !present.iter().any(|choice| choice.name == **name);
    let new: Vec<&String> = names.iter().filter(is_new).collect();
    let numbers = (fresh..).zip(new);
    let mut rows: Vec<(i64, &str, i64)> = Vec::with_capacity(names.len());
    let numbered: BTreeMap<&str, u16> = present
        .iter()
        .map(|choice| (choice.name.as_str(), choice.number))
        .chain(numbers.map(|(number, name)| (name.as_str(), number)))
        .collect();
    for (place, name) in (0_i64..).zip(names) {
        let number = numbered.get(name.as_str()).copied().unwrap_or_default();
        rows.push((i64::from(number), name, place));
    }
    // At most fifty rows of three parameters.
    let row =
        |index: usize| format!("($1, ${}, ${}, ${})", index * 3 + 2, index * 3 + 3, index * 3 + 4);
    let lines: Vec<String> = (0..rows.len()).map(row).collect();
    if lines.is_empty() {
        return Ok(());
    }
    let insert = format!(
        "INSERT INTO attribute_choice (attribute_id, number, name, place) VALUES {}
         ON CONFLICT (attribute_id, number) DO UPDATE SET place = excluded.place",
        lines.join(", ")
    );
    let values = rows
        .into_iter()
        .flat_map(|(number, name, place)| [number.into(), name.into(), place.into()]);
    sql::execute(tx, &insert, std::iter::once(id.0.into()).chain(values)).await?;
    Ok(())
}
