//! Who did what, when. Rows are only ever added.

use chrono::{DateTime, Utc};
use domain::{AuditEvent, MemberId, Mover, ProjectId, Revision, Role, UserId};
use sea_orm::{ActiveValue::Set, EntityTrait, FromQueryResult, prelude::*};

use crate::{
    Db, Error, Tx,
    db::Connected,
    entity::audit::{self, Entity},
    removal, sql,
};

/// An action to note.
#[derive(Clone, Debug)]
pub struct Audit {
    /// None for actions outside any project.
    pub project: Option<ProjectId>,
    /// None for what the server did by itself.
    pub user: Option<UserId>,
    pub at: DateTime<Utc>,
    pub event: AuditEvent,
    /// What it was done to.
    pub subject: String,
    pub detail: serde_json::Value,
    /// The project's revision that it led to.
    pub revision: Option<Revision>,
}

/// An action that was noted.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEntry {
    pub user: Option<UserId>,
    /// The person's name.
    pub by: Option<String>,
    pub at: DateTime<Utc>,
    /// The event's name, as it is stored.
    pub event: String,
    pub subject: String,
    pub detail: serde_json::Value,
    pub revision: Option<Revision>,
}

/// Notes an action. What changes an archived project is refused here at the latest, and nothing of
/// it stays: every change of a project is noted in its transaction.
pub async fn append(tx: &Tx, audit: Audit) -> Result<(), Error> {
    // What has a revision has been refused by moving the project.
    if let (Some(project), None, true) = (audit.project, audit.revision, audit.event.is_change()) {
        removal::refuse_archived(tx, project).await?;
    }
    let row = audit::ActiveModel {
        project_id: Set(audit.project.map(|project| project.0)),
        user_id: Set(audit.user.map(|user| user.0)),
        at: Set(audit.at),
        action: Set(audit.event.name().to_owned()),
        subject: Set(audit.subject),
        detail: Set(audit.detail.to_string()),
        revision: Set(audit.revision.map(|revision| revision.0)),
        ..Default::default()
    };
    Entity::insert(row).exec_without_returning(tx.connection()).await?;
    Ok(())
}

#[derive(FromQueryResult)]
struct Row {
    user_id: Option<i64>,
    by: Option<String>,
    at: DateTimeUtc,
    action: String,
    subject: String,
    detail: String,
    revision: Option<i64>,
}

/// A project's latest actions, latest first.
pub async fn list(db: &impl Db, project: ProjectId, limit: u64) -> Result<Vec<AuditEntry>, Error> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = sql::rows::<Row, _>(
        db,
        "SELECT audit.user_id, user_account.name AS by, audit.at, audit.action, audit.subject,
                audit.detail, audit.revision
         FROM audit LEFT JOIN user_account ON user_account.id = audit.user_id
         WHERE audit.project_id = $1
         ORDER BY audit.id DESC LIMIT $2",
        [project.0.into(), limit.into()],
    )
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(AuditEntry {
                user: row.user_id.map(UserId),
                by: row.by,
                at: row.at,
                event: row.action,
                subject: row.subject,
                detail: serde_json::from_str(&row.detail).map_err(Error::unreadable)?,
                revision: row.revision.map(Revision),
            })
        })
        .collect()
}

/// The rater who moved a project's revision last, and when.
pub async fn last_move(
    db: &impl Db,
    project: ProjectId,
) -> Result<Option<(MemberId, DateTime<Utc>)>, Error> {
    let row: Option<(i64, DateTimeUtc)> = sql::tuple(
        db,
        "SELECT member.id, audit.at
         FROM audit JOIN member
             ON member.project_id = audit.project_id AND member.user_id = audit.user_id
         WHERE audit.project_id = $1 AND audit.revision IS NOT NULL AND member.role <> $2
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
             ON member.project_id = audit.project_id AND member.user_id = audit.user_id
         WHERE audit.project_id = $1 AND audit.revision > $2 AND member.role <> $3
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
