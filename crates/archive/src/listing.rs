//! What lies in a place of backups.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};

use crate::{
    Keep, Lineage, Name,
    name::{Kind, Stem},
};

/// What lies in a place of backups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    stored: BTreeSet<Name>,
    /// Those that have a manifest, and those with which there was a drill.
    finished: BTreeSet<Stem>,
    drilled: BTreeSet<Stem>,
    changes: BTreeMap<Stem, BTreeSet<u32>>,
}

/// Of how many of the last backups it is kept what has changed since: should the last not be good, the one
/// before leads as far.
const WITH_CHANGES: usize = 2;

/// What is younger is never deleted: whoever finds out that something went wrong today has it yet.
const YOUNG: TimeDelta = TimeDelta::hours(48);

/// By how much the clock of another server may be ahead.
const AHEAD: TimeDelta = TimeDelta::minutes(10);

impl Listing {
    /// What files there are by their names, as far as they concern backups.
    pub(crate) fn of<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let mut listing = Self::default();
        for name in names {
            match Kind::of(name) {
                Some(Kind::Backup(name)) => drop(listing.stored.insert(name)),
                Some(Kind::Manifest(stem)) => drop(listing.finished.insert(stem)),
                Some(Kind::Drill(stem)) => drop(listing.drilled.insert(stem)),
                Some(Kind::Changes(stem, number)) => {
                    listing.changes.entry(stem).or_default().insert(number);
                }
                None => {}
            }
        }
        listing
    }

    /// What of it is of one database, and not from a time that is still to come: a clock that was wrong
    /// has no say in what is due and what is deleted.
    #[must_use]
    pub fn of_database(mut self, lineage: Lineage, now: DateTime<Utc>) -> Self {
        self.stored.retain(|name| name.lineage() == lineage && name.at() <= now + AHEAD);
        self
    }

    /// Those of one database whose names say a time that is still to come.
    pub fn ahead(&self, lineage: Lineage, now: DateTime<Utc>) -> impl Iterator<Item = Name> {
        self.stored
            .iter()
            .copied()
            .filter(move |name| name.lineage() == lineage && name.at() > now + AHEAD)
    }

    /// Whether there are backups, and none is of this database.
    pub fn is_foreign_to(&self, lineage: Lineage) -> bool {
        let mut backups = self.backups().peekable();
        backups.peek().is_some() && backups.all(|name| name.lineage() != lineage)
    }

    /// The last backup of each database.
    pub fn last_of_each(&self) -> Vec<Name> {
        let last: BTreeMap<_, _> = self.backups().map(|name| (name.lineage(), name)).collect();
        last.into_values().collect()
    }

    /// The backups that were finished, the first first.
    pub fn backups(&self) -> impl DoubleEndedIterator<Item = Name> {
        self.stored.iter().copied().filter(|name| self.finished.contains(&name.stem()))
    }

    /// Whether something of this name is stored, finished or not.
    pub fn is_stored(&self, name: Name) -> bool {
        self.stored.contains(&name)
    }

    /// The last of the backups.
    pub fn last(&self) -> Option<Name> {
        self.backups().next_back()
    }

    /// Those with which there was a drill.
    pub fn drilled(&self) -> impl DoubleEndedIterator<Item = Name> {
        self.backups().filter(|name| self.drilled.contains(&name.stem()))
    }

    /// The numbers of what has changed since a backup, in order.
    pub(crate) fn changes(&self, name: Name) -> impl DoubleEndedIterator<Item = u32> {
        self.changes.get(&name.stem()).into_iter().flatten().copied()
    }

    /// The backups since which nothing need be known any more.
    pub(crate) fn settled(&self, now: DateTime<Utc>) -> impl Iterator<Item = Name> {
        self.backups()
            .rev()
            .skip(WITH_CHANGES)
            .filter(move |name| self.changes.contains_key(&name.stem()) && name.at() + YOUNG <= now)
    }

    /// What is to be deleted by a rule: what it does not keep, and what was begun before the last and
    /// never finished, once it is not young any more. `proven` is the last backup of which a drill has
    /// made a database: it stays.
    pub(crate) fn superfluous(
        &self,
        keep: &Keep,
        proven: Option<Name>,
        now: DateTime<Utc>,
    ) -> Vec<Name> {
        let Some(last) = self.last() else { return Vec::new() };
        let mut kept = keep.kept(self.backups().map(Name::at));
        kept.extend(proven.map(Name::at));
        let mut superfluous = self.stored.clone();
        superfluous.retain(|name| {
            name.at() < last.at() && name.at() + YOUNG <= now && !kept.contains(&name.at())
        });
        superfluous.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Engine;

    const OURS: u64 = 1;
    const THEIRS: u64 = 2;

    fn first() -> DateTime<Utc> {
        "2026-11-01T00:00:00Z".parse().unwrap()
    }

    fn name(hour: i64, lineage: u64) -> Name {
        Name::new(first() + TimeDelta::hours(hour), Lineage::from(lineage), Engine::Sqlite)
    }

    fn listing(files: &[String]) -> Listing {
        Listing::of(files.iter().map(String::as_str))
    }

    #[test]
    fn only_what_was_finished_is_a_backup_and_what_was_proven_last_stays() {
        let names: Vec<_> = (0..6).map(|n| name(n, OURS)).collect();
        let [n0, n1, n2, n3, n4, n5] = names.as_slice() else { unreachable!() };
        // One was never finished, and one is being made.
        let mut files: Vec<_> = names.iter().map(ToString::to_string).collect();
        files.extend([n0, n1, n3, n4].map(|name| name.manifest()));
        files.extend([n1.drill(), "notes.txt".to_owned()]);
        let found = listing(&files);
        assert_eq!(found.backups().collect::<Vec<_>>(), [*n0, *n1, *n3, *n4]);
        assert_eq!(found.last(), Some(*n4));
        assert_eq!(found.drilled().collect::<Vec<_>>(), [*n1]);

        let (keep, later) = ("2h".parse().unwrap(), first() + TimeDelta::days(9));
        assert_eq!(found.superfluous(&keep, Some(*n1), later), [*n0, *n2]);
        assert_eq!(found.superfluous(&keep, None, later), [*n0, *n1, *n2]);
        assert!(!found.superfluous(&keep, None, later).contains(n5), "it may be finished yet");
        assert_eq!(Listing::default().superfluous(&keep, None, later), []);

        let changes = [(n0, 1), (n1, 1), (n1, 2), (n3, 1), (n4, 2), (n4, 1)];
        files.extend(changes.map(|(name, number)| name.changes(number)));
        let found = listing(&files);
        assert_eq!(found.changes(*n4).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(found.settled(later).collect::<Vec<_>>(), [*n1, *n0]);
    }

    #[test]
    fn what_is_younger_than_two_days_is_never_deleted() {
        let names: Vec<_> = (0..72).map(|n| name(n, OURS)).collect();
        let files: Vec<_> =
            names.iter().flat_map(|name| [name.to_string(), name.manifest()]).collect();
        let now = first() + TimeDelta::hours(72);
        let superfluous = listing(&files).superfluous(&"1d".parse().unwrap(), None, now);
        assert_eq!(superfluous, names[..=24]);
    }

    #[test]
    fn another_database_and_a_clock_that_is_ahead_have_no_say() {
        let (ours, theirs, ahead) = (name(0, OURS), name(1, THEIRS), name(24 * 400, OURS));
        let files: Vec<_> = [ours, theirs, ahead]
            .iter()
            .flat_map(|name| [name.to_string(), name.manifest()])
            .collect();
        let (all, now) = (listing(&files), first() + TimeDelta::days(30));
        let known = all.clone().of_database(Lineage::from(OURS), now);
        assert_eq!(known.backups().collect::<Vec<_>>(), [ours]);
        assert_eq!(known.superfluous(&"1h".parse().unwrap(), None, now), []);
        assert_eq!(all.ahead(Lineage::from(OURS), now).collect::<Vec<_>>(), [ahead]);
        assert_eq!(all.last_of_each(), [ahead, theirs]);
        assert!(!all.is_foreign_to(Lineage::from(OURS)));
        assert!(all.is_foreign_to(Lineage::from(3)));
        assert!(!Listing::default().is_foreign_to(Lineage::from(3)));
    }
}
