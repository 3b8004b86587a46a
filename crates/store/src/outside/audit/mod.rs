//! Who did what, when. Rows are only ever added, each chained to the one before it.

mod amend;
mod begin;
mod chain;
mod check;
mod heads;
mod moves;
mod notes;
mod refusals;
mod restored;
mod rows;
mod trail;

use chrono::{DateTime, Utc};
use domain::{AuditEvent, ProjectId, Revision, UserId};
use sea_orm::Value;

use self::chain::Link;
pub use self::{
    amend::{Notes, erase, sign_anew},
    begin::begin,
    chain::{Mac, Signer},
    check::{Checked, check},
    heads::{Head, chains, heads},
    moves::{last_move, movers},
    refusals::{Refusals, Refused, Times, known},
    restored::{Restored, is_left, leave, take_up},
    rows::{AuditEntry, Filter, list, people, stretch},
    trail::Trail,
};
use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    project::removal,
};

/// An action to note. People and things stand in it by their ids, never by their names. What is
/// personal nevertheless ([`AuditEvent::personal`]) is noted beside it, and can be erased.
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

/// Notes an action at the end of its project's chain, or of the server's: one small read and one
/// insert. In a transaction that writes to both, the server's comes last, so that no two wait for
/// each other. What changes an archived project is refused here at the latest, and nothing of it
/// stays: every change of a project is noted in its transaction.
pub async fn append(tx: &Tx, audit: Audit) -> Result<(), Error> {
    // What has a revision has been refused by moving the project.
    if let (Some(project), None, true) = (audit.project, audit.revision, audit.event.is_change()) {
        removal::refuse_archived(tx, project).await?;
    }
    let signer = tx.trail().signer()?;
    let chain = chain::number(audit.project);
    let mut detail = audit.detail;
    let words = notes::take_out(audit.event, &mut detail);
    let detail = detail.to_string();
    let mut link = Link {
        chain,
        place: 0,
        at: audit.at,
        user: audit.user.map(|user| user.0),
        event: audit.event.name(),
        subject: &audit.subject,
        detail: &detail,
        revision: audit.revision.map(|revision| revision.0),
        note: None,
    };
    loop {
        let (last, before) = last(tx, chain).await?.unwrap_or_default();
        link.place = last + 1;
        let note = words.as_ref().map(|words| notes::seal(signer, (chain, link.place), words));
        link.note = note.as_ref().map(|(_, mac)| *mac);
        let mac = signer.sign(&link.bytes(&before));
        let values: [Value; 11] = [
            chain.into(),
            link.place.into(),
            link.at.into(),
            link.user.into(),
            link.event.into(),
            link.subject.into(),
            link.detail.into(),
            link.revision.into(),
            mac.to_vec().into(),
            note.map(|(stored, _)| stored).into(),
            link.note.map(|mac| mac.to_vec()).into(),
        ];
        let added = sql::execute(
            tx,
            "INSERT INTO audit (chain, place, at, user_id, event, subject, detail, revision, mac,
                 note, note_mac)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
             ON CONFLICT (chain, place) DO NOTHING",
            values,
        )
        .await?;
        if added > 0 {
            return Ok(());
        }
        // Another server's transaction has taken the place and is through: after it, then.
    }
}

/// The last row of a chain: its place and its signature.
async fn last(db: &impl Db, chain: i64) -> Result<Option<(i64, Mac)>, Error> {
    let found: Option<(i64, Option<Vec<u8>>)> = sql::tuple(
        db,
        "SELECT place, mac FROM audit WHERE chain = $1 ORDER BY place DESC LIMIT 1",
        [chain.into()],
    )
    .await?;
    Ok(found.map(|(place, mac)| (place, chain::mac(mac))))
}
