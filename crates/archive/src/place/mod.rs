//! A place of backups: written so that nothing that is half there has a backup's name, and read with care.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::PathBuf,
    sync::Arc,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use chrono::{DateTime, SecondsFormat, Utc};
use futures::{TryStreamExt, future::ready};
use object_store::{
    GetOptions, GetResult, ObjectMeta, ObjectStore, ObjectStoreExt,
    aws::AmazonS3,
    buffered::BufWriter,
    list::{PaginatedListOptions, PaginatedListStore},
    path::Path,
    prefix::PrefixStore,
};
use serde::{Serialize, de::DeserializeOwned};
use tokio::{
    task::spawn_blocking,
    time::{Instant, timeout},
};
use tokio_util::io::{StreamReader, SyncIoBridge};

use crate::{
    Drill, Error, Identities, Keep, Listing, Manifest, Name, Recipient, Sealed, State,
    client::Streamed,
    name::Kind,
    pieces::{MAX_CHANGES, apply},
    seal::{Most, seal, unseal},
};

/// A place of backups; cheap to share.
#[derive(Clone, Debug)]
pub struct Place {
    store: Arc<dyn ObjectStore>,
    /// As it was named.
    shown: String,
    /// Where it lies, if it is a folder.
    folder: Option<PathBuf>,
    /// The bucket in which it lies, if it is none, and what names of ours begin with there.
    bucket: Option<(AmazonS3, String)>,
}

/// The most that is read of a manifest, or of what was noted of a drill, in bytes, and how long that may take.
const MAX_NOTE: usize = 1024 * 1024;
const NOTE_WITHIN: Duration = Duration::from_mins(5);

/// The most pages of a bucket's listing, each of a thousand names.
const MAX_PAGES: usize = 1_000;

/// How long a listing may take.
const LISTED_WITHIN: Duration = Duration::from_mins(10);

/// How slowly a backup may come, in bytes a second, once so much time has passed.
const SLOWEST: u64 = 64 * 1024;
const GRACE: Duration = Duration::from_mins(10);

/// How long what is being written may lie there, before whoever wrote it must have been killed.
const STALE: Duration = Duration::from_hours(48);

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

