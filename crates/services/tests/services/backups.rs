//! Backups that a server makes by itself, and drills that try them.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use chrono::{DateTime, TimeDelta, Utc};
use services::{
    Clock, Services,
    outside::backup::{
        Drills, Engine, Failure, Identities, Lineage, Location, Name, Place, Schedule, admit,
        back_up_if_due, drill_if_due, lineage,
    },
};
use store::testing::tamper;
use tempfile::TempDir;

use super::world::{World, started, worlds};

const RECIPIENT: &str = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa";
const IDENTITY: &str = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33";
const STRANGER: &str = "AGE-SECRET-KEY-1QYPQXPQ9QCRSSZG2PVXQ6RS0ZQG3YYC5Z5TPWXQERGD3C8G7RUSQGPQYEE";

/// A world that is backed up every day and tried every month.
struct Kept {
    world: World,
    hours: Arc<AtomicI64>,
    schedule: Schedule,
    folder: TempDir,
}

impl Kept {
    async fn each(identity: &str) -> Vec<Self> {
        let worlds = worlds(2, 3).await.into_iter();
        futures::future::join_all(worlds.map(|world| Self::of(world, identity))).await
    }

    async fn of(world: World, identity: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("backups")).unwrap();
        let identities = Identities::read(identity).unwrap();
        let schedule = Schedule {
            url: world.store.url().to_owned(),
            scratch: folder.path().to_owned(),
            lineage: lineage(&world.store).await.unwrap(),
            location: Location::Folder(folder.path().join("backups")),
            recipients: vec![RECIPIENT.parse().unwrap()],
            every: TimeDelta::days(1),
            keep: "3d".parse().unwrap(),
            is_continuous: false,
            drills: Some(Drills { identities, every: TimeDelta::days(30), url: None }),
        };
        Self { world, hours: Arc::default(), schedule, folder }
    }

    /// A server that has just started.
    fn server(&self) -> Arc<Services> {
        let hours = Arc::clone(&self.hours);
        let first: DateTime<Utc> = "2026-11-01T00:00:00Z".parse().unwrap();
        let clock = Clock::from_fn(move || first + TimeDelta::hours(hours.load(Ordering::Relaxed)));
        started(&self.world.store, clock)
    }

    fn pass(&self, hours: i64) {
        self.hours.fetch_add(hours, Ordering::Relaxed);
    }

    async fn back_up(&self) -> Option<Name> {
        back_up_if_due(&self.server(), &self.schedule).await.unwrap()
    }

    /// What was wrong, if there was a drill.
    async fn drill(&self) -> Option<Vec<String>> {
        let done = drill_if_due(&self.server(), &self.schedule).await.unwrap();
        done.map(|(_, drill)| {
            assert!(drill.projects == 1 || !drill.problems.is_empty());
            drill.problems
        })
    }

    async fn backups(&self) -> Vec<Name> {
        self.place().list().await.unwrap().backups().collect()
    }

    fn place(&self) -> Place {
        self.schedule.location.open().unwrap()
    }

    fn file(&self, name: Name) -> PathBuf {
        self.folder.path().join("backups").join(name.to_string())
    }
}

#[tokio::test]
async fn a_backup_is_made_when_it_is_due_however_often_servers_start() {
    for kept in Kept::each(IDENTITY).await {
        let first = kept.back_up().await.unwrap();
        assert_eq!(kept.back_up().await, None);
        kept.pass(23);
        assert_eq!(kept.back_up().await, None);
        kept.pass(1);
        let second = kept.back_up().await.unwrap();
        // One was away for a week.
        kept.pass(7 * 24);
        let third = kept.back_up().await.unwrap();
        assert_eq!(kept.backups().await, [first, second, third]);
        let left: Vec<_> = fs::read_dir(kept.folder.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "copies do not stay: {left:?}");

        let manifest = kept.place().manifest(third).await.unwrap();
        let is_sqlite = kept.schedule.url.starts_with("sqlite:");
        let engine = if is_sqlite { Engine::Sqlite } else { Engine::Postgres };
        assert_eq!((manifest.engine, manifest.at), (engine, third.at()));
        assert_eq!(manifest.recipients, [RECIPIENT]);
        assert!(manifest.migration.starts_with("m2026"), "{manifest:?}");
        let sealed = fs::read(kept.file(third)).unwrap();
        assert!(sealed.starts_with(b"age-encryption.org/v1\n"));
        assert!(!sealed.windows(7).any(|piece| piece == b"Tragedy"), "nobody reads it");
    }
}

#[tokio::test]
async fn of_several_servers_one_makes_the_backup() {
    for kept in Kept::each(IDENTITY).await {
        let servers: Vec<_> = (0..4).map(|_| kept.server()).collect();
        let making = servers.iter().map(|server| back_up_if_due(server, &kept.schedule));
        let made = futures::future::join_all(making).await;
        let made: Vec<_> = made.into_iter().filter_map(|made| made.unwrap()).collect();
        assert_eq!(made.len(), 1);
        assert_eq!(kept.backups().await, made);
    }
}

