//! Making a backup: a consistent copy. One of SQLite is proven good before it is called a backup; a dump of
//! PostgreSQL by a drill only.

use std::{
    fs::{self, DirBuilder, File},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

use archive::{Engine, Manifest, Name, Recipient, Sealed};

use super::{Failure, Postgres, Schedule, check, copy, find_unexpected_objects, sqlite_url};
use crate::{
    Services,
    base::access::storage_space::{SpaceLevel, StorageSpace},
    base::secrets::server_key,
};

/// A folder for copies that goes when this is dropped.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// An empty folder that only its owner can look into; what a server that was killed has left is gone.
    pub(super) fn new(folder: &Path, name: &str) -> Result<Self, Failure> {
        let scratch = Self(folder.join(name));
        scratch.remove();
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&scratch.0);
        made.map_err(|source| scratch.failed(source))?;
        Ok(scratch)
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Refuses what there is no room for, before it takes the room that saves need; in bytes.
    pub(super) fn has_room_for(&self, bytes: u64) -> Result<(), Failure> {
        let space = StorageSpace::at(&self.0).map_err(|error| self.failed(error))?;
        if space.free < bytes || space.after(bytes).level() <= SpaceLevel::Reserved {
            return Err(self.failed(io::ErrorKind::StorageFull.into()));
        }
        Ok(())
    }

    pub(super) fn failed(&self, source: io::Error) -> Failure {
        Failure::Scratch { path: self.0.clone(), source }
    }

    fn remove(&self) {
        // What is not there need not go.
        drop(fs::remove_dir_all(&self.0));
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Makes a backup of the database as it is now; says which.
pub(super) async fn make(services: &Services, schedule: &Schedule) -> Result<Name, Failure> {
    let name = Name::new(services.clock.now(), schedule.lineage, schedule.engine());
    let place = schedule.place()?;
    let manifest = match name.engine() {
        Engine::Sqlite => {
            let copied = Copied::in_folder(&schedule.scratch)?;
            copied.has_room_to_begin(services).await?;
            copy(&schedule.url, &copied.file).await?;
            copied.store(services, schedule, name).await?
        }
        Engine::Postgres => {
            // What goes with it is read first: it may be of an older state, and then is brought up to date.
            let manifest = describe(services, schedule, name).await?;
            let dump = Postgres::at(&schedule.url)?.dump()?;
            manifest(place.store(name, &schedule.recipients, dump).await?)
        }
    };
    place.finish(name, &manifest).await?;
    Ok(name)
}

/// A copy of a database of SQLite that is to become a backup.
pub(super) struct Copied {
    scratch: Scratch,
    pub(super) file: PathBuf,
}

impl Copied {
    /// The place of a copy that is not there yet.
    pub(super) fn in_folder(folder: &Path) -> Result<Self, Failure> {
        let scratch = Scratch::new(folder, "backup.part")?;
        let file = scratch.file("copy.sqlite3");
        Ok(Self { scratch, file })
    }

    /// Refuses to begin where the copy, and the one of it that is tried, would leave no room for saves.
    async fn has_room_to_begin(&self, services: &Services) -> Result<(), Failure> {
        let Some(file) = services.store.file() else { return Ok(()) };
        let found = tokio::fs::metadata(file).await.map_err(|source| self.failed(source))?;
        self.scratch.has_room_for(found.len().saturating_mul(2))
    }

    /// That the copy cannot be made.
    pub(super) fn failed(&self, source: io::Error) -> Failure {
        self.scratch.failed(source)
    }

    /// Checks the copy and stores it; says what it is, which makes it a backup once that is stored, too.
    pub(super) async fn store(
        &self,
        services: &Services,
        schedule: &Schedule,
        name: Name,
    ) -> Result<Manifest, Failure> {
        let failed = |source| self.failed(source);
        // Checking brings tables up to date; the backup stays of the version that wrote it.
        let tried = self.scratch.file("tried.sqlite3");
        tokio::fs::copy(&self.file, &tried).await.map_err(failed)?;
        let found = check(&sqlite_url(&tried)).await?;
        if !found.is_sound() {
            let complaints: Vec<_> = found.complaints().cloned().collect();
            return Err(Failure::Unsound(complaints.join("; ")));
        }
        for problem in find_unexpected_objects(&sqlite_url(&tried)).await? {
            tracing::warn!(%name, problem, "no backup of this database will be restored");
        }
        let copied = File::open(&self.file).map_err(failed)?;
        let sealed = schedule.place()?.store(name, &schedule.recipients, copied).await?;
        Ok(describe(services, schedule, name).await?(sealed))
    }
}

/// What a backup is, but for its content.
async fn describe(
    services: &Services,
    schedule: &Schedule,
    name: Name,
) -> Result<impl FnOnce(Sealed) -> Manifest + use<>, Failure> {
    let migration = services.store.schema().await?.applied.pop().unwrap_or_default();
    let secret_key = server_key::fingerprint(&services.store).await?;
    let recipients = schedule.recipients.iter().map(Recipient::to_string).collect();
    Ok(move |sealed| Manifest {
        at: name.at(),
        lineage: name.lineage(),
        engine: name.engine(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        migration,
        secret_key,
        recipients,
        sealed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_no_room_for_is_not_begun() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(folder.path(), "part").unwrap();
        scratch.has_room_for(1).unwrap();
        let refused = scratch.has_room_for(u64::MAX).unwrap_err().to_string();
        assert!(refused.contains("cannot be used for copies"), "{refused}");
    }
}
