//! Who the raters are: whom a file names, or its own name, or its folder.

use std::collections::{BTreeMap, BTreeSet};

use domain::RatersFrom;
use formats::ImportedSpan;

use super::{
    paths::{FilePath, taken_apart},
    reading::{ReadDocument, Reading},
};

/// A document with the marks of raters, each by their place among all.
#[derive(Debug)]
pub(super) struct RatedDocument {
    pub(super) file: usize,
    pub(super) line: usize,
    pub(super) id: Option<String>,
    /// What the document is called, if that says which it is: a name that is made of a line's
    /// number or of a rater's file does not.
    pub(super) known_as: Option<String>,
    /// What to show.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) work: Vec<(usize, Vec<ImportedSpan>)>,
}

/// Everybody in the order in which they turn up, and their documents.
#[derive(Debug)]
pub(super) struct Rated {
    pub(super) raters: Vec<String>,
    pub(super) documents: Vec<RatedDocument>,
}

/// Gives everybody a name.
pub(super) fn rated(reading: &mut Reading, from: RatersFrom) -> Rated {
    let paths = taken_apart(reading.files.iter().map(|file| file.name.as_str()));
    let documents = std::mem::take(&mut reading.documents);
    let by_folder = is_by_folder(&documents, &paths, from);
    let mut raters: Vec<String> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut place_of = |name: &str| {
        *places.entry(name.to_owned()).or_insert_with(|| {
            raters.push(name.to_owned());
            raters.len() - 1
        })
    };
    let rate = |document: ReadDocument| {
        let path = paths.get(document.file);
        let known_as = path.and_then(|path| known_as(&document, path, by_folder));
        let ReadDocument { file, line, id, name, text, work } = document;
        let work = work
            .into_iter()
            .map(|(rater, spans)| {
                let stands_for = || path.map_or("", |path| rater_of(path, by_folder));
                (place_of(rater.as_deref().unwrap_or_else(stands_for)), spans)
            })
            .collect();
        RatedDocument { file, line, id, known_as, name, text, work }
    };
    let documents = documents.into_iter().map(rate).collect();
    Rated { raters, documents }
}

/// Whom a file without names in it stands for.
fn rater_of(path: &FilePath, by_folder: bool) -> &str {
    path.folders.first().filter(|_| by_folder).unwrap_or(&path.stem)
}

/// Whether folders stand for raters.
fn is_by_folder(documents: &[ReadDocument], paths: &[FilePath], from: RatersFrom) -> bool {
    match from {
        RatersFrom::File => false,
        RatersFrom::Folder => true,
        RatersFrom::Auto => {
            let nameless = || documents.iter().filter(|document| document.has_nameless_work());
            let folders: BTreeSet<Option<&String>> = nameless()
                .filter_map(|document| paths.get(document.file))
                .map(|path| path.folders.first())
                .collect();
            let all_lie_in_several = folders.len() > 1 && !folders.contains(&None);
            all_lie_in_several
                && repeats(nameless(), paths, true) <= repeats(nameless(), paths, false)
        }
    }
}

/// How often somebody would have a text that they have already.
fn repeats<'a>(
    documents: impl Iterator<Item = &'a ReadDocument>,
    paths: &[FilePath],
    by_folder: bool,
) -> usize {
    let (mut seen, mut repeats) = (BTreeSet::new(), 0);
    for document in documents {
        let Some(path) = paths.get(document.file) else { continue };
        repeats += usize::from(!seen.insert((rater_of(path, by_folder), &document.text)));
    }
    repeats
}

/// What a document is called beside its id. The whole of a file is called like the file, unless
/// that is the rater's; then its folder may tell.
fn known_as(document: &ReadDocument, path: &FilePath, by_folder: bool) -> Option<String> {
    let FilePath { folders, stem } = path;
    let name = &document.name;
    let numbered = name.strip_prefix(stem.as_str()).and_then(|rest| rest.strip_prefix('-'));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if numbered.is_some_and(is_number) || document.id.as_ref() == Some(name) {
        return None;
    }
    if name != stem {
        return Some(name.clone());
    }
    // Where the path stands for no rater, all of it is the document's.
    let stands_for_rater = document.has_nameless_work();
    let within = folders.get(usize::from(by_folder && stands_for_rater)..).unwrap_or_default();
    let file = (by_folder || !stands_for_rater).then_some(stem);
    let parts: Vec<&str> = within.iter().chain(file).map(String::as_str).collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{ComparingOptions, problems::Problems, reading::read},
        *,
    };
    use crate::importing::UploadedFile;

    /// Each file is one document; what comes of it is rater and name.
    fn told(files: &[(&str, &str)], from: RatersFrom) -> Vec<(String, Option<String>)> {
        let uploaded = files.iter().map(|(name, text)| UploadedFile {
            name: (*name).to_owned(),
            bytes: format!("{text} O\n").into_bytes(),
        });
        let mut reading =
            read(uploaded.collect(), ComparingOptions::default(), &mut Problems::default());
        let Rated { raters, documents } = rated(&mut reading, from);
        let told = |document: RatedDocument| {
            let rater = document.work.first().and_then(|(place, _)| raters.get(*place));
            (rater.cloned().unwrap_or_default(), document.known_as)
        };
        documents.into_iter().map(told).collect()
    }

    fn of(rater: &str, name: Option<&str>) -> (String, Option<String>) {
        (rater.to_owned(), name.map(str::to_owned))
    }

    #[test]
    fn a_file_is_a_rater_and_then_its_name_is_not_the_documents() {
        assert_eq!(
            told(&[("x/ana.conll", "Ur"), ("x/bo.conll", "Ur")], RatersFrom::Auto),
            [of("ana", None), of("bo", None)]
        );
    }

    #[test]
    fn folders_are_raters_where_nobody_has_a_text_twice_for_it() {
        let by_person = [
            ("ana/1.conll", "Ur"),
            ("ana/2.conll", "Uz"),
            ("bo/1.conll", "Ur"),
            ("bo/2.conll", "Uz"),
        ];
        let (one, two) = (Some("1"), Some("2"));
        assert_eq!(
            told(&by_person, RatersFrom::Auto),
            [of("ana", one), of("ana", two), of("bo", one), of("bo", two)]
        );
        let by_document = [
            ("1/ana.conll", "Ur"),
            ("2/ana.conll", "Uz"),
            ("1/bo.conll", "Ur"),
            ("2/bo.conll", "Uz"),
        ];
        assert_eq!(
            told(&by_document, RatersFrom::Auto),
            [of("ana", one), of("ana", two), of("bo", one), of("bo", two)]
        );
        let forced = told(&by_document, RatersFrom::Folder);
        assert_eq!(forced[0], of("1", Some("ana")));
    }

    #[test]
    fn a_file_beside_the_folders_leaves_the_names_to_the_files() {
        assert_eq!(
            told(&[("ana.conll", "Ur"), ("b/bo.conll", "Ur")], RatersFrom::Auto),
            [of("ana", None), of("bo", Some("b"))]
        );
    }
}
