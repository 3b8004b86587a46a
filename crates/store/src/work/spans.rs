//! The spans on the labelers' assignments.

use domain::{AssignmentId, Span};

use crate::{
    base::prelude::*,
    entity::span::{self, Column, Entity},
};

/// An assignment's spans in order of position, then label.
pub async fn list(db: &impl Db, assignment: AssignmentId) -> Result<Vec<Span>, Error> {
    let spans = Entity::find()
        .filter(Column::AssignmentId.eq(assignment.0))
        .order_by_asc(Column::StartAt)
        .order_by_asc(Column::EndAt)
        .order_by_asc(Column::LabelId);
    sql::all(db, spans).await
}

/// Adds spans to assignments; [`Error::Duplicate`] if one of them is there.
pub async fn insert_many(tx: &Tx, spans: &[(AssignmentId, Span)]) -> Result<(), Error> {
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
    chunks::insert(tx, rows).await.map_err(|error| error.unless_unique(&["span"]))
}

/// Takes spans off assignments; says how many of them were there.
pub async fn delete_many(tx: &Tx, spans: &[(AssignmentId, Span)]) -> Result<u64, Error> {
    let columns = [Column::AssignmentId, Column::StartAt, Column::EndAt, Column::LabelId];
    let mut deleted = 0;
    for chunk in spans.chunks(chunks::rows_per_statement(tx, columns.len(), 0)) {
        let wanted = chunk.iter().map(|(assignment, Span { range, label })| {
            (assignment.0, i64::from(range.start), i64::from(range.end), label.0)
        });
        let delete = Entity::delete_many().filter(chunks::among(columns, wanted));
        deleted += sql::run(tx, delete).await?;
    }
    Ok(deleted)
}
