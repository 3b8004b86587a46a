//! The proof that nobody has changed, removed, added or moved a row of the trail.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::ProjectId;

use super::{
    AuditEntry, Mac, Signer,
    amend::{Standing, standing},
    chain, stretch,
};
use crate::{Db, Error};

/// How many rows are looked at between two looks into the database.
const STRETCH: usize = 1000;

/// How many problems of a chain are told one by one.
const TOLD: usize = 20;

/// What a check of a chain found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub rows: u64,
    /// Of those, the ones whose note was erased.
    pub erased: u64,
    /// Of those, the ones that hold by a later signature than their first.
    pub amended: u64,
    /// When its first row was noted.
    pub since: Option<DateTime<Utc>>,
    /// What is wrong, one sentence each; empty if all is right.
    pub problems: Vec<String>,
}

/// Reads a chain from its beginning to its end, a stretch at a time, and holds it against `heads`:
/// the signatures that were told to the outside, by their places.
pub async fn check(
    db: &impl Db,
    project: Option<ProjectId>,
    signer: &Signer,
    heads: &BTreeMap<i64, Mac>,
) -> Result<Checked, Error> {
    let mut walk = Walk {
        chain: chain::chain_number(project),
        signer,
        heads,
        before: Mac::default(),
        last: None,
        found: Checked { rows: 0, erased: 0, amended: 0, since: None, problems: Vec::new() },
        untold: 0,
    };
    loop {
        // A value that is no value of its column is somebody's doing, too.
        let rows = match stretch(db, project, walk.last, STRETCH).await {
            Ok(rows) => rows,
            Err(error) => {
                let after = walk.last.unwrap_or_default();
                walk.tell(format!("what comes after row {after} cannot be read: {error}"));
                break;
            }
        };
        for row in &rows {
            walk.step(row);
        }
        if rows.len() < STRETCH {
            break;
        }
    }
    Ok(walk.end())
}

struct Walk<'a> {
    chain: i64,
    signer: &'a Signer,
    heads: &'a BTreeMap<i64, Mac>,
    /// The signature of the last row, as it is stored: one wrong row is told once.
    before: Mac,
    /// The last row's place.
    last: Option<i64>,
    found: Checked,
    untold: u64,
}

impl Walk<'_> {
    fn step(&mut self, row: &AuditEntry) {
        let expected = self.last.map_or(1, |last| last.saturating_add(1));
        let place = row.place;
        if place > expected {
            self.tell(match place.saturating_sub(1) {
                end if end == expected => format!("row {expected} is missing"),
                end => format!("rows {expected} to {end} are missing"),
            });
        } else if place < expected {
            self.tell(format!("row {place} stands before the beginning"));
        }
        let is_signed = !row.mac.is_empty();
        // After a gap nothing is known of the row before: the gap is told already.
        if !is_signed {
            self.tell(format!("row {place} is not signed"));
        } else if place <= expected {
            match standing(row, self.chain, self.signer, &self.before) {
                Standing::Signed => {}
                Standing::Amended => self.found.amended += 1,
                Standing::NoteChanged => {
                    self.tell(format!("what is noted beside row {place} was changed or removed"));
                }
                Standing::Changed => {
                    self.tell(format!("row {place} was changed, or does not belong here"));
                }
            }
        }
        self.found.erased += u64::from(row.is_erased());
        self.before = chain::mac(Some(row.mac.clone()));
        if self.heads.get(&place).is_some_and(|head| *head != self.before) {
            self.tell(format!("row {place} is another than the exported head says"));
        }
        self.found.since = self.found.since.or(Some(row.at));
        self.found.rows += 1;
        self.last = Some(place);
    }

    fn end(mut self) -> Checked {
        let last = self.last.unwrap_or_default();
        if let Some((head, _)) = self.heads.last_key_value()
            && *head > last
        {
            self.tell(format!(
                "the end is cut off: a head at row {head} was exported, and the last row is {last}"
            ));
        }
        if self.untold > 0 {
            self.found.problems.push(format!("and {} more", self.untold));
        }
        self.found
    }

    fn tell(&mut self, problem: String) {
        if self.found.problems.len() < TOLD {
            self.found.problems.push(problem);
        } else {
            self.untold += 1;
        }
    }
}
