//! What holds the rows of a chain together: each is signed with the signature of the one before it.

use chrono::{DateTime, Utc};
use domain::{ProjectId, saturating};

use crate::base::trail::Mac;

/// What every signed row begins with: the version of its form.
const FORM: &[u8] = b"concord audit 1";
const FORM_WITH_NOTE: &[u8] = b"concord audit 2";

/// The chain of what belongs to no project.
const SERVER: i64 = 0;

/// The number by which the rows of a project's chain, or of the server's, are stored.
pub(super) fn chain_number(project: Option<ProjectId>) -> i64 {
    project.map_or(SERVER, |project| project.0)
}

/// Whose chain has this number.
pub(super) fn project(number: i64) -> Option<ProjectId> {
    (number != SERVER).then_some(ProjectId(number))
}

/// A signature as it is stored; one that is missing or too short signs nothing.
pub(super) fn mac(stored: Option<Vec<u8>>) -> Mac {
    stored.and_then(|bytes| bytes.try_into().ok()).unwrap_or_default()
}

/// A row, as it stands in its chain.
pub(super) struct Link<'a> {
    pub(super) chain: i64,
    /// Counted from 1.
    pub(super) place: i64,
    pub(super) at: DateTime<Utc>,
    pub(super) user: Option<i64>,
    pub(super) event: &'a str,
    pub(super) subject: &'a str,
    pub(super) detail: &'a str,
    pub(super) revision: Option<i64>,
    /// What covers the note beside it.
    pub(super) note: Option<Mac>,
}

impl Link<'_> {
    /// What is signed: everything that the row says, where it stands, and the signature of the row
    /// before. No two rows have the same bytes: every text comes after its length.
    pub(super) fn bytes(&self, before: &Mac) -> Vec<u8> {
        let mut bytes = if self.note.is_some() { FORM_WITH_NOTE } else { FORM }.to_vec();
        bytes.extend(self.note.iter().flatten());
        for number in [self.chain, self.place, self.at.timestamp_micros()] {
            bytes.extend(number.to_be_bytes());
        }
        bytes.extend(before);
        for number in [self.user, self.revision] {
            bytes.push(u8::from(number.is_some()));
            bytes.extend(number.unwrap_or_default().to_be_bytes());
        }
        for text in [self.event, self.subject, self.detail] {
            let length = saturating::<u64>(text.len());
            bytes.extend(length.to_be_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn rows_that_differ_in_anything_have_other_bytes() {
        let link = || Link {
            chain: 1,
            place: 2,
            at: DateTime::UNIX_EPOCH,
            user: Some(0),
            event: "join",
            subject: "member 3",
            detail: "{}",
            revision: Some(4),
            note: None,
        };
        let later = DateTime::UNIX_EPOCH + chrono::TimeDelta::microseconds(1);
        let before = [0; 32];
        let all: BTreeSet<_> = [
            link().bytes(&before),
            link().bytes(&[1; 32]),
            Link { chain: 2, place: 1, ..link() }.bytes(&before),
            Link { at: later, ..link() }.bytes(&before),
            Link { user: None, ..link() }.bytes(&before),
            Link { event: "joi", subject: "nmember 3", ..link() }.bytes(&before),
            Link { subject: "member 3{}", detail: "", ..link() }.bytes(&before),
            Link { revision: Some(0), ..link() }.bytes(&before),
            Link { revision: None, ..link() }.bytes(&before),
            Link { note: Some([0; 32]), ..link() }.bytes(&before),
            Link { note: Some([1; 32]), ..link() }.bytes(&before),
        ]
        .into();
        assert_eq!(all.len(), 11);
    }
}
