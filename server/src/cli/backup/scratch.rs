//! Files that are being made beside the one that they are for, and go away unless they are kept.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use crate::cli::Error;

/// What SQLite may put beside a database.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// A file that is removed again, with what SQLite has put beside it.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// An empty file that only its owner can read, beside `file` and called like it.
    pub(super) fn beside(file: &Path, ending: &str) -> Result<Self, Error> {
        let scratch = Self(with_ending(file, ending));
        scratch.remove();
        let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(scratch.path());
        made.map_err(|source| scratch.failed(source))?;
        Ok(scratch)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Fills it with another file.
    pub(super) fn copy_from(&self, other: &Path) -> Result<u64, Error> {
        let open = |source| Error::StudyFile { path: other.to_owned(), source };
        let mut from = File::open(other).map_err(open)?;
        let mut to = OpenOptions::new().write(true).truncate(true).open(self.path());
        to.as_mut()
            .map_err(|error| io::Error::from(error.kind()))
            .and_then(|to| io::copy(&mut from, to))
            .map_err(|source| self.failed(source))
    }

    /// Puts it, once it is on the disk, in the place of `file`: at any moment there is the whole
    /// old or the whole new one.
    pub(super) fn keep_as(self, file: &Path) -> Result<(), Error> {
        let keep = || {
            File::open(self.path())?.sync_all()?;
            fs::rename(self.path(), file)?;
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
        };
        keep().map_err(|source| Error::WriteFile { path: file.to_owned(), source })
    }

    pub(super) fn failed(&self, source: io::Error) -> Error {
        Error::WriteFile { path: self.0.clone(), source }
    }

    fn remove(&self) {
        // What is not there need not go.
        drop(fs::remove_file(&self.0));
        for ending in BESIDE {
            drop(fs::remove_file(with_ending(&self.0, ending)));
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Puts aside what SQLite has left beside a database that cannot be opened: it would be taken for
/// that of the next database of this name.
pub(super) fn set_aside(file: &Path, ending: &str) -> io::Result<()> {
    for left in BESIDE {
        let path = with_ending(file, left);
        if path.exists() {
            fs::rename(&path, with_ending(&path, ending))?;
        }
    }
    Ok(())
}

/// The path with something more at its end.
pub(super) fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(ending);
    path.into()
}
