//! Who moved a project's numbers.

use chrono::{DateTime, Utc};
use domain::{MemberId, Mover, ProjectId, Revision, Role};
use sea_orm::prelude::DateTimeUtc;

use crate::{Db, Error, base::sql};

/// The rater who moved a project's revision last, and when.
pub async fn last_move(
    db: &impl Db,
    project: ProjectId,
) -> Result<Option<(MemberId, DateTime<Utc>)>, Error> {
    let row: Option<(i64, DateTimeUtc)> = sql::tuple(
        db,
        "SELECT member.id, audit.at
         FROM audit JOIN member
             ON member.project_id = audit.chain AND member.user_id = audit.user_id
         WHERE audit.chain = $1 AND audit.revision IS NOT NULL AND member.role <> $2
         ORDER BY audit.revision DESC LIMIT 1",
        [project.0.into(), Role::Manager.name().into()],
    )
    .await?;
    Ok(row.map(|(rater, at)| (MemberId(rater), at)))
}

/// The raters whose saves moved a project past `since`: who, how often, and when last; the latest
/// first.
pub async fn movers(
    db: &impl Db,
    project: ProjectId,
    since: Revision,
) -> Result<Vec<Mover>, Error> {
    let rows: Vec<(i64, i64, DateTimeUtc)> = sql::tuples(
        db,
        "SELECT member.id, COUNT(*), MAX(audit.at)
         FROM audit JOIN member
             ON member.project_id = audit.chain AND member.user_id = audit.user_id
         WHERE audit.chain = $1 AND audit.revision > $2 AND member.role <> $3
         GROUP BY member.id
         ORDER BY MAX(audit.revision) DESC",
        [project.0.into(), since.0.into(), Role::Manager.name().into()],
    )
    .await?;
    rows.into_iter()
        .map(|(rater, saves, at)| {
            let saves = u64::try_from(saves).map_err(Error::unreadable)?;
            Ok(Mover { rater: MemberId(rater), saves, at })
        })
        .collect()
}
