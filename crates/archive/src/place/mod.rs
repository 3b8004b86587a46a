//! A place of backups: written so that nothing that is half there has a backup's name, and read with care.

use std::{
    fs::File,
    io::{self, Read, Write},
    sync::Arc,
};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::TryStreamExt;
use object_store::{ObjectStore, ObjectStoreExt, buffered::BufWriter, path::Path};
use serde::{Serialize, de::DeserializeOwned};
use tokio::task::spawn_blocking;
use tokio_util::io::{StreamReader, SyncIoBridge};

use crate::{
    Drill, Error, Identities, Keep, Listing, Manifest, Name, Recipient, Sealed, State,
    pieces::apply,
    seal::{seal, unseal},
};

/// A place of backups; cheap to share.
#[derive(Clone, Debug)]
pub struct Place {
    store: Arc<dyn ObjectStore>,
    /// As it was named.
    shown: String,
}

/// What was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    pub manifest: Manifest,
    /// The moment from which it is.
    pub until: DateTime<Utc>,
}

/// What tells the state of a file.
async fn state_of(file: &File) -> Result<String, Error> {
    let mut file = file.try_clone().map_err(Error::Unpack)?;
    let reading = spawn_blocking(move || State::of_file(&mut file).map(|state| state.id()));
    reading.await?.map_err(Error::Unpack)
}

impl Place {
    pub(crate) const fn new(store: Arc<dyn ObjectStore>, shown: String) -> Self {
        Self { store, shown }
    }

    /// How the place is called.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// What lies there.
    pub async fn list(&self) -> Result<Listing, Error> {
        // What lies deeper is no concern of ours.
        let found = self.store.list_with_delimiter(None).await;
        let found = found.map_err(|source| self.failed(source))?.objects;
        Ok(Listing::of(found.iter().filter_map(|object| object.location.filename())))
    }

    /// Seals and stores what there is to read under a backup's name. It is no backup before
    /// [`Self::finish`]; what breaks off leaves nothing with its name.
    pub async fn store(
        &self,
        name: Name,
        recipients: &[Recipient],
        plain: impl Read + Send + 'static,
    ) -> Result<Sealed, Error> {
        let writer = BufWriter::new(Arc::clone(&self.store), Path::from(name.to_string()));
        let mut bridge = SyncIoBridge::new(writer);
        let recipients = recipients.to_vec();
        let sealing = spawn_blocking(move || {
            let sealed = seal(&recipients, plain, &mut bridge).and_then(|sealed| {
                bridge.shutdown().map_err(|error| Error::Write(error.to_string()))?;
                Ok(sealed)
            });
            (sealed, bridge.into_inner())
        });
        let (sealed, mut writer) = sealing.await?;
        if sealed.is_err() {
            // What cannot be taken back is taken for an upload that was never completed.
            drop(writer.abort().await);
        }
        sealed
    }

    /// Says what a backup is that was stored; with that, it is one.
    pub async fn finish(&self, name: Name, manifest: &Manifest) -> Result<(), Error> {
        self.put(&name.manifest(), manifest).await
    }

    /// What a backup is.
    pub async fn manifest(&self, name: Name) -> Result<Manifest, Error> {
        let found = self.get(&name.manifest()).await?;
        found.ok_or_else(|| self.missing(name.to_string()))
    }

    /// Stores what has changed since a backup; it is there whole or not at all. `number` is one more than the
    /// last time, 1 at first.
    pub async fn follow(
        &self,
        name: Name,
        number: u32,
        recipients: &[Recipient],
        changes: Vec<u8>,
    ) -> Result<(), Error> {
        let recipients = recipients.to_vec();
        let sealing = spawn_blocking(move || {
            let mut stored = Vec::new();
            seal(&recipients, changes.as_slice(), &mut stored).map(|_| stored)
        });
        let stored = Bytes::from(sealing.await??);
        let put = self.store.put(&Path::from(name.changes(number)), stored.into()).await;
        put.map(drop).map_err(|source| self.failed(source))
    }

    /// Writes what a backup holds, and what has changed since, to a file that is empty, and is worth nothing
    /// if this fails.
    ///
    /// # Errors
    /// Also if it is not, to the byte, what was stored.
    pub async fn load(
        &self,
        name: Name,
        identities: &Identities,
        file: File,
    ) -> Result<Loaded, Error> {
        let manifest = self.manifest(name).await?;
        let plain = file.try_clone().map_err(Error::Unpack)?;
        let (sealed, _) = self.unseal(name.to_string(), identities, plain).await?;
        if sealed != manifest.sealed {
            let problem = "it is not what its manifest says".to_owned();
            return Err(Error::Damaged { name: name.to_string(), problem });
        }
        let until = self.load_changes(name, identities, file).await?.unwrap_or(manifest.at);
        Ok(Loaded { manifest, until })
    }

