//! What lies in a place of backups.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};

use crate::{Keep, Name, name::Kind};

/// What lies in a place of backups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    stored: BTreeSet<Name>,
    /// When those that have a manifest, and those with which there was a drill, were begun.
    finished: BTreeSet<DateTime<Utc>>,
    drilled: BTreeSet<DateTime<Utc>>,
    changes: BTreeMap<DateTime<Utc>, BTreeSet<u32>>,
}

/// Of how many of the last backups it is kept what has changed since: should the last not be good, the one
/// before leads as far.
const WITH_CHANGES: usize = 2;

impl Listing {
    /// What files there are by their names, as far as they concern backups.
    pub(crate) fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut listing = Self::default();
        for name in names {
            match Kind::of(name) {
                Some(Kind::Backup(name)) => drop(listing.stored.insert(name)),
                Some(Kind::Manifest(at)) => drop(listing.finished.insert(at)),
                Some(Kind::Drill(at)) => drop(listing.drilled.insert(at)),
                Some(Kind::Changes(at, number)) => {
                    listing.changes.entry(at).or_default().insert(number);
                }
                None => {}
            }
        }
        listing
    }

    /// The backups that were finished, the first first.
    pub fn backups(&self) -> impl DoubleEndedIterator<Item = Name> {
        self.stored.iter().copied().filter(|name| self.finished.contains(&name.at()))
    }

    /// The last of them.
    pub fn last(&self) -> Option<Name> {
        self.backups().next_back()
    }

    /// Those with which there was a drill.
    pub fn drilled(&self) -> impl DoubleEndedIterator<Item = Name> {
        self.backups().filter(|name| self.drilled.contains(&name.at()))
    }

    /// The numbers of what has changed since a backup, in order.
    pub(crate) fn changes(&self, name: Name) -> impl DoubleEndedIterator<Item = u32> {
        self.changes.get(&name.at()).into_iter().flatten().copied()
    }

    /// The backups since which nothing need be known any more.
    pub(crate) fn settled(&self) -> impl Iterator<Item = Name> {
        self.backups().rev().skip(WITH_CHANGES).filter(|name| self.changes.contains_key(&name.at()))
    }

    /// What is to be deleted by a rule: what it does not keep, and what was begun before the last and
    /// never finished. `proven` is the last backup of which a drill has made a database: it stays.
    pub(crate) fn superfluous(&self, keep: &Keep, proven: Option<Name>) -> Vec<Name> {
        let Some(last) = self.last() else { return Vec::new() };
        let mut kept = keep.kept(self.backups().map(Name::at));
        kept.extend(proven.map(Name::at));
        let mut superfluous = self.stored.clone();
        superfluous.retain(|name| name.at() < last.at() && !kept.contains(&name.at()));
        superfluous.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;
    use crate::Engine;

    #[test]
    fn only_what_was_finished_is_a_backup_and_what_was_proven_last_stays() {
        let first: DateTime<Utc> = "2026-11-01T00:00:00Z".parse().unwrap();
        let names: Vec<_> =
            (0..6).map(|n| Name::new(first + TimeDelta::hours(n), Engine::Sqlite)).collect();
        let [a, b, c, d, e, f] = names.as_slice() else { unreachable!() };
        // One was never finished, and one is being made.
        let mut files: Vec<_> = names.iter().map(ToString::to_string).collect();
        files.extend([a, b, d, e].map(|name| name.manifest()));
        files.extend([b.drill(), "notes.txt".to_owned()]);
        let listing = Listing::of(files.iter().map(String::as_str));
        assert_eq!(listing.backups().collect::<Vec<_>>(), [*a, *b, *d, *e]);
        assert_eq!(listing.last(), Some(*e));
        assert_eq!(listing.drilled().collect::<Vec<_>>(), [*b]);

        let keep = "2h".parse().unwrap();
        assert_eq!(listing.superfluous(&keep, Some(*b)), [*a, *c]);
        assert_eq!(listing.superfluous(&keep, None), [*a, *b, *c]);
        assert!(!listing.superfluous(&keep, None).contains(f), "it may be finished yet");
        assert_eq!(Listing::default().superfluous(&keep, None), []);

        let changes = [(a, 1), (b, 1), (b, 2), (d, 1), (e, 2), (e, 1)];
        files.extend(changes.map(|(name, number)| name.changes(number)));
        let listing = Listing::of(files.iter().map(String::as_str));
        assert_eq!(listing.changes(*e).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(listing.settled().collect::<Vec<_>>(), [*b, *a]);
    }
}