/// Deletes in a folder what was begun to be written as a file of a backup, and long ago given up: stores of
/// objects do that by themselves. It is called like the file, with `#` and a number behind it.
fn sweep(folder: &std::path::Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_part =
            name.to_str().and_then(|name| name.rsplit_once('#')).is_some_and(|(name, number)| {
                Kind::of(name).is_some() && number.parse::<u32>().is_ok()
            });
        if !is_part {
            continue;
        }
        let age = SystemTime::now().duration_since(entry.metadata()?.modified()?);
        if age.is_ok_and(|age| age > STALE) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

impl Place {
    /// A folder, which is called `shown`.
    pub(crate) fn in_folder(store: Arc<dyn ObjectStore>, folder: PathBuf, shown: String) -> Self {
        Self { store, shown, folder: Some(folder), bucket: None }
    }

    /// A bucket, or what names in it begin with, which is called `shown`.
    pub(crate) fn in_bucket(bucket: AmazonS3, prefix: &str, shown: String) -> Self {
        let (store, prefix): (Arc<dyn ObjectStore>, _) = if prefix.is_empty() {
            (Arc::new(bucket.clone()), String::new())
        } else {
            (Arc::new(PrefixStore::new(bucket.clone(), prefix)), format!("{prefix}/"))
        };
        Self { store, shown, folder: None, bucket: Some((bucket, prefix)) }
    }

    /// How the place is called.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// What lies there.
    pub async fn list(&self) -> Result<Listing, Error> {
        // What lies deeper is no concern of ours.
        let found = if let Some((bucket, prefix)) = &self.bucket {
            let listing = timeout(LISTED_WITHIN, self.list_bucket(bucket, prefix));
            listing.await.map_err(|_| self.late(self.shown.clone()))??
        } else {
            let listing = self.store.list_with_delimiter(None).await;
            listing.map_err(|source| self.failed(source))?.objects
        };
        Ok(Listing::of(found.iter().filter_map(|object| object.location.filename())))
    }

    /// What of ours lies in a bucket. The library would read as many pages as the other side says that there are.
    async fn list_bucket(&self, bucket: &AmazonS3, prefix: &str) -> Result<Vec<ObjectMeta>, Error> {
        let (mut found, mut page_token) = (Vec::new(), None);
        for _ in 0..MAX_PAGES {
            let options = PaginatedListOptions {
                delimiter: Some("/".into()),
                page_token,
                ..PaginatedListOptions::default()
            };
            let prefix = Some(prefix).filter(|prefix| !prefix.is_empty());
            let page = bucket.list_paginated(prefix, options).await;
            let page = page.map_err(|source| self.failed(source))?;
            let is_ours =
                |object: &ObjectMeta| object.location.filename().and_then(Kind::of).is_some();
            found.extend(page.result.objects.into_iter().filter(is_ours));
            page_token = page.page_token;
            if page_token.is_none() {
                return Ok(found);
            }
        }
        Err(Error::TooManyFiles(self.shown.clone()))
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
    /// if this fails. What changed later than `until` is left out.
    ///
    /// # Errors
    /// Also if it is not, to the byte, what was stored; where only what has changed since is damaged, it says
    /// up to when it is good.
    pub async fn load(
        &self,
        name: Name,
        identities: &Identities,
        file: File,
        until: Option<DateTime<Utc>>,
    ) -> Result<Loaded, Error> {
        let manifest = self.manifest(name).await?;
        let plain = file.try_clone().map_err(Error::Unpack)?;
        let Sealed { plain: inside, stored } = &manifest.sealed;
        let most = Most { plain: inside.bytes, stored: stored.bytes };
        let (sealed, _) = self.unseal(name.to_string(), identities, most, plain).await?;
        if sealed != manifest.sealed {
            let problem = "it is not what its manifest says".to_owned();
            return Err(Error::Damaged { name: name.to_string(), problem });
        }
        let at = self.load_changes(name, identities, (file, manifest.at), until).await?;
        Ok(Loaded { manifest, until: at })
    }

    /// Brings a file that is from a time to the last state that is asked for; says from when that is.
    async fn load_changes(
        &self,
        name: Name,
        identities: &Identities,
        (mut file, mut at): (File, DateTime<Utc>),
        until: Option<DateTime<Utc>>,
    ) -> Result<DateTime<Utc>, Error> {
        let numbers: Vec<_> = self.list().await?.changes(name).collect();
        if numbers.is_empty() {
            return Ok(at);
        }
        let mut id = state_of(&file).await?;
        for (number, expected) in numbers.into_iter().zip(1..) {
            // What lies after the time that was asked for may be damaged.
            if until.is_some_and(|until| until <= at) {
                break;
            }
            let shown = name.changes(expected);
            let damaged = |problem: String| {
                let good = at.to_rfc3339_opts(SecondsFormat::Micros, true);
                let problem = format!("{problem}; up to {good} it is good");
                Error::Damaged { name: shown.clone(), problem }
            };
            if number != expected {
                return Err(damaged("it is not there".to_owned()));
            }
            let most = Most { plain: MAX_CHANGES, stored: 2 * MAX_CHANGES };
            let changes = match self.unseal(shown.clone(), identities, most, Vec::new()).await {
                Err(Error::Damaged { problem, .. }) => return Err(damaged(problem)),
                unsealed => unsealed?.1,
            };
            let before = id.clone();
            let applying = spawn_blocking(move || {
                let applied = apply(&mut file, &before, &changes, until);
                (applied, file)
            });
            let (applied, same) = applying.await?;
            file = same;
            match applied.map_err(|error| damaged(error.to_string()))? {
                Some(after) => (id, at) = after,
                None => break,
            }
        }
        if state_of(&file).await? != id {
            let problem = "what has changed since does not lead to what it was".to_owned();
            return Err(Error::Damaged { name: name.to_string(), problem });
        }
        Ok(at)
    }

    /// Notes how a drill with a backup ended.
    pub async fn note_drill(&self, name: Name, drill: &Drill) -> Result<(), Error> {
        self.put(&name.drill(), drill).await
    }

    /// How the last drill with a backup ended; none if there was none, or nobody can read how.
    pub async fn drill(&self, name: Name) -> Result<Option<Drill>, Error> {
        match self.get(&name.drill()).await {
            Err(error @ Error::Damaged { .. }) => {
                tracing::warn!(%error, "what was noted of a restore drill cannot be read");
                Ok(None)
            }
            found => found,
        }
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

    /// Deletes of a listing what a rule does not keep, but nothing young, neither the last backup nor the
    /// last that a drill has proven; says what.
    pub async fn trim(
        &self,
        listing: &Listing,
        keep: &Keep,
        now: DateTime<Utc>,
    ) -> Result<Vec<Name>, Error> {
        let proven = self.proven(listing).await?;
        let superfluous = listing.superfluous(keep, proven, now);
        for name in &superfluous {
            // From here on it is no backup any more; what is left is found again if this breaks off.
            self.delete(&name.manifest()).await?;
            self.delete_changes(listing, *name).await?;
            self.delete(&name.drill()).await?;
            self.delete(&name.to_string()).await?;
        }
        for name in listing.settled(now) {
            self.delete_changes(listing, name).await?;
        }
        if let Some(folder) = self.folder.clone() {
            let swept = spawn_blocking(move || sweep(&folder)).await?;
            swept.map_err(|error| Error::Write(error.to_string()))?;
        }
        Ok(superfluous)
    }

    /// Writes what a sealed file holds to `plain`, which is given back; says what it was.
    async fn unseal<W: Write + Send + 'static>(
        &self,
        name: String,
        identities: &Identities,
        most: Most,
        mut plain: W,
    ) -> Result<(Sealed, W), Error> {
        let mut options = GetOptions::default();
        options.extensions.insert(Streamed);
        let found = match self.store.get_opts(&Path::from(name.as_str()), options).await {
            Err(object_store::Error::NotFound { .. }) => return Err(self.missing(name)),
            found => found.map_err(|source| self.failed(source))?,
        };
        let patience = GRACE + Duration::from_secs(found.meta.size.min(most.stored) / SLOWEST);
        let until = Instant::now() + patience;
        let in_time = move |piece| {
            let is_late = Instant::now() > until;
            ready(if is_late { Err(io::ErrorKind::TimedOut.into()) } else { Ok(piece) })
        };
        let stream = found.into_stream().map_err(io::Error::other).and_then(in_time);
        let bridge = SyncIoBridge::new(StreamReader::new(stream));
        let identities = identities.clone();
        let unsealing = spawn_blocking(move || {
            unseal(&name, &identities, most, bridge, &mut plain).map(|sealed| (sealed, plain))
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
            Ok(found) => {
                let reading = timeout(NOTE_WITHIN, self.read_note(path, found)).await;
                reading.map_err(|_| self.late(path.to_owned()))??
            }
        };
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| Error::Damaged { name: path.to_owned(), problem: error.to_string() })
    }

    async fn read_note(&self, path: &str, found: GetResult) -> Result<Vec<u8>, Error> {
        let (mut pieces, mut note) = (found.into_stream(), Vec::new());
        while let Some(piece) = pieces.try_next().await.map_err(|source| self.failed(source))? {
            if note.len() + piece.len() > MAX_NOTE {
                let problem = format!("it is larger than {MAX_NOTE} bytes");
                return Err(Error::Damaged { name: path.to_owned(), problem });
            }
            note.extend_from_slice(&piece);
        }
        Ok(note)
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

    fn late(&self, name: String) -> Error {
        Error::Unread { name, problem: format!("{} took too long", self.shown) }
    }

    fn failed(&self, source: object_store::Error) -> Error {
        Error::Store { place: self.shown.clone(), source }
    }
}

#[cfg(test)]
mod hostile;
#[cfg(test)]
mod tests;
