//! A zip: which files it lists, and each file's bytes.

use std::io::{self, BufRead, BufReader, Read, Seek};

use zip::CompressionMethod;
use zip::read::ZipArchive;

use super::limits::BundleLimits;
use super::name::Names;
use crate::import::limits::count64;
use crate::problem::bundle::BundleProblem;
use crate::problem::quoted::shorten;

/// A file of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleFile {
    /// Its name with its folders, parted by `/`.
    pub path: String,
    /// How many bytes it has, as the zip says.
    pub size: u64,
    /// Where the zip lists it.
    pub(super) place: usize,
}

/// What may be packed so well as it likes.
const FREE_BYTES: u64 = 1 << 20;

/// The bits of a Unix mode that say what kind of thing it is, and those of a file and a folder.
const KIND: u32 = 0o17_0000;
const KIND_FILE: u32 = 0o10_0000;
const KIND_FOLDER: u32 = 0o04_0000;

type Refused = (Option<String>, BundleProblem);

/// Opens a zip and lists its files; folders are left out.
pub(super) fn open_zip<R: Read + Seek>(
    zip: R,
    limits: &BundleLimits,
) -> Result<(ZipArchive<R>, Vec<BundleFile>), Refused> {
    let broken =
        |error: zip::result::ZipError| (None, BundleProblem::NotZip(shorten(&error.to_string())));
    let archive = ZipArchive::new(zip).map_err(broken)?;
    if archive.has_duplicate_names() {
        return Err((None, BundleProblem::Duplicate));
    }
    let metadata = archive.metadata();
    let mut files = Vec::new();
    for place in 0..metadata.len() {
        let entry = metadata.entry(place).map_err(broken)?;
        let name = std::str::from_utf8(entry.name_raw());
        let shown = || {
            let name = String::from_utf8_lossy(entry.name_raw());
            Some(shorten(&name))
        };
        let name = name.map_err(|_| (shown(), BundleProblem::NameNotUtf8))?;
        let refuse = |problem| Err((shown(), problem));
        if entry.is_symlink() {
            return refuse(BundleProblem::Symlink);
        }
        let kind = entry.unix_mode().map_or(0, |mode| mode & KIND);
        if ![0, KIND_FILE, KIND_FOLDER].contains(&kind) {
            return refuse(BundleProblem::NoFile);
        }
        if entry.encrypted() {
            return refuse(BundleProblem::Encrypted);
        }
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return refuse(BundleProblem::Method);
        }
        let beyond = entry.size().saturating_sub(FREE_BYTES);
        if beyond > entry.compressed_size().saturating_mul(limits.ratio) {
            return refuse(BundleProblem::Ratio(limits.ratio));
        }
        if name.ends_with(['/', '\\']) || kind == KIND_FOLDER {
            // A folder's name is a file's but for its end, and may lead as far away.
            let folder = name.trim_end_matches(['/', '\\']);
            let names = &mut Names::default();
            names.check(folder, limits).map_err(|problem| (shown(), problem))?;
            continue;
        }
        files.push(BundleFile { path: name.to_owned(), size: entry.size(), place });
    }
    Ok((archive, files))
}

/// Opens a file of the zip.
pub(super) fn open<'a, R: Read + Seek>(
    archive: &'a mut ZipArchive<R>,
    file: &BundleFile,
) -> io::Result<impl BufRead + use<'a, R>> {
    let reader = archive.by_index(file.place)?;
    Ok(BufReader::new(Promised { reader, left: file.size }))
}

/// A file that has no more bytes than its zip says.
struct Promised<R> {
    reader: R,
    left: u64,
}

impl<R: Read> Read for Promised<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(out)?;
        self.left = self.left.checked_sub(count64(read)).ok_or_else(|| {
            io::Error::other("the file is larger than the directory of its zip says")
        })?;
        Ok(read)
    }
}
