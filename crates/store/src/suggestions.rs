//! Spans that came with imported documents: offered to labelers, never counted.

use domain::{DocumentId, Span};
use sea_orm::{ActiveValue::Set, EntityTrait, QueryFilter, QueryOrder, prelude::*};

use crate::{
    Db, Error, Tx, chunks,
    entity::suggestion::{self, Column, Entity},
    sql,
};

/// Stores suggestions; [`Error::Duplicate`] if a document has one twice.
pub async fn insert_many(tx: &Tx, suggestions: &[(DocumentId, Span)]) -> Result<(), Error> {
    let rows = suggestions
        .iter()
        .map(|(document, span)| suggestion::ActiveModel {
            document_id: Set(document.0),
            start_at: Set(span.range.start.into()),
            end_at: Set(span.range.end.into()),
            label_id: Set(span.label.0),
            ..Default::default()
        })
        .collect();
    chunks::insert(tx, rows).await.map_err(|error| Error::unless_unique(&["suggestion"], error))
}

/// A document's suggestions in order of position, then label.
pub async fn list(db: &impl Db, document: DocumentId) -> Result<Vec<Span>, Error> {
    let rows = Entity::find()
        .filter(Column::DocumentId.eq(document.0))
        .order_by_asc(Column::StartAt)
        .order_by_asc(Column::EndAt)
        .order_by_asc(Column::LabelId)
        .all(db.connection())
        .await?;
    rows.into_iter().map(|row| sql::span(row.start_at, row.end_at, row.label_id)).collect()
}