#[tokio::test]
async fn a_drill_makes_a_database_of_the_last_backup_every_month() {
    for kept in Kept::each(IDENTITY).await {
        assert_eq!(kept.drill().await, None, "there is nothing to try");
        let first = kept.back_up().await.unwrap();
        assert_eq!(kept.drill().await, Some(Vec::new()));
        for _ in 0..29 {
            kept.pass(24);
            kept.back_up().await.unwrap();
            assert_eq!(kept.drill().await, None);
        }
        assert!(kept.backups().await.contains(&first), "it is the last that is proven");
        assert_eq!(kept.backups().await.len(), 1 + 3);
        kept.pass(24);
        kept.back_up().await.unwrap();
        assert_eq!(kept.drill().await, Some(Vec::new()));
        kept.pass(24);
        kept.back_up().await.unwrap();
        assert!(!kept.backups().await.contains(&first));
        let left: Vec<_> = fs::read_dir(kept.folder.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "the database of the drill does not stay: {left:?}");
    }
}

#[tokio::test]
async fn a_backup_that_is_damaged_is_found_out_and_the_next_is_tried_at_once() {
    for kept in Kept::each(IDENTITY).await {
        let proven = kept.back_up().await.unwrap();
        assert_eq!(kept.drill().await, Some(Vec::new()));
        kept.pass(31 * 24);
        let name = kept.back_up().await.unwrap();
        let mut bytes = fs::read(kept.file(name)).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(kept.file(name), bytes).unwrap();
        let problems = kept.drill().await.unwrap();
        assert!(problems[0].contains("is damaged"), "{problems:?}");
        assert_eq!(kept.drill().await, None, "it does not get better by being tried again");
        for _ in 0..5 {
            kept.pass(24);
            kept.back_up().await.unwrap();
        }
        assert!(kept.backups().await.contains(&proven));
        assert_eq!(kept.drill().await, Some(Vec::new()));
    }
}

#[tokio::test]
async fn a_drill_tells_that_nobody_could_open_the_backups() {
    for kept in Kept::each(STRANGER).await {
        kept.back_up().await.unwrap();
        let problems = kept.drill().await.unwrap();
        assert!(problems[0].contains("encrypted for other identities"), "{problems:?}");
    }
}

#[tokio::test]
async fn numbers_that_do_not_follow_from_rows_are_found_in_the_backup() {
    for kept in Kept::each(IDENTITY).await {
        tamper(&kept.world.store, "UPDATE project SET guidelines = 'others'").await;
        if kept.schedule.url.starts_with("sqlite:") {
            let refused = back_up_if_due(&kept.server(), &kept.schedule).await.unwrap_err();
            assert!(refused.to_string().contains("the copy is damaged"), "{refused}");
            assert_eq!(kept.backups().await, []);
        } else {
            kept.back_up().await.unwrap();
            let problems = kept.drill().await.unwrap();
            assert!(problems[0].contains("guidelines"), "{problems:?}");
        }
    }
}

#[tokio::test]
async fn a_place_of_another_database_is_refused_and_nothing_of_it_counts_or_goes() {
    for mut kept in Kept::each(IDENTITY).await {
        admit(&kept.schedule).await.unwrap();
        let theirs = kept.back_up().await.unwrap();
        admit(&kept.schedule).await.unwrap();
        // As if the database were a new one: its volume was empty.
        kept.schedule.lineage = Lineage::from(7);
        let refused = admit(&kept.schedule).await.unwrap_err();
        assert!(matches!(refused, Failure::Foreign(_)), "{refused}");
        assert_eq!(kept.drill().await, None);
        for _ in 0..9 {
            assert!(kept.back_up().await.is_some(), "theirs is none of ours");
            kept.pass(24);
        }
        assert!(kept.backups().await.contains(&theirs));
    }
}

#[tokio::test]
async fn a_clock_that_was_ahead_stops_nothing() {
    for kept in Kept::each(IDENTITY).await {
        kept.pass(24 * 366);
        let ahead = kept.back_up().await.unwrap();
        kept.pass(-24 * 366);
        let now = kept.back_up().await.unwrap();
        kept.pass(24);
        let next = kept.back_up().await.unwrap();
        assert_eq!(kept.backups().await, [now, next, ahead]);
        assert_eq!(kept.drill().await, Some(Vec::new()));
    }
}

#[tokio::test]
async fn a_folder_that_is_away_is_not_made_and_may_come_back() {
    for kept in Kept::each(IDENTITY).await {
        let (folder, away) = (kept.folder.path().join("backups"), kept.folder.path().join("away"));
        fs::rename(&folder, &away).unwrap();
        admit(&kept.schedule).await.unwrap();
        assert!(back_up_if_due(&kept.server(), &kept.schedule).await.is_err());
        assert!(!folder.exists());
        fs::rename(&away, &folder).unwrap();
        assert!(kept.back_up().await.is_some());
    }
}
