//! The files that a command line names: each by itself, and folders with all that is in them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use services::document::import::UploadedFile;

use crate::cli::{Error, base::exit::warn};

/// Reads the files, folders in the order of the names in them.
pub(in crate::cli) fn read(paths: &[PathBuf]) -> Result<Vec<UploadedFile>, Error> {
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).map_err(|source| cannot_open(&path, source))?;
        Ok(UploadedFile { name: path.to_string_lossy().into_owned(), bytes })
    };
    listed(paths)?.into_iter().map(read).collect()
}

/// The files, folders in the order of the names in them. What is hidden is passed over, and links
/// within folders, which is said.
pub(in crate::cli) fn listed(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let (mut files, mut links) = (Vec::new(), Vec::new());
    for path in paths {
        let about = fs::metadata(path).map_err(|source| cannot_open(path, source))?;
        if about.is_dir() {
            list_folder(path, &mut files, &mut links)?;
        } else {
            files.push(path.clone());
        }
    }
    if let Some(first) = links.first() {
        let more = match links.len() - 1 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        warn(&format!("links are not followed: {}{more}", first.display()));
    }
    Ok(files)
}

fn list_folder(
    folder: &Path,
    files: &mut Vec<PathBuf>,
    links: &mut Vec<PathBuf>,
) -> Result<(), Error> {
    let failed = |source| cannot_open(folder, source);
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        entries.push((entry.path(), entry.file_type().map_err(failed)?));
    }
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (path, kind) in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') {
            continue;
        }
        if kind.is_dir() {
            list_folder(&path, files, links)?;
        } else if kind.is_file() {
            files.push(path);
        } else if kind.is_symlink() {
            links.push(path);
        }
    }
    Ok(())
}

fn cannot_open(path: &Path, source: std::io::Error) -> Error {
    Error::StudyFile { path: path.to_owned(), source }
}
