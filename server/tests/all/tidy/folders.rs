//! What a folder may hold: few enough entries to be seen at once, and its own module inside of it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use super::{DIRECTIONS, root, rust_files};

/// The most entries of a folder.
const MOST: usize = 12;

/// Folders that have more, with why.
const LARGER: &[(&str, &str)] = &[("migrations/src", "a migration a file, in the order of time")];

/// A folder and all below it, with how many entries each has.
fn sizes(folder: &Path, found: &mut BTreeMap<String, usize>) {
    let entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let name = folder.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
    found.insert(name, entries.len());
    entries.iter().filter(|entry| entry.is_dir()).for_each(|entry| sizes(entry, found));
}

#[test]
fn no_folder_has_more_than_twelve_entries() {
    let sources = DIRECTIONS.iter().map(|(member, _)| format!("{member}/src"));
    let others = ["app/public", "docs", "style"].map(str::to_owned);
    let mut found = BTreeMap::new();
    for folder in sources.chain(others) {
        sizes(&root().join(folder), &mut found);
    }
    let large: Vec<_> =
        found.iter().filter(|(_, size)| **size > MOST).map(|(name, _)| name).collect();
    let named: Vec<_> = LARGER.iter().map(|(name, _)| *name).collect();
    let strange: Vec<_> = large.iter().filter(|name| !named.contains(&name.as_str())).collect();
    assert!(strange.is_empty(), "more than {MOST} entries: {strange:?}");
    let needless: Vec<_> =
        named.iter().filter(|name| !large.iter().any(|large| large == *name)).collect();
    assert!(needless.is_empty(), "no exception any more: {needless:?}");
}

#[test]
fn a_module_with_parts_is_the_mod_file_of_its_folder() {
    let twice: Vec<_> = rust_files()
        .into_iter()
        .filter(|file| root().join(file.with_extension("")).is_dir())
        .collect();
    assert!(twice.is_empty(), "x.rs beside x/: {twice:?}");
}
