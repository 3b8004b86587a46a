//! Where a backup comes from: a file as it is, or one of those that a server has made.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use services::outside::backup::{Failure, Identities, Loaded, Location, Name, Place};

use super::scratch::Scratch;
use crate::cli::Error;

/// A backup that is there.
pub(super) enum Origin {
    File(PathBuf),
    Sealed { place: Place, name: Name },
}

impl Origin {
    /// Finds what was named: a file, a backup that a server has made, or the last one in a folder or a bucket
    /// of such.
    pub(super) async fn find(given: &str) -> Result<Self, Error> {
        let wrong = |problem: &str| Error::Usage(format!("{given}: {problem}"));
        let location: Location = given.parse().map_err(wrong)?;
        let (location, name) = match location {
            Location::Folder(path) if path.is_dir() => (Location::Folder(path), None),
            Location::Folder(path) => match name_of(&path) {
                Some((folder, name)) => (Location::Folder(folder), Some(name)),
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
        let place = location.open_existing().map_err(Failure::from)?;
        let name = match name {
            Some(name) => name,
            None => {
                let listing = place.list().await.map_err(Failure::from)?;
                let none = || Error::NoBackup(place.shown().to_owned());
                listing.last().ok_or_else(none)?
            }
        };
        Ok(Self::Sealed { place, name })
    }

    /// How it is called.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Sealed { place, name } => format!("{}/{name}", place.shown()),
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
            Self::Sealed { place, name } => {
                let needed = || Error::Usage(format!("{name} is encrypted: use --identity FILE"));
                let identities = identities.ok_or_else(needed)?;
                let file = File::options().read(true).write(true).truncate(true).open(to.path());
                let file = file.map_err(|source| to.failed(source))?;
                let loaded = place.load(*name, identities, file).await.map_err(Failure::from)?;
                let bytes = fs::metadata(to.path()).map_err(|source| to.failed(source))?.len();
                Ok((bytes, Some(loaded)))
            }
        }
    }
}

/// The folder and the name of a backup that a server has made.
fn name_of(path: &Path) -> Option<(PathBuf, Name)> {
    let name = path.file_name()?.to_str()?.parse().ok()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    Some((folder.unwrap_or(Path::new(".")).to_owned(), name))
}
