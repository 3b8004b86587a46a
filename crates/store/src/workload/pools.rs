//! The pool that labelers draw their next document from.

use chrono::{DateTime, Utc};
use domain::{AssignmentId, MemberId, Pool, ProjectId};

use crate::{Db, Error, Tx, base::sql, work::flags::PUT_ASIDE};

/// A project's pool, if it has one.
pub async fn find(db: &impl Db, project: ProjectId) -> Result<Option<Pool>, Error> {
    let row: Option<(i64, i64, i64)> = sql::tuple(
        db,
        "SELECT copies, cap, days FROM pool WHERE project_id = $1",
        [project.0.into()],
    )
    .await?;
    row.map(|(copies, cap, days)| {
        Ok(Pool { copies: sql::number(copies)?, cap: sql::number(cap)?, days: sql::number(days)? })
    })
    .transpose()
}

/// Opens a project's pool, or changes it.
pub async fn save(tx: &Tx, project: ProjectId, pool: Pool) -> Result<(), Error> {
    sql::execute(
        tx,
        "INSERT INTO pool (project_id, copies, cap, days) VALUES ($1, $2, $3, $4)
         ON CONFLICT (project_id)
             DO UPDATE SET copies = excluded.copies, cap = excluded.cap, days = excluded.days",
        [
            project.0.into(),
            i64::from(pool.copies).into(),
            i64::from(pool.cap).into(),
            i64::from(pool.days).into(),
        ],
    )
    .await?;
    Ok(())
}

/// Closes a project's pool; false if it has none. What was drawn stays drawn.
pub async fn close(tx: &Tx, project: ProjectId) -> Result<bool, Error> {
    let closed =
        sql::execute(tx, "DELETE FROM pool WHERE project_id = $1", [project.0.into()]).await?;
    Ok(closed == 1)
}

/// How many labelers a document has; copies of people who were removed count with work in them,
/// and those that were put aside not: others may have their places.
const HAS: &str = "(SELECT COUNT(*) FROM assignment
     JOIN member ON member.id = assignment.member_id
     WHERE assignment.document_id = document.id
     AND (member.removed_at IS NULL OR assignment.state <> 'open')
     AND (assignment.state = 'submitted' OR NOT EXISTS (
         SELECT 1 FROM copy_flag WHERE copy_flag.document_id = document.id
         AND copy_flag.member_id = assignment.member_id AND copy_flag.kind = 'skip')))";

/// A document that somebody, `$2`, has or has turned down is not drawn by them.
const NOT_KNOWN: &str = "NOT EXISTS (SELECT 1 FROM assignment AS own
         WHERE own.document_id = document.id AND own.member_id = $2)
     AND NOT EXISTS (SELECT 1 FROM copy_flag
         WHERE copy_flag.document_id = document.id AND copy_flag.member_id = $2
         AND copy_flag.kind = 'skip')";

/// How many documents have fewer labelers than that, and how many copies are left to draw.
pub async fn left(db: &impl Db, project: ProjectId, copies: u32) -> Result<(u64, u64), Error> {
    let select = format!(
        "SELECT COUNT(*), CAST(COALESCE(SUM($2 - has), 0) AS BIGINT)
         FROM (SELECT {HAS} AS has FROM document WHERE document.project_id = $1) AS counted
         WHERE has < $2"
    );
    let values = [project.0.into(), i64::from(copies).into()];
    let (documents, left): (i64, i64) = sql::tuple(db, &select, values).await?.unwrap_or_default();
    Ok((sql::number(documents)?, sql::number(left)?))
}

/// How many copies somebody has to work on, and whether a document is left for them.
pub async fn of_member(
    db: &impl Db,
    project: ProjectId,
    member: MemberId,
    copies: u32,
) -> Result<(u64, bool), Error> {
    let select = format!(
        "SELECT (SELECT COUNT(*) FROM assignment
                 WHERE member_id = $2 AND state <> 'submitted' AND NOT {PUT_ASIDE}),
                (SELECT COUNT(*) FROM document WHERE document.project_id = $1 AND {HAS} < $3
                 AND {NOT_KNOWN})"
    );
    let values = [project.0.into(), member.0.into(), i64::from(copies).into()];
    let (open, left): (i64, i64) = sql::tuple(db, &select, values).await?.unwrap_or_default();
    Ok((sql::number(open)?, left > 0))
}

/// Gives somebody the next document in the order of import, so that the first are soon done twice and
/// which one it is tells nothing of what others have begun with. None if nothing is left for them.
/// Whoever draws at the same time waits: nobody gets a place that another has taken.
pub async fn draw(
    tx: &Tx,
    project: ProjectId,
    member: MemberId,
    copies: u32,
    due_at: Option<DateTime<Utc>>,
) -> Result<Option<AssignmentId>, Error> {
    let turn = "UPDATE pool SET drawn = drawn + 1 WHERE project_id = $1";
    sql::execute(tx, turn, [project.0.into()]).await?;
    let insert = format!(
        "INSERT INTO assignment (document_id, member_id, state, due_at)
         SELECT document.id, $2, 'open', $4 FROM document
         WHERE document.project_id = $1 AND {HAS} < $3 AND {NOT_KNOWN}
         ORDER BY document.id LIMIT 1
         RETURNING id"
    );
    let values = [project.0.into(), member.0.into(), i64::from(copies).into(), due_at.into()];
    let id: Option<i64> = sql::tuple(tx, &insert, values).await?;
    Ok(id.map(AssignmentId))
}
