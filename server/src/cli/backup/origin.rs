//! Where a backup comes from: a file as it is, or one of those that a server has made.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use services::outside::backup::{Failure, Identities, Listing, Loaded, Location, Name, Place};

use super::scratch::Scratch;
use crate::cli::Error;

/// A backup that is there.
pub(super) enum Origin {
    File(PathBuf),
    /// `until` is the time up to which what has changed since counts.
    Sealed {
        place: Place,
        name: Name,
        until: Option<DateTime<Utc>>,
    },
}

/// How many names are told to whoever has named another.
const NAMES: usize = 5;

impl Origin {
    /// Finds what was named: a file, a backup that a server has made, or the last one in a folder or a bucket
    /// of such, or the last from before a time.
    pub(super) async fn find(given: &str, until: Option<DateTime<Utc>>) -> Result<Self, Error> {
        let wrong = |problem: &str| Error::Usage(format!("{given}: {problem}"));
        let location: Location = given.parse().map_err(wrong)?;
        let (location, name) = match location {
            Location::Folder(path) if path.is_dir() => (Location::Folder(path), None),
            Location::Folder(path) => match name_of(&path) {
                Some((folder, name)) => (Location::Folder(folder), Some(name)),
                None if until.is_some() => {
                    return Err(wrong("--until is for scheduled backups"));
                }
                None => return Ok(Self::File(path)),
            },
            Location::Bucket { bucket, prefix } => match name_of(Path::new(&prefix)) {
                Some((folder, name)) => {
                    let prefix = if folder == Path::new(".") { PathBuf::new() } else { folder };
                    let prefix = prefix.to_string_lossy().into_owned();
                    (Location::Bucket { bucket, prefix }, Some(name))
                }
                None => (Location::Bucket { bucket, prefix }, None),
            },
        };
        let place = location.open().map_err(Failure::from)?;
        let listing = place.list().await.map_err(Failure::from)?;
        let name = match name {
            Some(name) => check_name(&listing, name, until),
            None => find_last(&listing, until),
        };
        let name = name.map_err(|problem| Error::NoBackup(format!("{given}: {problem}")))?;
        Ok(Self::Sealed { place, name, until })
    }

    /// How it is called.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Sealed { place, name, .. } => format!("{}/{name}", place.shown()),
        }
    }

    /// Writes what is in it to a file, and says how long that is and, if it was sealed, what it is.
    pub(super) async fn load(
        &self,
        identities: Option<&Identities>,
        to: &Scratch,
    ) -> Result<(u64, Option<Loaded>), Error> {
        match self {
            Self::File(path) => Ok((to.copy_from(path)?, None)),
            Self::Sealed { place, name, until } => {
                let needed = || Error::Usage(format!("{name} is encrypted: use --identity FILE"));
                let identities = identities.ok_or_else(needed)?;
                let file = File::options().read(true).write(true).truncate(true).open(to.path());
                let file = file.map_err(|source| to.failed(source))?;
                let loaded = place.load(*name, identities, file, *until).await;
                let loaded = loaded.map_err(Failure::from)?;
                let bytes = fs::metadata(to.path()).map_err(|source| to.failed(source))?.len();
                Ok((bytes, Some(loaded)))
            }
        }
    }
}

/// A backup that was named, if it is one.
fn check_name(listing: &Listing, name: Name, until: Option<DateTime<Utc>>) -> Result<Name, String> {
    if listing.backups().any(|backup| backup == name) {
        let is_later = until.is_some_and(|until| until < name.at());
        return if is_later { Err("it is from after that time".to_owned()) } else { Ok(name) };
    }
    if listing.is_stored(name) {
        let manifest = name.manifest();
        return Err(format!("it was not finished, or its {manifest} is missing"));
    }
    let last: Vec<_> = listing.backups().rev().take(NAMES).map(|name| name.to_string()).collect();
    Err(if last.is_empty() {
        "there is no backup".to_owned()
    } else {
        format!("there is no backup of this name; the last are {}", last.join(", "))
    })
}

/// The last backup, or the last from before a time, where all are of one database.
fn find_last(listing: &Listing, until: Option<DateTime<Utc>>) -> Result<Name, String> {
    let last = listing.last_of_each();
    if last.len() > 1 {
        let names: Vec<_> = last.iter().map(ToString::to_string).collect();
        return Err(format!(
            "it holds backups of {} databases; name one, the last are {}",
            names.len(),
            names.join(", ")
        ));
    }
    let found = listing.backups().rev().find(|name| until.is_none_or(|until| name.at() <= until));
    found.ok_or_else(|| match until {
        Some(_) if !last.is_empty() => "it holds no backup from before that time".to_owned(),
        _ => "it holds no backup".to_owned(),
    })
}

/// The folder and the name of a backup that a server has made.
fn name_of(path: &Path) -> Option<(PathBuf, Name)> {
    let name = path.file_name()?.to_str()?.parse().ok()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    Some((folder.unwrap_or(Path::new(".")).to_owned(), name))
}
