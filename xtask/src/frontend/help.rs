//! The help: the book of `docs`, with its stylesheet, in the site folder.

use crate::frontend::{compress, compress::Effort, site, stylesheet};
use crate::process;
use crate::workspace::Workspace;
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What a page of the help may load besides pictures: itself, its style and its script, after brotli, in
/// bytes. The search comes when somebody wants it.
const LIMIT: usize = 40_000;

/// What the search may load, once, after brotli, in bytes.
const SEARCH_LIMIT: usize = 250_000;

/// What all of the help may weigh with its compressed copies, in bytes: the binary carries it.
const FOLDER_LIMIT: u64 = 3_000_000;

/// Where the help is in the site folder.
const FOLDER: &str = "help";

/// What the search loads.
const SEARCH: [&str; 2] = ["elasticlunr.min.js", "searchindex.js"];

/// Builds the program that makes the book. It is a development build whatever the front end is: it runs
/// once.
pub(crate) fn build_program(workspace: &Workspace) -> Result<()> {
    process::run(workspace.cargo().args(["build", "--package", "help"]))
}

/// Writes the help into a new site folder, by the program that has been built.
pub(crate) fn write(workspace: &Workspace, new_site: &Path, effort: Effort) -> Result<()> {
    let folder = new_site.join(FOLDER);
    let mut program = Command::new(workspace.program("help"));
    process::run(program.arg(&workspace.root).arg(&folder))?;
    let css = stylesheet::bundle(&workspace.root.join("style/help.css"))?;
    fs::write(folder.join("help.css"), css)?;
    weigh(&folder, effort)
}

/// Writes the compressed copies, and refuses what people would have to wait for.
fn weigh(folder: &Path, effort: Effort) -> Result<()> {
    let (mut every_page, mut largest, mut search) = (0, 0, 0);
    for file in site::files(folder)? {
        let extension = file.extension().and_then(|extension| extension.to_str());
        match (extension, file.to_str()) {
            (Some("js"), Some(name)) if SEARCH.contains(&name) => {
                search += compress::write_copies(&folder.join(&file), effort)?;
            }
            (Some("html"), _) => {
                largest = largest.max(compress::write_copies(&folder.join(&file), effort)?);
            }
            (Some("js" | "css"), _) => {
                every_page += compress::write_copies(&folder.join(&file), effort)?;
            }
            // Pictures.
            _ => {}
        }
    }
    let page = every_page + largest;
    let mut whole = 0;
    for file in site::files(folder)? {
        whole += fs::metadata(folder.join(file))?.len();
    }
    println!(
        "the help: after brotli a page at most {page} of {LIMIT} bytes, its search {search} of {SEARCH_LIMIT}; \
         all of it {whole} of {FOLDER_LIMIT}"
    );
    anyhow::ensure!(
        whole <= FOLDER_LIMIT,
        "the help is {whole} bytes with its compressed copies, over {FOLDER_LIMIT}"
    );
    anyhow::ensure!(page <= LIMIT, "a page of the help is {page} bytes after brotli, over {LIMIT}");
    anyhow::ensure!(
        search <= SEARCH_LIMIT,
        "the search of the help is {search} bytes after brotli, over {SEARCH_LIMIT}"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICK: Effort = Effort { brotli: 4, gzip: 4 };

    #[test]
    fn pages_have_copies_and_pictures_stay_as_they_are() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("pictures")).unwrap();
        for name in ["index.html", "help.js", "help.css", "searchindex.js", "pictures/a.webp"] {
            fs::write(dir.path().join(name), "content").unwrap();
        }
        weigh(dir.path(), QUICK).unwrap();
        assert_eq!(site::files(dir.path()).unwrap().len(), 4 * 3 + 1);
    }

    #[test]
    fn what_takes_too_long_to_load_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        // What no compressor makes smaller.
        let mut state = 1_u64;
        let noise: Vec<u8> = (0..=LIMIT)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                state.to_be_bytes()[0]
            })
            .collect();
        fs::write(dir.path().join("index.html"), noise).unwrap();
        assert!(weigh(dir.path(), QUICK).unwrap_err().to_string().contains("a page of the help"));
    }

    #[test]
    fn what_makes_the_binary_too_large_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let picture = fs::File::create(dir.path().join("a.webp")).unwrap();
        picture.set_len(FOLDER_LIMIT + 1).unwrap();
        assert!(weigh(dir.path(), QUICK).unwrap_err().to_string().contains("compressed copies"));
    }
}
