//! What names of folders and files say: whose work it is, and on which document.

use crate::export::loss::list::LOSSES;
use crate::import::format::stem;
use crate::json::datasaur::source::{DatasaurSource, datasaur_source};

/// How a bundle is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Layout {
    /// Names say nothing of raters. The document is named after the file.
    #[default]
    Plain,
    /// An export of ours with a folder for each rater (`anna/news-1.txt`), which [`RATERS`] beside
    /// them says; files beside these folders are nobody's. Whose folders are in a zip of others,
    /// whoever reads all files infers from what is in them.
    FolderPerRater,
    /// The export of a project of INCEpTION or WebAnno: `annotation/<document>/<rater>.tsv`, and
    /// the curator's in `curation/<document>/CURATION_USER.tsv`, which is nobody's: the gold
    /// standard. What was there before annotation (`INITIAL_CAS`) counts where nobody has
    /// begun; other files are passed over.
    Inception,
    /// The export of a project of Datasaur: `DOCUMENT-<rater>/<document>.json`, and what the review
    /// left in `REVIEW/<document>.json`, which is nobody's: the gold standard. `ROOT`, which has
    /// texts only, is passed over.
    Datasaur,
}

/// Whose work a file is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Author {
    /// Nobody's that is named.
    Nobody,
    /// A rater's.
    Rater(String),
    /// No judgement of anybody's: what was there before annotation, or what nobody has finished. It
    /// is read where nothing else has the document's text, and without spans.
    Unjudged,
    /// It is no work at all, so it is passed over.
    PassedOver,
}

/// What a file's name says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Whose work it is.
    pub author: Author,
    /// The folder of the document's files and the document's name, by which files belong together.
    pub document: String,
    /// The document's name, where it is not the file's.
    pub name: Option<String>,
}

/// The file that says that an export of ours has a folder for each rater, and who they are.
pub const RATERS: &str = "concord-raters.json";

/// Tells a layout by the names of all files within their common folder.
type Detector = fn(&[&str]) -> Option<Layout>;

/// What tells a layout, in the order in which to ask; a tool with another one adds its own here.
const DETECTORS: [Detector; 3] = [folder_per_rater, inception, datasaur];

impl Layout {
    /// Tells the layout by the names of all files.
    pub(super) fn detect(paths: &[&str]) -> Self {
        let folder = common_folder(paths);
        let inner: Vec<&str> = paths.iter().filter_map(|path| path.get(folder..)).collect();
        DETECTORS.iter().find_map(|detect| detect(&inner)).unwrap_or_default()
    }

    /// What a file's name says. `folder` is how many bytes the folder of all files takes.
    pub(super) fn origin(self, path: &str, folder: usize) -> Origin {
        let inner = path.get(folder..).unwrap_or(path);
        let without_extension = |path: &str| {
            let folders = path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or_default();
            format!("{folders}{}", stem(path))
        };
        let nobodys = |document: String| Origin { author: Author::Nobody, document, name: None };
        match self {
            Self::Plain => nobodys(without_extension(inner)),
            Self::FolderPerRater => match inner.split_once('/') {
                Some((rater, rest)) => Origin {
                    author: Author::Rater(rater.to_owned()),
                    ..nobodys(without_extension(rest))
                },
                None => nobodys(without_extension(inner)),
            },
            Self::Datasaur => {
                let author = match datasaur_source(inner) {
                    Some(DatasaurSource::Labeler(rater)) => Author::Rater(rater.to_owned()),
                    Some(DatasaurSource::Review) => Author::Nobody,
                    Some(DatasaurSource::Root) | None => Author::PassedOver,
                };
                let document = inner.split_once('/').map_or(inner, |(_, document)| document);
                Origin { author, ..nobodys(without_extension(document)) }
            }
            Self::Inception => {
                let parts: Vec<&str> = inner.split('/').collect();
                let (kind, document, file) = match parts.as_slice() {
                    [kind, document, file] => (*kind, *document, stem(file)),
                    _ => ("", "", ""),
                };
                let author = match kind {
                    "annotation" if file == INITIAL => Author::Unjudged,
                    "annotation" => Author::Rater(file.to_owned()),
                    "curation" => Author::Nobody,
                    _ => Author::PassedOver,
                };
                let name = (!document.is_empty()).then(|| document.to_owned());
                Origin { author, document: document.to_owned(), name }
            }
        }
    }
}

/// Whether it is a list of ours beside what was exported.
pub(super) fn is_ours(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == RATERS || LOSSES.contains(&name)
}

/// What INCEpTION calls a document as it was before anybody annotated it.
const INITIAL: &str = "INITIAL_CAS";

/// Where INCEpTION keeps the same work as serialized Java, which nothing else reads.
pub(super) const SERIALIZED: &str = "annotation_ser";

fn inception(paths: &[&str]) -> Option<Layout> {
    let is_work = |path: &&str| {
        let parts: Vec<&str> = path.split('/').collect();
        matches!(parts.as_slice(), ["annotation" | "curation" | SERIALIZED, _, _])
    };
    paths.iter().any(is_work).then_some(Layout::Inception)
}

fn datasaur(paths: &[&str]) -> Option<Layout> {
    let is_labelers =
        |path: &&str| matches!(datasaur_source(path), Some(DatasaurSource::Labeler(_)));
    paths.iter().any(is_labelers).then_some(Layout::Datasaur)
}

fn folder_per_rater(paths: &[&str]) -> Option<Layout> {
    paths.contains(&RATERS).then_some(Layout::FolderPerRater)
}

/// How many bytes the folders take that all files are in.
pub(super) fn common_folder(paths: &[&str]) -> usize {
    let mut folder = paths.first().and_then(|path| path.rfind('/')).map_or(0, |at| at + 1);
    let first = paths.first().copied().unwrap_or_default();
    while folder > 0 {
        let common = first.get(..folder).unwrap_or_default();
        if paths.iter().all(|path| path.starts_with(common)) {
            break;
        }
        folder = common.trim_end_matches('/').rfind('/').map_or(0, |at| at + 1);
    }
    // A folder that means something is no wrapping.
    let wrapping = first.get(..folder).unwrap_or_default();
    let meant = wrapping.split('/').position(|part| {
        ["annotation", "curation", SERIALIZED].contains(&part) || part.starts_with("DOCUMENT-")
    });
    match meant {
        Some(parts) => wrapping.split_inclusive('/').take(parts).map(str::len).sum(),
        None => folder,
    }
}
