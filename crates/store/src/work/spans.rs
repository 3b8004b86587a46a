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

/// Adds spans to an assignment; [`Error::Duplicate`] if one of them is there.
pub async fn insert_many(tx: &Tx, assignment: AssignmentId, spans: &[Span]) -> Result<(), Error> {
    let rows: Vec<_> = spans.iter().map(|span| (assignment, *span)).collect();
    insert_of_assignments(tx, &rows).await
}

/// Adds spans to many assignments; [`Error::Duplicate`] if one of them is there.
pub async fn insert_of_assignments(tx: &Tx, spans: &[(AssignmentId, Span)]) -> Result<(), Error> {
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

/// Takes spans off an assignment; says how many of them were there.
pub async fn delete_many(tx: &Tx, assignment: AssignmentId, spans: &[Span]) -> Result<u64, Error> {
    let mut deleted = 0;
    for chunk in spans.chunks(chunks::rows_per_statement(tx, 3, 1)) {
        let wanted = chunk
            .iter()
            .map(|span| (i64::from(span.range.start), i64::from(span.range.end), span.label.0));
        let delete = Entity::delete_many()
            .filter(Column::AssignmentId.eq(assignment.0))
            .filter(chunks::among([Column::StartAt, Column::EndAt, Column::LabelId], wanted));
        deleted += sql::run(tx, delete).await?;
    }
    Ok(deleted)
}
