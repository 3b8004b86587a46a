//! Archives that are the same bytes for the same files: in one order, of one moment, of nobody's account.

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::Path;
use tar::{Builder, EntryType, Header};

/// What is at a path: the rights to it, and whose it is.
pub(super) struct Entry {
    mode: u32,
    owner: u32,
    /// None of a folder.
    content: Option<Vec<u8>>,
}

/// A tree of files, by their paths from its root.
#[derive(Default)]
pub(super) struct Tree(BTreeMap<String, Entry>);

impl Tree {
    /// Puts a file of root's into it.
    pub(super) fn add(&mut self, path: impl Into<String>, mode: u32, content: impl Into<Vec<u8>>) {
        let content = Some(content.into());
        self.0.insert(path.into(), Entry { mode, owner: 0, content });
    }

    /// Puts a folder into it that has other rights or another owner than usual.
    pub(super) fn add_folder(&mut self, path: &str, mode: u32, owner: u32) {
        self.0.insert(path.to_owned(), Entry { mode, owner, content: None });
    }

    /// Puts all files of a folder of the workspace into it, below a path.
    pub(super) fn add_all(&mut self, path: &str, folder: &Path) -> Result<()> {
        let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let path = format!("{path}/{}", name.to_str().context("a name that is no UTF-8")?);
            if entry.file_type()?.is_dir() {
                self.add_all(&path, &entry.path())?;
            } else {
                self.add(path, 0o644, fs::read(entry.path())?);
            }
        }
        Ok(())
    }

    /// How many bytes are in its files.
    pub(super) fn size(&self) -> usize {
        self.0.values().filter_map(|entry| entry.content.as_ref()).map(Vec::len).sum()
    }

    /// The same files under other paths.
    pub(super) fn renamed(self, name: impl Fn(&str) -> String) -> Self {
        Self(self.0.into_iter().map(|(path, entry)| (name(&path), entry)).collect())
    }

    /// A tar of it with all folders, each before what is in it; `epoch` is in seconds.
    pub(super) fn tar(&self, epoch: u64) -> Result<Vec<u8>> {
        let mut builder = Builder::new(Vec::new());
        let mut folders: BTreeSet<&str> = BTreeSet::new();
        for (path, entry) in &self.0 {
            for (end, _) in path.match_indices('/') {
                let folder = path.get(..end).context("a slash is one byte")?;
                if !self.0.contains_key(folder) && folders.insert(folder) {
                    let usual = Entry { mode: 0o755, owner: 0, content: None };
                    append(&mut builder, folder, &usual, epoch)?;
                }
            }
            append(&mut builder, path, entry, epoch)?;
        }
        Ok(builder.into_inner()?)
    }
}

fn append(builder: &mut Builder<Vec<u8>>, path: &str, entry: &Entry, epoch: u64) -> Result<()> {
    let mut header = Header::new_gnu();
    header.set_mode(entry.mode);
    header.set_uid(entry.owner.into());
    header.set_gid(entry.owner.into());
    header.set_mtime(epoch);
    let content = entry.content.as_deref().unwrap_or_default();
    header.set_size(u64::try_from(content.len())?);
    if entry.content.is_some() {
        header.set_entry_type(EntryType::Regular);
        builder.append_data(&mut header, path, content)?;
    } else {
        header.set_entry_type(EntryType::Directory);
        builder.append_data(&mut header, format!("{path}/"), content)?;
    }
    Ok(())
}

/// The bytes, packed.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    // Without a name and a time, which would differ.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// The SHA-256 of bytes, as hexadecimal digits.
pub(super) fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::{Tree, digest, gzip};
    use tar::Archive;

    fn tree() -> Tree {
        let mut tree = Tree::default();
        tree.add("usr/share/b", 0o644, "b");
        tree.add("usr/bin/a", 0o755, "a");
        tree.add_folder("data", 0o700, 10001);
        tree
    }

    #[test]
    fn a_folder_comes_before_what_is_in_it_and_all_are_of_one_moment() {
        let tar = tree().tar(1_700_000_000).unwrap();
        let mut archive = Archive::new(tar.as_slice());
        let entries: Vec<_> = archive.entries().unwrap().map(Result::unwrap).collect();
        let found: Vec<_> = entries
            .iter()
            .map(|entry| {
                let header = entry.header();
                assert_eq!(header.mtime().unwrap(), 1_700_000_000);
                let path = entry.path().unwrap().display().to_string();
                (path, header.mode().unwrap(), header.uid().unwrap())
            })
            .collect();
        let found: Vec<_> =
            found.iter().map(|(path, mode, id)| (path.as_str(), *mode, *id)).collect();
        assert_eq!(
            found,
            [
                ("data/", 0o700, 10001),
                ("usr/", 0o755, 0),
                ("usr/bin/", 0o755, 0),
                ("usr/bin/a", 0o755, 0),
                ("usr/share/", 0o755, 0),
                ("usr/share/b", 0o644, 0),
            ]
        );
    }

    #[test]
    fn the_same_files_are_the_same_bytes() {
        let packed = || digest(&gzip(&tree().tar(1).unwrap()).unwrap());
        assert_eq!(packed(), packed());
        assert_ne!(packed(), digest(&gzip(&tree().tar(2).unwrap()).unwrap()));
    }
}
