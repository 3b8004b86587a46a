//! Several files at once: a zip, or a set of named files such as a folder's.

mod directory;
pub(crate) mod folders;
pub(crate) mod group;
pub(crate) mod layout;
pub(crate) mod limits;
mod merge;
mod name;
pub(crate) mod reading;
pub(crate) mod source;
pub(crate) mod write;

use std::io::{self, Read, Seek};

use self::layout::{Author, Layout};
use self::limits::BundleLimits;
use self::name::Names;
use self::source::{BundleFile, Source};
use crate::problem::bundle::BundleProblem;
use crate::problem::{ImportError, Problem};

/// The files of a zip or a folder, none of them read yet.
///
/// Opening checks every name and size by the [`BundleLimits`], and refuses the whole with the
/// first that is wrong, before anything is unpacked. Reading ([`Bundle::read`]) holds one file in
/// memory at a time, and ends a file that is longer than its zip said.
#[derive(Debug)]
pub struct Bundle<R> {
    name: String,
    source: Source<R>,
    files: Vec<BundleFile>,
    passed_over: usize,
    layout: Layout,
    /// How many bytes the folder takes that all files are in.
    folder: usize,
}

impl<R: Read + Seek> Bundle<R> {
    /// Opens a zip. The name is for errors, which name files as `<name>/<path>`.
    pub fn from_zip(name: &str, mut zip: R, limits: &BundleLimits) -> Result<Self, ImportError> {
        let refuse = |(path, problem): (Option<String>, BundleProblem)| ImportError {
            file: path.map_or_else(|| name.to_owned(), |path| format!("{name}/{path}")),
            line: None,
            field: None,
            problem: Problem::Bundle(problem),
        };
        directory::check(&mut zip, limits).map_err(|problem| refuse((None, problem)))?;
        let (source, entries) = source::open_zip(zip, limits).map_err(refuse)?;
        Self::new(name, source, entries, limits).map_err(refuse)
    }
}

impl Bundle<io::Empty> {
    /// Takes a set of files, such as those of a folder, by their names within it.
    pub fn from_files(
        name: &str,
        files: Vec<(String, Vec<u8>)>,
        limits: &BundleLimits,
    ) -> Result<Self, ImportError> {
        let size = |bytes: &[u8]| u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let entries: Vec<_> =
            files.iter().map(|(path, bytes)| (path.clone(), size(bytes))).collect();
        let source = Source::Files(files.into_iter().map(|(_, bytes)| bytes).collect());
        let entries = entries.into_iter().enumerate().map(|(place, (path, size))| BundleFile {
            path,
            size,
            place,
        });
        Self::new(name, source, entries.collect(), limits).map_err(|(path, problem)| ImportError {
            file: path.map_or_else(|| name.to_owned(), |path| format!("{name}/{path}")),
            line: None,
            field: None,
            problem: Problem::Bundle(problem),
        })
    }
}

impl<R> Bundle<R> {
    fn new(
        name: &str,
        source: Source<R>,
        entries: Vec<BundleFile>,
        limits: &BundleLimits,
    ) -> Result<Self, (Option<String>, BundleProblem)> {
        let (count, most) = (entries.len(), limits.entries);
        if count > most {
            return Err((None, BundleProblem::TooManyEntries { most }));
        }
        let mut names = Names::default();
        let mut files = Vec::new();
        let (mut total, mut passed_over) = (0_u64, 0);
        for entry in entries {
            let shown = || Some(crate::problem::quoted::shorten(&entry.path));
            let path = names.check(&entry.path, limits).map_err(|problem| (shown(), problem))?;
            total = total.saturating_add(entry.size);
            if entry.size > limits.file_bytes {
                let problem = BundleProblem::FileTooLarge { most: limits.file_bytes };
                return Err((shown(), problem));
            }
            if total > limits.total_bytes {
                return Err((None, BundleProblem::TooLarge { most: limits.total_bytes }));
            }
            if name::is_clutter(&path) {
                passed_over += 1;
            } else if name::is_archive(&path) {
                return Err((shown(), BundleProblem::Nested));
            } else {
                files.push(BundleFile { path, ..entry });
            }
        }
        if files.is_empty() {
            return Err((None, BundleProblem::Empty));
        }
        let paths: Vec<&str> = files.iter().map(|file| &*file.path).collect();
        let (layout, folder) = (Layout::detect(&paths), layout::common_folder(&paths));
        Ok(Self { name: name.to_owned(), source, files, passed_over, layout, folder })
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
