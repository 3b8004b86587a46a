//! Which files of a bundle, or of the folder of one, are read, and which together.

use std::collections::{HashMap, HashSet};

use crate::bundle::inception::{PROJECT, States};
use crate::bundle::layout::{Author, Layout, Origin, common_folder, is_ours};
use crate::import::findings::note::{ImportNote, Notes};
use crate::import::format::ImportFormat;
use crate::import::options::ReadOptions;

/// A file of the bundle, by its place in the list, or two that are read as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BundlePart {
    pub(super) file: usize,
    /// The text that belongs to a file of brat's annotations.
    pub(super) text: Option<usize>,
    pub(super) format: ImportFormat,
    pub(super) origin: Origin,
}

/// A file with what is known of it.
#[derive(Debug)]
pub(super) struct Known<'path> {
    pub(super) path: &'path str,
    /// None for a file of no known format.
    pub(super) format: Option<ImportFormat>,
    pub(super) origin: Origin,
}

/// The parts in groups, each of one document or of one file with many; and the files that are in
/// no group, because they are of no known format or are no work.
pub(super) fn groups(files: &[Known<'_>]) -> (Vec<Vec<BundlePart>>, Vec<usize>) {
    let named: Vec<_> = files.iter().map(|file| (file.path, file.format)).collect();
    let text_of = brat_texts(&named);
    // A text with annotations of its own is read with them only.
    let mut taken = vec![false; files.len()];
    for text in text_of.iter().flatten() {
        if let Some(taken) = taken.get_mut(*text) {
            *taken = true;
        }
    }
    let mut groups: Vec<Vec<BundlePart>> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut left = Vec::new();
    for (at, ((file, text), taken)) in files.iter().zip(text_of).zip(taken).enumerate() {
        if taken {
            continue;
        }
        let Some(format) = file.format.filter(|_| file.origin.author != Author::PassedOver) else {
            left.push(at);
            continue;
        };
        let part = BundlePart { file: at, text, format, origin: file.origin.clone() };
        let place = format
            .is_one_document()
            .then(|| *places.entry(&file.origin.document).or_insert(groups.len()));
        match place.and_then(|place| groups.get_mut(place)) {
            Some(group) => group.push(part),
            None => groups.push(vec![part]),
        }
    }
    for group in &mut groups {
        // The text alone is needed only where no file with a judgement has it.
        let is_judged = |part: &BundlePart| part.origin.author != Author::Unjudged;
        if group.iter().any(is_judged) {
            group.retain(is_judged);
        } else {
            group.truncate(1);
        }
    }
    (groups, left)
}

/// What the files of a folder are that holds the unpacked export of a project, of ours, of INCEpTION
/// or of Datasaur, and what is to be known of that. None for all other folders. `read` gives the
/// bytes of the file at a place.
///
/// What is no judgement has an origin only where nothing else has the document's text.
pub fn project_export(
    paths: &[&str],
    options: &ReadOptions,
    read: impl FnOnce(usize) -> Vec<u8>,
) -> Option<(Vec<Option<Origin>>, Vec<ImportNote>)> {
    let layout = Layout::detect(paths);
    if layout == Layout::Plain {
        return None;
    }
    let folder = common_folder(paths);
    let project = paths.iter().position(|path| path.get(folder..) == Some(PROJECT));
    let project = project.filter(|_| layout == Layout::Inception).map(read);
    let mut notes = Notes::default();
    let states = States::of(project.as_deref(), &mut notes);
    let origin = |path: &&str| match layout.origin(path, folder) {
        origin if is_ours(path) => Origin { author: Author::PassedOver, ..origin },
        origin => states.applied(origin, path, options, &mut notes),
    };
    let origins: Vec<Origin> = paths.iter().map(origin).collect();
    let judged = origins.iter().filter(|it| matches!(it.author, Author::Rater(_) | Author::Nobody));
    let mut known: HashSet<String> = judged.map(|origin| origin.document.clone()).collect();
    let needed = |origin: Origin| {
        let is_needed = origin.author != Author::Unjudged || known.insert(origin.document.clone());
        is_needed.then_some(origin)
    };
    Some((origins.into_iter().map(needed).collect(), notes.into_vec()))
}

/// For each file, by its path and format, the place of the text that it annotates: brat's
/// annotations have it beside them, or elsewhere as the only one of their name.
pub fn brat_texts(files: &[(&str, Option<ImportFormat>)]) -> Vec<Option<usize>> {
    let texts = Texts::new(files);
    let text_of = |(path, format): &(&str, Option<ImportFormat>)| {
        texts.of(path).filter(|_| *format == Some(ImportFormat::Brat))
    };
    files.iter().map(text_of).collect()
}

/// The plain texts of a bundle.
struct Texts<'path> {
    by_path: HashMap<&'path str, usize>,
    /// Of each name the one file that has it; none if there are several.
    by_name: HashMap<&'path str, Option<usize>>,
}

impl<'path> Texts<'path> {
    fn new(files: &[(&'path str, Option<ImportFormat>)]) -> Self {
        let mut texts = Self { by_path: HashMap::new(), by_name: HashMap::new() };
        for (at, (path, format)) in files.iter().enumerate() {
            if *format != Some(ImportFormat::PlainText) {
                continue;
            }
            let path = without_extension(path);
            texts.by_path.insert(path, at);
            let name = path.rsplit('/').next().unwrap_or(path);
            texts.by_name.entry(name).and_modify(|place| *place = None).or_insert(Some(at));
        }
        texts
    }

    /// The text of these annotations: beside them, or the only one of their name.
    fn of(&self, path: &str) -> Option<usize> {
        let path = without_extension(path);
        let name = path.rsplit('/').next().unwrap_or(path);
        self.by_path.get(path).copied().or_else(|| self.by_name.get(name).copied().flatten())
    }
}

fn without_extension(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(path, _)| path)
}
