//! The pool that labelers draw their next document from.

use domain::{AssignmentId, MemberId, Pool, ProjectId};

use crate::{
    base::prelude::*,
    entity::pool::{self, Column, Entity},
    work::flags::PUT_ASIDE,
};

/// A project's pool, if it has one.
pub async fn find(db: &impl Db, project: ProjectId) -> Result<Option<Pool>, Error> {
    sql::one(db, Entity::find_by_id(project.0)).await
}

read_by_columns! { Pool { overlap, cap, days } }

/// Opens a project's pool, or changes it.
pub async fn save(tx: &Tx, project: ProjectId, pool: Pool) -> Result<(), Error> {
    let row = pool::ActiveModel {
        project_id: Set(project.0),
        overlap: Set(pool.overlap.into()),
        cap: Set(pool.cap.into()),
        days: Set(pool.days.into()),
        ..Default::default()
    };
    let newer = OnConflict::column(Column::ProjectId)
        .update_columns([Column::Overlap, Column::Cap, Column::Days])
        .to_owned();
    sql::run(tx, Entity::insert(row).on_conflict(newer)).await?;
    Ok(())
}

/// Closes a project's pool; false if it has none. What was drawn stays drawn.
pub async fn close(tx: &Tx, project: ProjectId) -> Result<bool, Error> {
    Ok(sql::run(tx, Entity::delete_by_id(project.0)).await? == 1)
}

/// How many labelers a document has; assignments of people who were removed count with work in them,
/// and those that were put aside not: others may have their places.
const HAS: &str = "(SELECT COUNT(*) FROM assignment
     JOIN member ON member.id = assignment.member_id
     WHERE assignment.document_id = document.id
     AND (member.removed_at IS NULL OR assignment.state <> 'open')
     AND (assignment.state = 'submitted' OR NOT EXISTS (
         SELECT 1 FROM assignment_flag WHERE assignment_flag.document_id = document.id
         AND assignment_flag.member_id = assignment.member_id AND assignment_flag.kind = 'skip')))";

/// A document that somebody, `$2`, has or has turned down is not drawn by them.
const NOT_KNOWN: &str = "NOT EXISTS (SELECT 1 FROM assignment AS own
         WHERE own.document_id = document.id AND own.member_id = $2)
     AND NOT EXISTS (SELECT 1 FROM assignment_flag
         WHERE assignment_flag.document_id = document.id AND assignment_flag.member_id = $2
         AND assignment_flag.kind = 'skip')";

/// How many documents have fewer labelers than that, and how many assignments are left to draw.
pub async fn left(db: &impl Db, project: ProjectId, overlap: u32) -> Result<(u64, u64), Error> {
    // SQL: a condition that is a text in several queries.
    let select = format!(
        "SELECT COUNT(*), CAST(COALESCE(SUM($2 - has), 0) AS BIGINT)
         FROM (SELECT {HAS} AS has FROM document WHERE document.project_id = $1) AS counted
         WHERE has < $2"
    );
    let values = [project.0.into(), i64::from(overlap).into()];
    Ok(sql::row(db, &select, values).await?.unwrap_or_default())
}

/// How many assignments somebody has to work on, and whether a document is left for them.
pub async fn of_member(
    db: &impl Db,
    project: ProjectId,
    member: MemberId,
    overlap: u32,
) -> Result<(u64, bool), Error> {
    // SQL: a condition that is a text in several queries.
    let select = format!(
        "SELECT (SELECT COUNT(*) FROM assignment
                 WHERE member_id = $2 AND state <> 'submitted' AND NOT {PUT_ASIDE}),
                (SELECT COUNT(*) FROM document WHERE document.project_id = $1 AND {HAS} < $3
                 AND {NOT_KNOWN})"
    );
    let values = [project.0.into(), member.0.into(), i64::from(overlap).into()];
    let (open, left): (_, i64) = sql::row(db, &select, values).await?.unwrap_or_default();
    Ok((open, left > 0))
}

/// Gives somebody the next document in the order of import, so that the first are soon done twice and
/// which one it is tells nothing of what others have begun with. None if nothing is left for them.
/// Whoever draws at the same time waits: nobody gets a place that another has taken.
pub async fn draw(
    tx: &Tx,
    project: ProjectId,
    member: MemberId,
    overlap: u32,
    due_at: Option<DateTime<Utc>>,
) -> Result<Option<AssignmentId>, Error> {
    let turn = Entity::update_many()
        .col_expr(Column::Drawn, Expr::col(Column::Drawn).add(1))
        .filter(Column::ProjectId.eq(project.0));
    sql::run(tx, turn).await?;
    // SQL: an insert from a select; models insert values.
    let insert = format!(
        "INSERT INTO assignment (document_id, member_id, state, due_at)
         SELECT document.id, $2, 'open', $4 FROM document
         WHERE document.project_id = $1 AND {HAS} < $3 AND {NOT_KNOWN}
         ORDER BY document.id LIMIT 1
         RETURNING id"
    );
    let values = [project.0.into(), member.0.into(), i64::from(overlap).into(), due_at.into()];
    sql::row(tx, &insert, values).await
}
