//! Who moved a project's numbers by their work.

use domain::{AuditEvent, MemberId, Mover, ProjectId, Revision, Role};

use crate::base::prelude::*;

/// What moves a revision and is no work: somebody joins, or takes over what another has done.
const NO_WORK: [AuditEvent; 2] = [AuditEvent::Join, AuditEvent::ClaimWork];

/// The rater whose work moved a project's revision last, and when.
pub async fn last_move(
    db: &impl Db,
    project: ProjectId,
) -> Result<Option<(MemberId, DateTime<Utc>)>, Error> {
    // SQL: a join by two columns.
    sql::row(
        db,
        "SELECT member.id, audit.at
         FROM audit JOIN member
             ON member.project_id = audit.chain AND member.user_id = audit.user_id
         WHERE audit.chain = $1 AND audit.revision IS NOT NULL AND member.role <> $2
             AND audit.event NOT IN ($3, $4)
         ORDER BY audit.revision DESC LIMIT 1",
        [&[project.0.into(), Role::Manager.name().into()][..], &no_work()].concat(),
    )
    .await
}

/// The raters whose saves moved a project past `since`: who, how often, and when last; the latest
/// first.
pub async fn movers(
    db: &impl Db,
    project: ProjectId,
    since: Revision,
) -> Result<Vec<Mover>, Error> {
    // SQL: counts over a join by two columns.
    let rows = sql::rows(
        db,
        "SELECT member.id, COUNT(*), MAX(audit.at)
         FROM audit JOIN member
             ON member.project_id = audit.chain AND member.user_id = audit.user_id
         WHERE audit.chain = $1 AND audit.revision > $2 AND member.role <> $3
             AND audit.event NOT IN ($4, $5)
         GROUP BY member.id
         ORDER BY MAX(audit.revision) DESC",
        [&[project.0.into(), since.0.into(), Role::Manager.name().into()][..], &no_work()].concat(),
    )
    .await?;
    Ok(rows.into_iter().map(|(rater, saves, at)| Mover { rater, saves, at }).collect())
}

fn no_work() -> [Value; 2] {
    NO_WORK.map(|event| event.name().into())
}
