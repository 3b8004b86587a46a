//! Which imports nobody carries out any more: those of which nothing has been heard for a while.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use domain::ImportId;
use store::document::unended_imports::Unended;

/// How long nothing has to be heard of an import for it to be abandoned: whoever is at it says so every few
/// seconds.
const ABANDONED_AFTER: TimeDelta = TimeDelta::seconds(30);

/// How many times nothing has to be heard of it, too: a machine that has slept finds that time has passed, and
/// whoever is at the import has not had any.
const LOOKS: u8 = 3;

/// How long the import of a server that never says whether it is at it may take: one of a version before.
const SILENT_FOR: TimeDelta = TimeDelta::hours(6);

/// What was heard of imports. Clocks of servers may differ, so that each judges by its own.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    heard: HashMap<ImportId, Heard>,
}

/// When somebody said last that they are at an import, since when it has been known here that they did, and
/// how many times it was looked.
#[derive(Clone, Copy, Debug)]
struct Heard {
    alive_at: Option<DateTime<Utc>>,
    since: DateTime<Utc>,
    looks: u8,
}

impl Watch {
    /// Those of the imports that have not ended that nobody is at any more.
    pub(super) fn abandoned(&mut self, unended: Vec<Unended>, now: DateTime<Utc>) -> Vec<Unended> {
        let before = std::mem::take(&mut self.heard);
        let mut abandoned = Vec::new();
        for found in unended {
            let new = Heard { alive_at: found.alive_at, since: now, looks: 0 };
            let before = before.get(&found.import).filter(|it| it.alive_at == found.alive_at);
            let Heard { since, looks, .. } = *before.unwrap_or(&new);
            let looks = looks.saturating_add(1);
            self.heard.insert(found.import, Heard { since, looks, ..new });
            let is_abandoned = match found.alive_at {
                Some(_) => looks >= LOOKS && now - since >= ABANDONED_AFTER,
                None => now - found.made_at >= SILENT_FOR,
            };
            if is_abandoned {
                abandoned.push(found);
            }
        }
        abandoned
    }
}

#[cfg(test)]
mod tests {
    use domain::ProjectId;

    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::seconds(second)
    }

    fn import(alive_at: Option<i64>) -> Vec<Unended> {
        let (project, import) = (ProjectId(1), ImportId(2));
        let (made_at, alive_at) = (at(0), alive_at.map(at));
        vec![Unended { project, import, made_at, alive_at, is_decided: false }]
    }

    #[test]
    fn an_import_is_abandoned_once_the_same_was_heard_of_it_for_a_while_by_the_clock_here() {
        let mut watch = Watch::default();
        // The clock of the other server is days behind, or ahead.
        for other in [-1_000_000, 1_000_000] {
            for here in (0..200).step_by(10) {
                assert!(
                    watch.abandoned(import(Some(other + here)), at(here)).is_empty(),
                    "it goes on"
                );
            }
            assert!(watch.abandoned(import(Some(other + 190)), at(200)).is_empty());
            assert!(watch.abandoned(import(Some(other + 190)), at(219)).is_empty());
            assert_eq!(watch.abandoned(import(Some(other + 190)), at(220)).len(), 1);
        }
        // The machine has slept.
        let slept = at(100_000);
        assert!(watch.abandoned(import(Some(191)), at(225)).is_empty());
        assert!(watch.abandoned(import(Some(191)), slept).is_empty());
        assert_eq!(watch.abandoned(import(Some(191)), slept).len(), 1);
        assert!(watch.abandoned(Vec::new(), at(230)).is_empty());
        assert!(watch.abandoned(import(Some(0)), at(240)).is_empty(), "it was forgotten");
    }

    #[test]
    fn who_never_says_that_they_are_at_it_has_time() {
        let mut watch = Watch::default();
        assert!(watch.abandoned(import(None), at(0)).is_empty());
        assert!(watch.abandoned(import(None), at(3_600)).is_empty());
        assert_eq!(watch.abandoned(import(None), at(6 * 3_600)).len(), 1);
    }
}
