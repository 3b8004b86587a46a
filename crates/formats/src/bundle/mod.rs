//! Several files at once, in a zip.

mod directory;
pub(crate) mod folders;
pub(crate) mod group;
mod inception;
pub(crate) mod layout;
pub(crate) mod limits;
mod merge;
pub(crate) mod name;
pub(crate) mod reading;
pub(crate) mod source;
pub(crate) mod write;

use std::io::{Read, Seek};

use zip::read::ZipArchive;

use crate::problem::ImportError;
use crate::problem::bundle::BundleProblem;
use crate::problem::quoted::shorten;
use layout::{Author, Layout};
use limits::BundleLimits;
use name::Names;
use source::BundleFile;

/// The files of a zip, none of them read yet.
///
/// Opening checks every name and size by the [`BundleLimits`], and refuses the whole with the
/// first that is wrong, before anything is unpacked. Reading ([`Bundle::read`]) holds one file in
/// memory at a time, and ends a file that is longer than its zip said.
#[derive(Debug)]
pub struct Bundle<R> {
    name: String,
    archive: ZipArchive<R>,
    files: Vec<BundleFile>,
    passed_over: usize,
    layout: Layout,
    /// How many bytes the folder takes that all files are in.
    folder: usize,
}

/// Which file is refused, if one is, and why.
type Refused = (Option<String>, BundleProblem);

impl<R: Read + Seek> Bundle<R> {
    /// Opens a zip. The name is for errors, which name files as `<name>/<path>`.
    pub fn from_zip(name: &str, mut zip: R, limits: &BundleLimits) -> Result<Self, ImportError> {
        let opened = directory::check(&mut zip, limits)
            .map_err(|problem| (None, problem))
            .and_then(|()| source::open_zip(zip, limits))
            .and_then(|(archive, entries)| Self::new(name, archive, entries, limits));
        opened.map_err(|(path, problem)| {
            let file = path.map_or_else(|| name.to_owned(), |path| format!("{name}/{path}"));
            ImportError::of_file(&file, problem)
        })
    }

    fn new(
        name: &str,
        archive: ZipArchive<R>,
        entries: Vec<BundleFile>,
        limits: &BundleLimits,
    ) -> Result<Self, Refused> {
        let (count, most) = (entries.len(), limits.entries);
        if count > most {
            return Err((None, BundleProblem::TooManyEntries(most)));
        }
        let mut names = Names::default();
        let mut files = Vec::new();
        let (mut total, mut passed_over) = (0_u64, 0);
        let (mut ours, mut nested) = (Vec::new(), Vec::new());
        for entry in entries {
            let shown = || Some(shorten(&entry.path));
            let path = names.check(&entry.path, limits).map_err(|problem| (shown(), problem))?;
            total = total.saturating_add(entry.size);
            if entry.size > limits.file_bytes {
                let problem = BundleProblem::FileTooLarge(limits.file_bytes);
                return Err((shown(), problem));
            }
            if total > limits.total_bytes {
                return Err((None, BundleProblem::TooLarge(limits.total_bytes)));
            }
            if layout::is_ours(&path) {
                ours.push(path);
            } else if name::is_clutter(&path) {
                passed_over += 1;
            } else {
                if name::is_archive(&path) {
                    nested.push(path.clone());
                }
                files.push(BundleFile { path, ..entry });
            }
        }
        if files.is_empty() {
            return Err((None, BundleProblem::Empty));
        }
        let paths = files.iter().map(|file| &*file.path).chain(ours.iter().map(|path| &**path));
        let paths: Vec<&str> = paths.collect();
        let (layout, folder) = (Layout::detect(&paths), layout::common_folder(&paths));
        let is_work = |path: &&String| inception::is_zipped_work(layout, path, folder);
        if let Some(path) = nested.iter().find(|path| !is_work(path)) {
            return Err((Some(shorten(path)), BundleProblem::Nested));
        }
        Ok(Self { name: name.to_owned(), archive, files, passed_over, layout, folder })
    }

    /// The files, in the order of the bundle; not those that systems and editors leave behind.
    pub fn files(&self) -> &[BundleFile] {
        &self.files
    }

    /// What the names of folders and files mean, as was told from all of them.
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// Says what the names mean, where somebody knows better.
    pub fn set_layout(&mut self, layout: Layout) {
        self.layout = layout;
    }

    /// Whose work a file is, as the layout has it.
    pub fn author(&self, file: &BundleFile) -> Author {
        self.layout.origin(&file.path, self.folder).author
    }
}
