//! Who did what, when. Rows are only ever added, each chained to the one before it.

mod amend;
mod begin;
mod chain;
mod check;
mod heads;
mod moves;
mod notes;
mod restored;
mod rows;

use domain::{AuditEvent, ProjectId, Revision, UserId, saturating};

use self::chain::Link;
pub(in crate::outside) use self::{amend::of_person, notes::words as note_words};
pub use self::{
    amend::{Notes, erase, sign_anew},
    begin::begin,
    check::{Checked, check},
    heads::{Head, chains, heads},
    moves::{last_move, movers},
    restored::{Restored, is_left, leave, take_up},
    rows::{AuditEntry, Filter, list, people, stretch},
};
pub use crate::base::{
    refusals::{Refusals, Refused, Times},
    trail::{Mac, Signer, Trail},
};
use crate::{
    base::prelude::*,
    entity::audit::{ActiveModel, Column, Entity},
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
    append_all(tx, audit.project, &[audit]).await
}

/// Notes actions of one chain, in their order, with as many statements as one takes. [`Error::Duplicate`] if
/// another server has noted something at the same time, and the transaction is to be begun again; never for
/// a single action.
pub async fn append_all(
    tx: &Tx,
    project: Option<ProjectId>,
    audits: &[Audit],
) -> Result<(), Error> {
    // What has a revision has been refused by moving the project.
    let is_unrefused = |audit: &Audit| audit.revision.is_none() && audit.event.is_change();
    if let Some(project) = project
        && audits.iter().any(is_unrefused)
    {
        removal::refuse_archived(tx, project).await?;
    }
    let signer = tx.trail().signer()?;
    let chain = chain::chain_number(project);
    loop {
        let (mut place, mut mac) = last(tx, chain).await?.unwrap_or_default();
        let mut rows = Vec::with_capacity(audits.len());
        for audit in audits {
            place += 1;
            let row = signed(signer, (chain, place), audit, &mut mac);
            rows.push(row);
        }
        let taken = OnConflict::columns([Column::Chain, Column::Place]).do_nothing().to_owned();
        let count: u64 = saturating(rows.len());
        let added = sql::run(tx, Entity::insert_many(rows).on_conflict(taken)).await?;
        if added == count {
            return Ok(());
        }
        if added > 0 {
            // Another server has taken fewer places than are wanted here: these rows follow on nothing.
            return Err(Error::Duplicate("place"));
        }
        // Another server's transaction has taken the places and is through: after it, then.
    }
}

/// An action as a row at this place of a chain, signed with the signature of the row before, which becomes its
/// own.
fn signed(
    signer: &Signer,
    (chain, place): (i64, i64),
    audit: &Audit,
    mac: &mut Mac,
) -> ActiveModel {
    let mut detail = audit.detail.clone();
    let words = notes::take_out(audit.event, &mut detail);
    let detail = detail.to_string();
    let note = words.map(|words| notes::seal(signer, (chain, place), &words));
    let link = Link {
        chain,
        place,
        at: audit.at,
        user: audit.user.map(|user| user.0),
        event: audit.event.name(),
        subject: &audit.subject,
        detail: &detail,
        revision: audit.revision.map(|revision| revision.0),
        note: note.as_ref().map(|(_, mac)| *mac),
    };
    *mac = signer.sign(&link.bytes(mac));
    ActiveModel {
        chain: Set(chain),
        place: Set(place),
        at: Set(link.at),
        user_id: Set(link.user),
        event: Set(link.event.to_owned()),
        subject: Set(link.subject.to_owned()),
        revision: Set(link.revision),
        mac: Set(Some(mac.to_vec())),
        note_mac: Set(link.note.map(|mac| mac.to_vec())),
        note: Set(note.map(|(stored, _)| stored)),
        detail: Set(detail),
        ..Default::default()
    }
}

/// The last row of a chain: its place and its signature.
async fn last(db: &impl Db, chain: i64) -> Result<Option<(i64, Mac)>, Error> {
    let last = Entity::find()
        .select_only()
        .columns([Column::Place, Column::Mac])
        .filter(Column::Chain.eq(chain))
        .order_by_desc(Column::Place)
        .limit(1);
    let found = sql::one(db, last).await?;
    Ok(found.map(|(place, mac)| (place, chain::mac(mac))))
}
