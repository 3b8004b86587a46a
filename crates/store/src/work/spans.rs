//! The spans on the labelers' copies.

use domain::{AssignmentId, Span};
use sea_orm::{ActiveValue::Set, EntityTrait, QueryFilter, QueryOrder, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{chunks, db::Connected, sql},
    entity::span::{self, Column, Entity},
};

/// A copy's spans in order of position, then label.
pub async fn list(db: &impl Db, assignment: AssignmentId) -> Result<Vec<Span>, Error> {
    let rows = Entity::find()
        .filter(Column::AssignmentId.eq(assignment.0))
        .order_by_asc(Column::StartAt)
        .order_by_asc(Column::EndAt)
        .order_by_asc(Column::LabelId)
        .all(db.connection())
        .await?;
    rows.into_iter().map(|row| sql::span(row.start_at, row.end_at, row.label_id)).collect()
}

/// Adds spans to a copy; [`Error::Duplicate`] if one of them is there.
pub async fn insert_many(tx: &Tx, assignment: AssignmentId, spans: &[Span]) -> Result<(), Error> {
    let rows: Vec<_> = spans.iter().map(|span| (assignment, *span)).collect();
    insert_of_copies(tx, &rows).await
}

/// Adds spans to many copies; [`Error::Duplicate`] if one of them is there.
pub async fn insert_of_copies(tx: &Tx, spans: &[(AssignmentId, Span)]) -> Result<(), Error> {
    let rows = spans
        .iter()
        .map(|(assignment, span)| span::ActiveModel {
            assignment_id: Set(assignment.0),
            start_at: Set(span.range.start.into()),
            end_at: Set(span.range.end.into()),
            label_id: Set(span.label.0),
            ..Default::default()
        })
        .collect();
    chunks::insert(tx, rows).await.map_err(|error| Error::unless_unique(&["span"], error))
}

/// Takes spans off a copy; says how many of them were there.
pub async fn delete_many(tx: &Tx, assignment: AssignmentId, spans: &[Span]) -> Result<u64, Error> {
    let mut deleted = 0;
    for chunk in spans.chunks(chunks::rows_per_statement(tx, 3, 1)) {
        let wanted = chunk
            .iter()
            .map(|span| (i64::from(span.range.start), i64::from(span.range.end), span.label.0));
        deleted += Entity::delete_many()
            .filter(Column::AssignmentId.eq(assignment.0))
            .filter(chunks::among([Column::StartAt, Column::EndAt, Column::LabelId], wanted))
            .exec(tx.connection())
            .await?
            .rows_affected;
    }
    Ok(deleted)
}
