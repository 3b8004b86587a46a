//! Which links stay in the book: the rest lead to files that only a clone has, or to other servers.

use mdbook_driver::book::{Book, BookItem};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The sources of the book's pages, by their paths below `docs`.
pub(crate) fn pages(book: &Book) -> BTreeSet<PathBuf> {
    let of_chapter = |item: &BookItem| match item {
        BookItem::Chapter(chapter) => chapter.path.clone(),
        _ => None,
    };
    book.iter().filter_map(of_chapter).collect()
}

/// Whether a link of the page at `from` can be followed by whoever reads the book.
pub(crate) fn stays(link: &str, from: &Path, pages: &BTreeSet<PathBuf>) -> bool {
    let file = link.split('#').next().unwrap_or_default();
    // The same page, or another server.
    if file.is_empty() || file.contains(':') {
        return true;
    }
    let beside = from.parent().unwrap_or(Path::new(""));
    flattened(&beside.join(file)).is_some_and(|path| pages.contains(&path))
}

/// A path without `..`; none if it leads above where it begins.
fn flattened(path: &Path) -> Option<PathBuf> {
    let mut flat = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => flat.pop().then_some(())?,
            Component::Normal(name) => flat.push(name),
            _ => {}
        }
    }
    Some(flat)
}
