//! Reading the trail, as it is stored.

use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use domain::{AuditEvent, ProjectId, Revision, UserId};
use sea_orm::{FromQueryResult, Value, prelude::DateTimeUtc};

use super::{
    chain::{self, Link},
    notes,
};
use crate::{Db, Error, base::sql};

/// An action that was noted.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditEntry {
    /// Where it stands in its chain, counted from 1.
    pub place: i64,
    pub user: Option<UserId>,
    /// The person's name.
    pub by: Option<String>,
    pub at: DateTime<Utc>,
    /// The event's name, as it is stored.
    pub event: String,
    pub subject: String,
    /// JSON, as it is stored.
    pub detail: String,
    pub revision: Option<Revision>,
    /// What signs it; empty if nothing does.
    pub mac: Vec<u8>,
    /// What is personal about it, after its salt.
    pub(super) note: Option<String>,
    /// What covers the note; empty if there never was one.
    pub(super) note_mac: Vec<u8>,
    /// What signs it as it was amended later; empty if it was not.
    pub(super) amended: Vec<u8>,
}

impl AuditEntry {
    /// What is personal about it: a JSON object.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref().map(notes::words)
    }

    /// Whether there was something personal about it that was erased.
    pub const fn is_erased(&self) -> bool {
        self.note.is_none() && !self.note_mac.is_empty()
    }

    /// What is signed of it, as a row of this chain.
    pub(super) fn link(&self, chain: i64) -> Link<'_> {
        Link {
            chain,
            place: self.place,
            at: self.at,
            user: self.user.map(|user| user.0),
            event: &self.event,
            subject: &self.subject,
            detail: &self.detail,
            revision: self.revision.map(|revision| revision.0),
            note: (!self.note_mac.is_empty()).then(|| chain::mac(Some(self.note_mac.clone()))),
        }
    }
}

/// Which rows of a chain are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub user: Option<UserId>,
    pub event: Option<AuditEvent>,
    /// From this moment on.
    pub since: Option<DateTime<Utc>>,
    /// Up to, and without, this moment.
    pub until: Option<DateTime<Utc>>,
    /// Those that stand before this place.
    pub before: Option<i64>,
}

#[derive(FromQueryResult)]
pub(super) struct Row {
    place: i64,
    user_id: Option<i64>,
    by: Option<String>,
    at: DateTimeUtc,
    event: String,
    subject: String,
    detail: String,
    revision: Option<i64>,
    mac: Option<Vec<u8>>,
    note: Option<String>,
    note_mac: Option<Vec<u8>>,
    amended: Option<Vec<u8>>,
}

/// What is read of a row.
pub(super) const COLUMNS: &str = "audit.place, audit.user_id, user_account.name AS by, audit.at,
    audit.event, audit.subject, audit.detail, audit.revision, audit.mac, audit.note, audit.note_mac,
    audit.amended";

/// Where it is read from.
pub(super) const FROM: &str =
    "FROM audit LEFT JOIN user_account ON user_account.id = audit.user_id";

/// The latest rows of a project's chain, or of the server's, latest first.
pub async fn list(
    db: &impl Db,
    project: Option<ProjectId>,
    filter: &Filter,
    limit: u64,
) -> Result<Vec<AuditEntry>, Error> {
    let mut values: Vec<Value> =
        vec![chain::number(project).into(), i64::try_from(limit).unwrap_or(i64::MAX).into()];
    let mut wanted = String::new();
    for (condition, value) in [
        ("user_id =", filter.user.map(|user| user.0.into())),
        ("event =", filter.event.map(|event| event.name().into())),
        ("at >=", filter.since.map(Value::from)),
        ("at <", filter.until.map(Value::from)),
        ("place <", filter.before.map(Value::from)),
    ] {
        if let Some(value) = value {
            values.push(value);
            let _infallible = write!(wanted, " AND audit.{condition} ${}", values.len());
        }
    }
    let select = format!(
        "SELECT {COLUMNS} {FROM} WHERE audit.chain = $1{wanted} ORDER BY audit.place DESC LIMIT $2"
    );
    let rows = sql::rows::<Row, _>(db, &select, values).await?;
    Ok(rows.into_iter().map(entry).collect())
}

/// The rows of a chain that stand after this place, or from its beginning, first row first.
pub async fn stretch(
    db: &impl Db,
    project: Option<ProjectId>,
    after: Option<i64>,
    limit: usize,
) -> Result<Vec<AuditEntry>, Error> {
    let after = after.map_or_else(String::new, |after| format!(" AND audit.place > {after}"));
    let select = format!(
        "SELECT {COLUMNS} {FROM} WHERE audit.chain = $1{after} ORDER BY audit.place LIMIT {limit}"
    );
    let rows = sql::rows::<Row, _>(db, &select, [chain::number(project).into()]).await?;
    Ok(rows.into_iter().map(entry).collect())
}

pub(super) fn entry(row: Row) -> AuditEntry {
    AuditEntry {
        place: row.place,
        user: row.user_id.map(UserId),
        by: row.by,
        at: row.at,
        event: row.event,
        subject: row.subject,
        detail: row.detail,
        revision: row.revision.map(Revision),
        mac: row.mac.unwrap_or_default(),
        note: row.note,
        note_mac: row.note_mac.unwrap_or_default(),
        amended: row.amended.unwrap_or_default(),
    }
}

/// Everybody who has done something in a project's chain, or in the server's, by name: at most
/// `limit`. It looks once into an index for each of them, not at their rows.
pub async fn people(
    db: &impl Db,
    project: Option<ProjectId>,
    limit: u64,
) -> Result<Vec<(UserId, String)>, Error> {
    let rows: Vec<(i64, String)> = sql::tuples(
        db,
        "WITH RECURSIVE seen(id) AS (
             SELECT (SELECT MIN(user_id) FROM audit WHERE chain = $1)
             UNION ALL
             SELECT (SELECT MIN(user_id) FROM audit WHERE chain = $1 AND user_id > seen.id)
             FROM seen WHERE seen.id IS NOT NULL
         )
         SELECT user_account.id, user_account.name
         FROM seen JOIN user_account ON user_account.id = seen.id
         ORDER BY user_account.name, user_account.id LIMIT $2",
        [chain::number(project).into(), i64::try_from(limit).unwrap_or(i64::MAX).into()],
    )
    .await?;
    Ok(rows.into_iter().map(|(id, name)| (UserId(id), name)).collect())
}
