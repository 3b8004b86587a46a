//! Reading the trail, as it is stored.

use domain::{AuditEvent, ProjectId, Revision, UserId, saturating};

use super::{
    chain::{self, Link},
    notes,
};
use crate::{
    account::users,
    base::prelude::*,
    entity::audit::{Column, Entity},
};

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

/// Rows with the names of whoever acted.
pub(super) fn entries() -> Select<Entity> {
    Entity::find().column_as(users::name_of(Column::UserId), "by")
}

/// The latest rows of a project's chain, or of the server's, latest first.
pub async fn list(
    db: &impl Db,
    project: Option<ProjectId>,
    filter: &Filter,
    limit: u64,
) -> Result<Vec<AuditEntry>, Error> {
    let rows = entries()
        .filter(Column::Chain.eq(chain::chain_number(project)))
        .apply_if(filter.user, |rows, user| rows.filter(Column::UserId.eq(user.0)))
        .apply_if(filter.event, |rows, event| rows.filter(Column::Event.eq(event.name())))
        .apply_if(filter.since, |rows, since| rows.filter(Column::At.gte(since)))
        .apply_if(filter.until, |rows, until| rows.filter(Column::At.lt(until)))
        .apply_if(filter.before, |rows, before| rows.filter(Column::Place.lt(before)))
        .order_by_desc(Column::Place)
        .limit(limit);
    sql::all(db, rows).await
}

/// The rows of a chain that stand after this place, or from its beginning, first row first.
pub async fn stretch(
    db: &impl Db,
    project: Option<ProjectId>,
    after: Option<i64>,
    limit: usize,
) -> Result<Vec<AuditEntry>, Error> {
    let rows = entries()
        .filter(Column::Chain.eq(chain::chain_number(project)))
        .apply_if(after, |rows, after| rows.filter(Column::Place.gt(after)))
        .order_by_asc(Column::Place)
        .limit(saturating::<u64>(limit));
    sql::all(db, rows).await
}

read_by_columns! {
    AuditEntry { place, user: user_id, by, at, event, subject, detail, revision, mac: (or_none), note, note_mac: (or_none), amended: (or_none) }
}

/// Everybody who has done something in a project's chain, or in the server's, by name: at most
/// `limit`. It looks once into an index for each of them, not at their rows.
pub async fn people(
    db: &impl Db,
    project: Option<ProjectId>,
    limit: u64,
) -> Result<Vec<(UserId, String)>, Error> {
    // SQL: a recursive `WITH`.
    sql::rows(
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
        [chain::chain_number(project).into(), sql::signed(limit).into()],
    )
    .await
}
