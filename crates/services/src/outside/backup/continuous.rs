//! Backups that are never far behind: a backup of SQLite, and every few seconds what has changed since. A server
//! that starts makes a backup first, for it does not know what was stored of the one before.

use std::{sync::Arc, time::Duration};

use archive::{Engine, Name, State};
use chrono::{DateTime, Utc};
use store::outside::files::Watched;
use tokio::{task::spawn_blocking, time::Instant};

use super::{Failure, Schedule, making::Copied};
use crate::{Error, Services};

/// How large a database may be, in bytes: for a moment it is in memory twice, and above 2 GiB SQLite does not
/// put it there.
const LARGEST: u64 = 1 << 30;

/// A backup and what has been stored of what has changed since.
pub(super) struct Following {
    watched: Watched,
    base: Name,
    /// When it was begun, by a clock that nobody sets.
    begun: Instant,
    /// How often something has been stored.
    number: u32,
    /// What is stored, as the database counts its changes, and piece by piece.
    version: i64,
    state: Arc<State>,
}

impl Following {
    /// The backup.
    pub(super) const fn base(&self) -> Name {
        self.base
    }

    /// How long ago it was begun.
    pub(super) fn age(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// Opens a database that is small enough to be followed.
async fn open(schedule: &Schedule) -> Result<Watched, Failure> {
    let mut watched = Watched::open(&schedule.url).await?;
    let bytes = watched.bytes().await?;
    if bytes > LARGEST { Err(Failure::TooLarge(bytes)) } else { Ok(watched) }
}

/// Refuses a database that is too large to be followed.
pub(super) async fn admit(schedule: &Schedule) -> Result<(), Failure> {
    open(schedule).await.map(drop)
}

/// Makes a backup from which what changes is stored. Once it is one, it is not behind: what has changed while
/// it was made is there already.
pub(super) async fn begin(services: &Services, schedule: &Schedule) -> Result<Following, Failure> {
    let base = Name::new(services.clock.now(), schedule.lineage, Engine::Sqlite);
    let begun = Instant::now();
    let mut watched = open(schedule).await?;
    let version = watched.version().await?;
    let content = watched.content().await?;
    let copied = Copied::in_folder(&schedule.scratch)?;
    let file = copied.file.clone();
    let writing =
        spawn_blocking(move || std::fs::write(&file, &*content).map(|()| State::of(&content)));
    let state = writing.await?.map_err(|source| copied.failed(source))?;
    let manifest = copied.store(services, schedule, base).await?;
    let state = Arc::new(state);
    let mut following = Following { watched, base, begun, number: 0, version, state };
    follow(services, schedule, &mut following).await?;
    schedule.place()?.finish(base, &manifest).await?;
    Ok(following)
}

/// Stores what has changed, if anything has; says from when on it is known.
pub(super) async fn follow(
    services: &Services,
    schedule: &Schedule,
    known: &mut Following,
) -> Result<DateTime<Utc>, Failure> {
    let at = services.clock.now();
    let version = known.watched.version().await?;
    if version == known.version {
        return Ok(at);
    }
    let content = known.watched.content().await?;
    let before = Arc::clone(&known.state);
    let comparing = spawn_blocking(move || {
        let now = State::of(&content);
        before.changes(&now, &content, at).map(|changes| (now, changes))
    });
    let (now, changes) = comparing.await?.map_err(Error::broken)?;
    if let Some(changes) = changes {
        let number = known.number + 1;
        let place = schedule.place()?;
        place.follow(known.base, number, &schedule.recipients, changes).await?;
        known.number = number;
    }
    (known.state, known.version) = (Arc::new(now), version);
    Ok(at)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use archive::{Identities, Location};
    use chrono::TimeDelta;
    use store::{
        Store,
        testing::{count_rows, sqlite},
    };

    use super::*;
    use crate::{
        Clock, ServerKey,
        outside::backup::{lineage, sqlite_url},
    };

    const RECIPIENT: &str = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa";
    const IDENTITY: &str =
        "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33";

    async fn add_users(store: &Store, names: impl Iterator<Item = u32>) {
        let tx = store.begin().await.unwrap();
        for name in names {
            let email = format!("{name}@example.org");
            let at = DateTime::UNIX_EPOCH;
            store::account::users::create(&tx, &email, "A", "hash", false, at).await.unwrap();
        }
        tx.commit().await.unwrap();
    }

    #[tokio::test]
    async fn what_is_written_after_the_backup_comes_back_with_it() {
        let store = sqlite().await;
        let services =
            Services::new(store.clone(), Clock::system(), None, ServerKey::from([7; 32]));
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("backups")).unwrap();
        let schedule = Schedule {
            url: store.url().to_owned(),
            scratch: folder.path().to_owned(),
            location: Location::Folder(folder.path().join("backups")),
            lineage: lineage(&store).await.unwrap(),
            recipients: vec![RECIPIENT.parse().unwrap()],
            every: TimeDelta::days(1),
            keep: "7d".parse().unwrap(),
            is_continuous: true,
            drills: None,
        };
        add_users(&store, 0..3).await;
        let mut known = begin(&services, &schedule).await.unwrap();
        // A few, nobody, and so many that the file grows.
        for (number, new) in [(1, 3..4), (1, 4..4), (2, 4..2_000), (3, 2_000..2_001)] {
            let expected = i64::from(new.end);
            if !new.is_empty() {
                add_users(&store, new).await;
            }
            follow(&services, &schedule, &mut known).await.unwrap();
            assert_eq!(known.number, number);

            let path = folder.path().join(format!("back-{number}-{expected}.sqlite3"));
            let file =
                File::options().read(true).write(true).create(true).truncate(true).open(&path);
            let identities = Identities::read(IDENTITY).unwrap();
            let place = schedule.place().unwrap();
            place.load(known.base, &identities, file.unwrap(), None).await.unwrap();
            let back = Store::open(&sqlite_url(&path)).await.unwrap();
            assert_eq!(count_rows(&back, &["user_account"]).await, [("user_account", expected)]);
            back.close().await.unwrap();
        }
        store.close().await.unwrap();
    }
}
