//! Who the raters are: whom a file names, or its own name, or its folder.

use std::collections::{BTreeMap, BTreeSet};

use domain::RatersFrom;

use super::{
    Entry, Reading,
    paths::{FilePath, taken_apart},
};

/// What is known of a document of a file once everybody has a name.
#[derive(Debug)]
pub(crate) struct RatedEntry {
    /// What the document is called, if that says which it is: a name that is made of a line's
    /// number or of a rater's file does not.
    pub(crate) known_as: Option<String>,
    /// The rater of each work, in its order, by their place among all; none if nothing was judged.
    pub(crate) work: Vec<Option<usize>>,
}

impl RatedEntry {
    /// Who has judged it.
    pub(crate) fn raters(&self) -> impl Iterator<Item = usize> {
        self.work.iter().flatten().copied()
    }
}

/// Everybody in the order in which they turn up, and what is known of each document.
#[derive(Debug)]
pub(crate) struct Rated {
    pub(crate) raters: Vec<String>,
    pub(crate) entries: Vec<RatedEntry>,
}

/// Gives everybody a name.
pub(crate) fn rated(reading: &Reading, from: RatersFrom) -> Rated {
    let paths = taken_apart(reading.files.iter().map(|file| file.name.as_str()));
    let by_folder = is_by_folder(reading, &paths, from);
    let mut raters: Vec<String> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut place_of = |name: &str| {
        if let Some(place) = places.get(name) {
            return *place;
        }
        places.insert(name.to_owned(), raters.len());
        raters.push(name.to_owned());
        raters.len() - 1
    };
    let rate = |entry: &Entry| {
        let path = paths.get(entry.file);
        let known_as = path.and_then(|path| known_as(reading, entry, path, by_folder));
        let work = entry.work.iter().map(|work| {
            let stands_for = || path.map_or("", |path| rater_of(path, by_folder));
            let name = work.rater.as_deref().unwrap_or_else(stands_for);
            reading.counts(entry, work).then(|| place_of(name))
        });
        RatedEntry { known_as, work: work.collect() }
    };
    let entries = reading.entries.iter().map(rate).collect();
    Rated { raters, entries }
}

/// Whom a file without names in it stands for.
fn rater_of(path: &FilePath, by_folder: bool) -> &str {
    path.folders.first().filter(|_| by_folder).unwrap_or(&path.stem)
}

/// Whether folders stand for raters.
fn is_by_folder(reading: &Reading, paths: &[FilePath], from: RatersFrom) -> bool {
    match from {
        RatersFrom::File => false,
        RatersFrom::Folder => true,
        RatersFrom::Auto => {
            let nameless =
                || reading.entries.iter().filter(|entry| reading.has_nameless_work(entry));
            let folders: BTreeSet<Option<&String>> = nameless()
                .filter_map(|entry| paths.get(entry.file))
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
    entries: impl Iterator<Item = &'a Entry>,
    paths: &[FilePath],
    by_folder: bool,
) -> usize {
    let (mut seen, mut repeats) = (BTreeSet::new(), 0);
    for entry in entries {
        let Some(path) = paths.get(entry.file) else { continue };
        repeats += usize::from(!seen.insert((rater_of(path, by_folder), entry.text)));
    }
    repeats
}

/// What a document is called beside its id. The whole of a file is called like the file, unless
/// that is the rater's; then its folder may tell.
fn known_as(
    reading: &Reading,
    document: &Entry,
    path: &FilePath,
    by_folder: bool,
) -> Option<String> {
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
    let stands_for_rater = reading.has_nameless_work(document);
    let within = folders.get(usize::from(by_folder && stands_for_rater)..).unwrap_or_default();
    let file = (by_folder || !stands_for_rater).then_some(stem);
    let parts: Vec<&str> = within.iter().chain(file).map(String::as_str).collect();
    (!parts.is_empty()).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{super::tests::read_all, *};

    /// Each file is one document; what comes of it is rater and name.
    fn raters_of(files: &[(&str, &str)], from: RatersFrom) -> Vec<(String, Option<String>)> {
        let files: Vec<_> =
            files.iter().map(|(name, text)| (*name, format!("{text} O\n"))).collect();
        let (reading, _) = read_all(&files);
        let Rated { raters, entries } = rated(&reading, from);
        let named = |entry: RatedEntry| {
            let rater = entry.raters().next().and_then(|place| raters.get(place));
            (rater.cloned().unwrap_or_default(), entry.known_as)
        };
        entries.into_iter().map(named).collect()
    }

    fn of(rater: &str, name: Option<&str>) -> (String, Option<String>) {
        (rater.to_owned(), name.map(str::to_owned))
    }

    #[test]
    fn a_file_is_a_rater_and_then_its_name_is_not_the_documents() {
        assert_eq!(
            raters_of(&[("x/ana.conll", "Ur"), ("x/bo.conll", "Ur")], RatersFrom::Auto),
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
            raters_of(&by_person, RatersFrom::Auto),
            [of("ana", one), of("ana", two), of("bo", one), of("bo", two)]
        );
        let by_document = [
            ("1/ana.conll", "Ur"),
            ("2/ana.conll", "Uz"),
            ("1/bo.conll", "Ur"),
            ("2/bo.conll", "Uz"),
        ];
        assert_eq!(
            raters_of(&by_document, RatersFrom::Auto),
            [of("ana", one), of("ana", two), of("bo", one), of("bo", two)]
        );
        let forced = raters_of(&by_document, RatersFrom::Folder);
        assert_eq!(forced[0], of("1", Some("ana")));
    }

    #[test]
    fn a_file_beside_the_folders_leaves_the_names_to_the_files() {
        assert_eq!(
            raters_of(&[("ana.conll", "Ur"), ("b/bo.conll", "Ur")], RatersFrom::Auto),
            [of("ana", None), of("bo", Some("b"))]
        );
    }
}
