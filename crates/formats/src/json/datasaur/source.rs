//! Whose labels a file in the zip of a Datasaur export holds.

/// Whose labels a file of a Datasaur export holds, by the folder it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatasaurSource<'path> {
    /// `DOCUMENT-<labeler>`: what one labeler marked.
    Labeler(&'path str),
    /// `REVIEW`: what the review left.
    Review,
    /// `ROOT`: the text without labels.
    Root,
}

/// Tells whose labels a file holds by its path within the zip, with `/` between folders.
///
/// ```
/// use formats::{DatasaurSource, datasaur_source};
///
/// let path = "export/DOCUMENT-ana@example.org/news.json";
/// assert_eq!(datasaur_source(path), Some(DatasaurSource::Labeler("ana@example.org")));
/// assert_eq!(datasaur_source("REVIEW/news.json"), Some(DatasaurSource::Review));
/// assert_eq!(datasaur_source("news.json"), None);
/// ```
pub fn datasaur_source(path: &str) -> Option<DatasaurSource<'_>> {
    let (folders, _) = path.rsplit_once('/')?;
    folders.rsplit('/').find_map(|folder| match folder {
        "REVIEW" => Some(DatasaurSource::Review),
        "ROOT" => Some(DatasaurSource::Root),
        _ => folder
            .strip_prefix("DOCUMENT-")
            .filter(|labeler| !labeler.trim().is_empty())
            .map(DatasaurSource::Labeler),
    })
}
