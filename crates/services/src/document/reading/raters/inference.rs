//! Which part of the paths tells the raters: the level of folders, or the files' names, between which
//! documents repeat. Two readings that are equally good are none.

use std::collections::{BTreeMap, BTreeSet};

use super::naming::{Named, Naming};
use crate::base::secrets::checksum::Digest;

/// A file that does not say whose it is.
#[derive(Clone, Debug)]
pub(super) struct Unnamed<'a> {
    pub(super) file: Named<'a>,
    /// What is in it.
    pub(super) documents: Vec<Content<'a>>,
}

/// What may tell that a document is one of another file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Content<'a> {
    pub(super) text: Digest,
    pub(super) id: Option<&'a str>,
}

/// Why no reading was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undecided {
    /// No document is in two files.
    NothingRepeats,
    /// By every reading, raters would have documents twice, or each document a rater of its own.
    NoneFits,
    /// Several readings give every rater their documents once.
    SeveralFit,
}

/// How many levels of folders are tried: each takes a look at all documents.
const MAX_LEVELS: usize = 16;

/// Of so many repeats one may be the same rater's: short texts repeat by chance.
const BY_CHANCE: usize = 5;

/// What tells the raters of these files.
pub(super) fn infer(files: &[Unnamed<'_>], candidates: &[Naming]) -> Result<Naming, Undecided> {
    let evidences: [Evidence; 3] = [
        |_, _, document| Some(Key::Text(document.text)),
        |_, _, document| document.id.map(|id| Key::Id(id.to_owned())),
        |naming, file, _| match naming {
            Naming::Folder(_) => naming.document(file).map(Key::Id),
            _ => None,
        },
    ];
    for evidence in evidences {
        let tried: Vec<_> =
            candidates.iter().filter_map(|naming| Tried::of(naming, files, evidence)).collect();
        if tried.iter().all(|tried| tried.repeats == 0 && tried.twice == 0) {
            continue;
        }
        let mut fitting = tried.into_iter().filter(Tried::fits);
        let Some(first) = fitting.next() else { return Err(Undecided::NoneFits) };
        return if fitting.all(|other| other.parts == first.parts) {
            Ok(first.naming.clone())
        } else {
            Err(Undecided::SeveralFit)
        };
    }
    Err(Undecided::NothingRepeats)
}

/// What readings there are of files: each level of their folders, and their names.
pub(super) fn candidates(files: &[Unnamed<'_>]) -> Vec<Naming> {
    let depths = || files.iter().map(|unnamed| unnamed.file.path.own().len());
    let levels = 1..=depths().max().unwrap_or(0).min(MAX_LEVELS);
    // A folder of folders beside a folder of files only holds them together.
    let is_ragged = depths().min() != depths().max();
    let mut folders: Vec<Naming> = levels.map(Naming::Folder).collect();
    if is_ragged {
        folders.reverse();
    }
    folders.into_iter().chain([Naming::File]).collect()
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Text(Digest),
    Id(String),
}

type Evidence = fn(&Naming, Named<'_>, &Content<'_>) -> Option<Key>;

/// A reading, held against the files.
struct Tried<'a> {
    naming: &'a Naming,
    /// The rater of each file, by the first file that is theirs.
    parts: Vec<usize>,
    /// How often a document is another rater's, too.
    repeats: usize,
    /// How often a document is in another file of the same rater.
    twice: usize,
    /// Whether there are several documents and each file is one of them and a rater.
    each_is_one: bool,
}

impl<'a> Tried<'a> {
    /// None if the reading does not name a rater for every file.
    fn of(naming: &'a Naming, files: &[Unnamed<'_>], evidence: Evidence) -> Option<Self> {
        let mut raters: BTreeMap<&str, usize> = BTreeMap::new();
        let mut documents: BTreeSet<Key> = BTreeSet::new();
        let mut judged: BTreeSet<(usize, Key)> = BTreeSet::new();
        let mut found: BTreeSet<(usize, Key, usize)> = BTreeSet::new();
        let mut parts = Vec::with_capacity(files.len());
        for (place, unnamed) in files.iter().enumerate() {
            let rater = *raters.entry(naming.rater(unnamed.file)?).or_insert(place);
            parts.push(rater);
            for document in &unnamed.documents {
                let Some(key) = evidence(naming, unnamed.file, document) else { continue };
                documents.insert(key.clone());
                judged.insert((rater, key.clone()));
                found.insert((rater, key, place));
            }
        }
        let each_is_one = matches!(naming, Naming::File)
            && documents.len() > 1
            && raters.len() == files.len()
            && files.iter().all(|unnamed| unnamed.documents.len() == 1);
        let (repeats, twice) = (judged.len() - documents.len(), found.len() - judged.len());
        Some(Self { naming, parts, repeats, twice, each_is_one })
    }

    const fn fits(&self) -> bool {
        self.repeats > 0 && self.twice * BY_CHANCE <= self.repeats && !self.each_is_one
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::super::paths::taken_apart, *};

    /// What is inferred of files, each with the texts in it, and whose each file is then.
    fn inferred(files: &[(String, Vec<u8>)]) -> Result<Vec<(String, String)>, Undecided> {
        let paths = taken_apart(files.iter().map(|(name, _)| (name.as_str(), true)));
        let content = |text: &u8| Content { text: [*text; 32], id: None };
        let unnamed: Vec<_> = files
            .iter()
            .zip(&paths)
            .map(|((name, texts), path)| Unnamed {
                file: Named { name, path },
                documents: texts.iter().map(content).collect(),
            })
            .collect();
        let naming = infer(&unnamed, &candidates(&unnamed))?;
        let rater = |unnamed: &Unnamed<'_>| naming.rater(unnamed.file).unwrap_or("").to_owned();
        let mut raters: Vec<_> =
            unnamed.iter().map(|it| (it.file.name.to_owned(), rater(it))).collect();
        raters.sort();
        Ok(raters)
    }

    fn of(files: &[(&str, &[u8])]) -> Result<BTreeSet<String>, Undecided> {
        let files: Vec<_> =
            files.iter().map(|(name, texts)| ((*name).to_owned(), texts.to_vec())).collect();
        inferred(&files).map(|found| found.into_iter().map(|(_, rater)| rater).collect())
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_level_between_which_documents_repeat_tells_the_raters() {
        let truth: [(&str, &[u8]); 6] = [
            ("d/ground_truth/1.txt", &[1]),
            ("d/ground_truth/2.txt", &[2]),
            ("d/workers/ana/1.txt", &[1]),
            ("d/workers/ana/2.txt", &[2]),
            ("d/workers/bo/1.txt", &[1]),
            ("d/workers/bo/2.txt", &[2]),
        ];
        assert_eq!(of(&truth), Ok(names(&["ana", "bo", "ground_truth"])));
        // With one worker, the folder around that one's says nothing.
        assert_eq!(of(&truth[..4]), Ok(names(&["ana", "ground_truth"])));
        let by_person: [(&str, &[u8]); 4] =
            [("ana/1", &[1]), ("ana/2", &[2]), ("bo/1", &[1]), ("bo/2", &[2])];
        assert_eq!(of(&by_person), Ok(names(&["ana", "bo"])));
        let by_document: [(&str, &[u8]); 4] =
            [("1/ana", &[1]), ("2/ana", &[2]), ("1/bo", &[1]), ("2/bo", &[2])];
        assert_eq!(of(&by_document), Ok(names(&["ana", "bo"])));
        let by_language: [(&str, &[u8]); 4] =
            [("de/ana/1", &[1]), ("en/ana/1", &[2]), ("de/bo/1", &[1]), ("en/bo/1", &[2])];
        assert_eq!(of(&by_language), Ok(names(&["ana", "bo"])));
        assert_eq!(of(&[("ana.jsonl", &[1, 2]), ("bo.jsonl", &[1, 3])]), Ok(names(&["ana", "bo"])));
        assert_eq!(of(&[("ana.conll", &[1]), ("b/bo.conll", &[1])]), Ok(names(&["ana", "bo"])));
        let zips: [(&str, &[u8]); 2] = [("ana.zip/x.conll", &[1]), ("bo.zip/x.conll", &[1])];
        assert_eq!(of(&zips), Ok(names(&["ana", "bo"])));
    }

    #[test]
    fn names_of_documents_tell_where_texts_differ() {
        let spaced: [(&str, &[u8]); 4] =
            [("ana/1", &[1]), ("ana/2", &[2]), ("bo/1", &[3]), ("bo/2", &[4])];
        assert_eq!(of(&spaced), Ok(names(&["ana", "bo"])));
    }

    #[test]
    fn what_cannot_be_told_is_not_guessed() {
        // Each document would be a person.
        assert_eq!(of(&[("x/1", &[1]), ("x/2", &[2])]), Err(Undecided::NothingRepeats));
        let in_names: [(&str, &[u8]); 4] =
            [("1_ana", &[1]), ("1_bo", &[1]), ("2_ana", &[2]), ("2_bo", &[2])];
        assert_eq!(of(&in_names), Err(Undecided::NoneFits));
        // Two rounds of two people, or four people in two groups.
        let rounds: [(&str, &[u8]); 4] =
            [("1/ana", &[1, 2]), ("1/bo", &[1, 2]), ("2/ana", &[1, 2]), ("2/bo", &[1, 2])];
        assert_eq!(of(&rounds), Err(Undecided::NoneFits));
        let groups: [(&str, &[u8]); 4] =
            [("a/ana", &[1, 2]), ("a/bo", &[3, 4]), ("b/cy", &[1, 2]), ("b/di", &[3, 4])];
        assert_eq!(of(&groups), Err(Undecided::SeveralFit));
    }

    #[test]
    fn a_text_that_repeats_by_chance_decides_nothing() {
        let files: [(&str, &[u8]); 4] = [
            ("ana/1", &[1, 2, 3, 4, 9]),
            ("ana/2", &[5, 6, 7, 8, 9]),
            ("bo/1", &[1, 2, 3, 4, 9]),
            ("bo/2", &[5, 6, 7, 8]),
        ];
        assert_eq!(of(&files), Ok(names(&["ana", "bo"])));
    }

    fn tree() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
        let folder = prop::sample::select(vec!["", "a/", "b/", "a/c/", "b/c/", "b/d/"]);
        let stem = prop::sample::select(vec!["x", "y", "z"]);
        let file = (folder, stem).prop_map(|(folder, stem)| format!("{folder}{stem}.conll"));
        let texts = prop::collection::vec(0_u8..6, 1..4);
        prop::collection::btree_map(file, texts, 1..8).prop_map(|tree| tree.into_iter().collect())
    }

    proptest! {
        #[test]
        fn the_order_of_files_does_not_matter(
            (tree, shuffled) in tree().prop_flat_map(|tree| {
                (Just(tree.clone()), Just(tree).prop_shuffle())
            }),
        ) {
            prop_assert_eq!(inferred(&tree), inferred(&shuffled));
        }

        #[test]
        fn the_name_of_a_folder_around_all_does_not_matter(tree in tree(), name in "[a-e]{1,3}") {
            let around = |name: &str| -> Vec<_> {
                let within = |(file, texts): &(String, Vec<u8>)| {
                    (format!("{name}/{file}"), texts.clone())
                };
                tree.iter().map(within).collect()
            };
            let parts = |found: Result<Vec<(String, String)>, Undecided>| {
                found.map(|found| {
                    let raters: Vec<String> = found.into_iter().map(|(_, rater)| rater).collect();
                    let first = |rater| raters.iter().position(|other| *other == rater);
                    raters.iter().map(|rater| first(rater.clone())).collect::<Vec<_>>()
                })
            };
            let (one, other) = (inferred(&around("wrap")), inferred(&around(&name)));
            prop_assert_eq!(parts(one), parts(other));
        }
    }
}
