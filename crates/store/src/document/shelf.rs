//! What imports are going to bring, before it is anybody's: texts that nothing but the import reads, document
//! by document.

use domain::ImportId;
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    base::prelude::*,
    entity::shelf::{self, Column, Entity},
};

/// The most documents that are told apart to find the next.
const DOCUMENTS: i64 = 1_024;

/// Before every document.
const NO_PLACE: i64 = -1;

/// Something of a document that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shelved<T> {
    /// The place of its document among those of the import.
    pub place: i64,
    /// How much there is to write, in rows, about.
    pub weight: i64,
    pub content: T,
}

/// Puts something on the shelf of an import.
pub async fn put<T: Serialize>(
    tx: &Tx,
    import: ImportId,
    shelved: &[Shelved<T>],
) -> Result<(), Error> {
    let rows = shelved.iter().map(|Shelved { place, weight, content }| {
        Ok(shelf::ActiveModel {
            import_id: Set(import.0),
            place: Set(*place),
            weight: Set(*weight),
            content: Set(sql::json(content)?),
            ..Default::default()
        })
    });
    chunks::insert_steadily(tx, rows.collect::<Result<_, Error>>()?).await
}

/// What comes next of an import after the document at a place, in the order in which it was put there: all
/// that there is of as many documents as weigh no more than this together, and of one at least. What came up
/// to that place is not looked at: databases keep for a while what was taken away.
pub async fn next<T: DeserializeOwned>(
    tx: &Tx,
    import: ImportId,
    after: Option<i64>,
    most: i64,
) -> Result<Vec<Shelved<T>>, Error> {
    // SQL: a sum in groups, of as few rows as are needed.
    let places: Vec<(i64, i64)> = sql::rows(
        tx,
        "SELECT place, CAST(SUM(weight) AS BIGINT) FROM shelf
         WHERE import_id = $1 AND place > $2 GROUP BY place ORDER BY place LIMIT $3",
        [import.0.into(), after.unwrap_or(NO_PLACE).into(), DOCUMENTS.into()],
    )
    .await?;
    let mut weight = 0;
    let fitting = places.iter().take_while(|(_, more)| {
        weight += more;
        weight <= most
    });
    let Some((last, _)) = fitting.last().or(places.first()) else { return Ok(Vec::new()) };
    let next = Entity::find()
        .select_only()
        .columns([Column::Place, Column::Weight, Column::Content])
        .filter(of_import(import, after).and(Column::Place.lte(*last)))
        .order_by_asc(Column::Place)
        .order_by_asc(Column::Id);
    let rows: Vec<(_, _, Json<T>)> = sql::all(tx, next).await?;
    let shelved = |(place, weight, Json(content))| Shelved { place, weight, content };
    Ok(rows.into_iter().map(shelved).collect())
}

/// Takes away what came after the document at a place, up to another; false if nothing is left after that.
pub async fn remove(
    tx: &Tx,
    import: ImportId,
    after: Option<i64>,
    last: i64,
) -> Result<bool, Error> {
    let came = of_import(import, after).and(Column::Place.lte(last));
    sql::run(tx, Entity::delete_many().filter(came)).await?;
    let left = of_import(import, Some(last));
    let left = Entity::find().select_only().column(Column::Id).filter(left).limit(1);
    Ok(sql::one::<i64>(tx, left).await?.is_some())
}

/// What is of an import, after the document at a place.
fn of_import(import: ImportId, after: Option<i64>) -> Expr {
    Column::ImportId.eq(import.0).and(Column::Place.gt(after.unwrap_or(NO_PLACE)))
}

/// Takes away at most so many rows of an import, and says how many.
pub async fn clear(tx: &Tx, import: ImportId, most: u64) -> Result<u64, Error> {
    let some = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::ImportId.eq(import.0))
        .limit(most);
    let delete = Entity::delete_many().filter(Column::Id.in_subquery(some.into_query()));
    sql::run(tx, delete).await
}