    /// Brings a file to the last state that is known, if anything has changed; says from when that is.
    async fn load_changes(
        &self,
        name: Name,
        identities: &Identities,
        mut file: File,
    ) -> Result<Option<DateTime<Utc>>, Error> {
        let numbers: Vec<_> = self.list().await?.changes(name).collect();
        if numbers.is_empty() {
            return Ok(None);
        }
        let (mut id, mut until) = (state_of(&file).await?, None);
        for (number, expected) in numbers.into_iter().zip(1..) {
            if number != expected {
                return Err(self.missing(name.changes(expected)));
            }
            let shown = name.changes(number);
            let (_, changes) = self.unseal(shown.clone(), identities, Vec::new()).await?;
            let before = id;
            let applying = spawn_blocking(move || {
                let applied = apply(&mut file, &before, &changes);
                (applied, file)
            });
            let (applied, same) = applying.await?;
            file = same;
            let damaged =
                |error: io::Error| Error::Damaged { name: shown, problem: error.to_string() };
            let (after, at) = applied.map_err(damaged)?;
            (id, until) = (after, Some(at));
        }
        if state_of(&file).await? != id {
            let problem = "what has changed since does not lead to what it was".to_owned();
            return Err(Error::Damaged { name: name.to_string(), problem });
        }
        Ok(until)
    }

    /// Notes how a drill with a backup ended.
    pub async fn note_drill(&self, name: Name, drill: &Drill) -> Result<(), Error> {
        self.put(&name.drill(), drill).await
    }

    /// How the last drill with a backup ended; none if there was none.
    pub async fn drill(&self, name: Name) -> Result<Option<Drill>, Error> {
        self.get(&name.drill()).await
    }

    /// The last backup of which a drill has made a good database.
    pub async fn proven(&self, listing: &Listing) -> Result<Option<Name>, Error> {
        for name in listing.drilled().rev() {
            if self.drill(name).await?.is_some_and(|drill| drill.is_sound()) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// Deletes what a rule does not keep, but never the last backup, nor the last that a drill has proven;
    /// says what.
    pub async fn trim(&self, keep: &Keep) -> Result<Vec<Name>, Error> {
        let listing = self.list().await?;
        let proven = self.proven(&listing).await?;
        let superfluous = listing.superfluous(keep, proven);
        for name in &superfluous {
            // From here on it is no backup any more; what is left is found again if this breaks off.
            self.delete(&name.manifest()).await?;
            self.delete_changes(&listing, *name).await?;
            self.delete(&name.drill()).await?;
            self.delete(&name.to_string()).await?;
        }
        for name in listing.settled() {
            self.delete_changes(&listing, name).await?;
        }
        Ok(superfluous)
    }

    /// Writes what a sealed file holds to `plain`, which is given back; says what it was.
    async fn unseal<W: Write + Send + 'static>(
        &self,
        name: String,
        identities: &Identities,
        mut plain: W,
    ) -> Result<(Sealed, W), Error> {
        let found = match self.store.get(&Path::from(name.as_str())).await {
            Err(object_store::Error::NotFound { .. }) => return Err(self.missing(name)),
            found => found.map_err(|source| self.failed(source))?,
        };
        let stream = found.into_stream().map_err(io::Error::other);
        let bridge = SyncIoBridge::new(StreamReader::new(stream));
        let identities = identities.clone();
        let unsealing = spawn_blocking(move || {
            unseal(&name, &identities, bridge, &mut plain).map(|sealed| (sealed, plain))
        });
        unsealing.await?
    }

    async fn put(&self, path: &str, content: &impl Serialize) -> Result<(), Error> {
        let json =
            serde_json::to_vec_pretty(content).map_err(|error| Error::Write(error.to_string()))?;
        let put = self.store.put(&Path::from(path), Bytes::from(json).into()).await;
        put.map(drop).map_err(|source| self.failed(source))
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, Error> {
        let bytes = match self.store.get(&Path::from(path)).await {
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(source) => return Err(self.failed(source)),
            Ok(found) => found.bytes().await.map_err(|source| self.failed(source))?,
        };
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| Error::Damaged { name: path.to_owned(), problem: error.to_string() })
    }

    async fn delete_changes(&self, listing: &Listing, name: Name) -> Result<(), Error> {
        // The last first: what is left leads somewhere, should this break off.
        for number in listing.changes(name).rev() {
            self.delete(&name.changes(number)).await?;
        }
        Ok(())
    }

    async fn delete(&self, path: &str) -> Result<(), Error> {
        match self.store.delete(&Path::from(path)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(source) => Err(self.failed(source)),
        }
    }

    fn missing(&self, name: String) -> Error {
        Error::Missing { name, place: self.shown.clone() }
    }

    fn failed(&self, source: object_store::Error) -> Error {
        Error::Store { place: self.shown.clone(), source }
    }
}

#[cfg(test)]
mod tests;
