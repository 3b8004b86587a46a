//! The built book, read as a browser reads it.

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;

/// An element of a page.
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    /// All text in it.
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// The root of the clone.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The pages of the book, by their paths in it.
pub(crate) static PAGES: LazyLock<BTreeMap<String, Vec<Element>>> = LazyLock::new(|| {
    let pages = FILES.iter().filter(|file| is_a(file, "html"));
    let read = |file| read(&fs::read_to_string(FOLDER.path().join(file)).unwrap());
    pages.map(|file| (file.clone(), read(file))).collect()
});

/// Where it is built, once for all tests of a process.
pub(crate) static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    help::build(&root(), folder.path()).unwrap();
    folder
});

/// Every file of the book, by its path in it.
pub(crate) static FILES: LazyLock<Vec<String>> = LazyLock::new(|| below(FOLDER.path()));

/// Whether a file's name has this ending.
pub(crate) fn is_a(file: &str, ending: &str) -> bool {
    Path::new(file).extension() == Some(OsStr::new(ending))
}

/// Every file below a folder, by its path relative to it.
pub(crate) fn below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(inner).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                open.push(entry);
            } else {
                found.push(entry.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

fn read(html: &str) -> Vec<Element> {
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
    let mut elements = Vec::new();
    add(&dom.document, &mut elements);
    elements
}

fn add(node: &Handle, elements: &mut Vec<Element>) {
    if let NodeData::Element { name, attrs, .. } = &node.data {
        let attributes = attrs.borrow();
        let attributes = attributes.iter();
        elements.push(Element {
            name: name.local.to_string(),
            attributes: attributes
                .map(|it| (it.name.local.to_string(), it.value.to_string()))
                .collect(),
            text: text_of(node),
        });
    }
    for child in node.children.borrow().iter() {
        add(child, elements);
    }
}

fn text_of(node: &Handle) -> String {
    match &node.data {
        NodeData::Text { contents } => contents.borrow().to_string(),
        _ => node.children.borrow().iter().map(text_of).collect(),
    }
}
