//! The book at `/help`: what `docs` has, as pages that a browser searches without a network.
//!
//! mdBook makes the pages and the index, by a theme of our own whose scripts and styles are files: the
//! content security policy of the product holds for them as it is. Formulas are made into `MathML`.

mod chapter;
mod formulas;
mod links;

use anyhow::{Context, Result};
use mdbook_driver::MDBook;
use mdbook_driver::book::BookItem;
use mdbook_driver::config::Config;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// How the book is built.
const CONFIG: &str = include_str!("../book.toml");

/// What the pages do: the choice of colours, and the search.
const SCRIPT: &str = include_str!("../theme/help.js");

/// What of mdBook's own files the theme loads: the search, and what it looks through.
const OF_MDBOOK: [&str; 2] = ["elasticlunr.min.js", "searchindex.js"];

/// Where pictures are, below `docs` and in the book.
const PICTURES: &str = "pictures";

/// Pages that mdBook makes for a theme that we do not have.
const NOT_OURS: &str = "toc.html";

/// How mdBook aligns columns, and how our stylesheet does.
const ALIGNED: [(&str, &str); 3] = [
    (" style=\"text-align: left\"", " class=\"left\""),
    (" style=\"text-align: center\"", " class=\"center\""),
    (" style=\"text-align: right\"", " class=\"right\""),
];

/// Builds the book of the clone at `root` into the folder `out`, which is made.
///
/// # Errors
/// A chapter or a theme that cannot be read, a formula that cannot be set, or a folder that cannot be
/// written to.
pub fn build(root: &Path, out: &Path) -> Result<()> {
    let mut config: Config = CONFIG.parse().context("book.toml")?;
    let whole = tempfile::tempdir()?;
    whole.path().clone_into(&mut config.build.build_dir);
    let mut book = MDBook::load_with_config(root, config)?;
    let pages = links::pages(&book.book);
    let mut outcome = Ok(());
    book.book.for_each_mut(|item| {
        if let (Ok(()), BookItem::Chapter(chapter)) = (&outcome, item) {
            outcome = chapter::prepare(chapter, &pages);
        }
    });
    outcome?;
    book.build()?;
    fs::create_dir_all(out)?;
    fs::write(out.join("help.js"), SCRIPT)?;
    for name in OF_MDBOOK {
        fs::copy(whole.path().join(name), out.join(name))?;
    }
    carry(whole.path(), out, &page)?;
    carry(&whole.path().join(PICTURES), &out.join(PICTURES), &picture)
}

/// A page of the book as a browser gets it; none if a file is no page of ours.
fn page(file: &Path) -> Result<Option<Vec<u8>>> {
    if file.extension() != Some(OsStr::new("html"))
        || file.file_name() == Some(OsStr::new(NOT_OURS))
    {
        return Ok(None);
    }
    let html = fs::read_to_string(file)?;
    // The policy of the site allows no styles in pages.
    let html = ALIGNED.iter().fold(html, |html, (style, class)| html.replace(style, class));
    Ok(Some(html.into_bytes()))
}

/// A picture; none if a file is something else.
fn picture(file: &Path) -> Result<Option<Vec<u8>>> {
    let is_picture = file.extension() == Some(OsStr::new("webp"));
    Ok(is_picture.then(|| fs::read(file)).transpose()?)
}

/// What becomes of a file; none if nothing does.
type Content = dyn Fn(&Path) -> Result<Option<Vec<u8>>>;

/// Writes what becomes of the files of a folder and of those below it.
fn carry(from: &Path, to: &Path, content: &Content) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if path.is_dir() {
            carry(&path, &to.join(name), content)?;
        } else if let Some(bytes) = content(&path).with_context(|| path.display().to_string())? {
            fs::create_dir_all(to)?;
            fs::write(to.join(name), bytes)?;
        }
    }
    Ok(())
}
