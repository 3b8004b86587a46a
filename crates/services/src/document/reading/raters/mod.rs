//! Who the raters are: whom a file names, or whom its path stands for.

mod inference;
mod naming;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use domain::{Error, ImportProblem, RaterFiles, RatersFrom, saturating};

use super::{
    Entry, Reading,
    paths::{FilePath, taken_apart},
};
use inference::{Content, Undecided, Unnamed, candidates, infer};
use naming::{Named, Naming};

/// Who has marked what a project's export gives to nobody: its gold standard.
const GOLD: &str = "gold";

/// How many names a sentence or a table shows, of files or of raters.
const SHOWN: usize = 3;

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
    /// What tells whose the files are that do not say so themselves.
    pub(crate) from: RatersFrom,
    /// What is to be known of that, the most important first.
    pub(crate) notes: Vec<String>,
}

impl Rated {
    /// Where nobody's name is asked for: documents are called as they are.
    pub(crate) fn nobody(reading: &Reading) -> Self {
        let entry =
            |entry: &Entry| RatedEntry { known_as: None, work: vec![None; entry.work.len()] };
        let entries = reading.entries.iter().map(entry).collect();
        Self { raters: Vec::new(), entries, from: RatersFrom::Inside, notes: Vec::new() }
    }

    /// Whose a work of an entry is.
    pub(super) fn rater(&self, (entry, work): (usize, usize)) -> Option<usize> {
        self.entries.get(entry)?.work.get(work).copied().flatten()
    }

    /// Says whose a work of an entry is, or that it does not count.
    pub(super) fn set_rater(&mut self, (entry, work): (usize, usize), rater: Option<usize>) {
        let work = self.entries.get_mut(entry).and_then(|entry| entry.work.get_mut(work));
        if let Some(known) = work {
            *known = rater;
        }
    }

    /// Adds a rater for the second, third and later annotations of one: `ana (2)`. `taken` has
    /// everybody's names.
    pub(super) fn add_other(
        &mut self,
        (rater, number): (usize, usize),
        taken: &mut HashSet<String>,
    ) -> usize {
        let name = self.raters.get(rater).map_or("", String::as_str);
        let mut other = format!("{name} ({number})");
        while !taken.insert(other.clone()) {
            other.push('*');
        }
        self.raters.push(other);
        self.raters.len() - 1
    }
}

/// Whether raters can be told so: a pattern has to be one.
pub fn check_raters(from: &RatersFrom) -> Result<(), Error> {
    match from {
        RatersFrom::Pattern(pattern) => naming::pattern(pattern).map(drop),
        _ => Ok(()),
    }
}

/// Gives everybody a name, or says why that is not to be told.
pub(crate) fn rated(reading: &Reading, from: &RatersFrom) -> Result<Rated, ImportProblem> {
    let mut nameless = vec![false; reading.parts.len()];
    for entry in &reading.entries {
        if let Some(nameless) = nameless.get_mut(entry.part) {
            *nameless |= is_told_by_path(reading, entry);
        }
    }
    let parts = || reading.parts.iter().map(|part| part.name.as_str());
    let paths = taken_apart(parts().zip(nameless.iter().copied()));
    let named = parts().zip(&paths).map(|(name, path)| Named { name, path });
    let files = Files { reading, named: named.collect(), nameless };
    let naming = files.naming(from).map_err(|message| ImportProblem {
        file: String::new(),
        line: None,
        field: None,
        message,
    })?;
    Ok(files.rated(&naming, from))
}

/// The files, with which of them do not say whose all of their spans are.
struct Files<'a> {
    reading: &'a Reading,
    named: Vec<Named<'a>>,
    nameless: Vec<bool>,
}

impl<'a> Files<'a> {
    /// What tells whose the nameless files are.
    fn naming(&self, from: &RatersFrom) -> Result<Naming, String> {
        let unnamed = self.unnamed();
        let depth = unnamed.iter().map(|it| it.file.path.own().len()).max().unwrap_or(0).max(1);
        let naming = match from {
            RatersFrom::Inside => return Ok(Naming::Inside),
            RatersFrom::File => Naming::File,
            RatersFrom::Pattern(pattern) => {
                Naming::Pattern(naming::pattern(pattern).map_err(|error| error.to_string())?)
            }
            RatersFrom::Folder(Some(level)) if usize::from(*level) > depth => {
                return Err(format!(
                    "folder:{level} is too deep: the files lie in {}",
                    domain::count(depth, "level") + " of folders"
                ));
            }
            RatersFrom::Folder(Some(level)) => Naming::Folder((*level).into()),
            RatersFrom::Folder(None) if depth == 1 => Naming::Folder(1),
            RatersFrom::Auto if unnamed.len() < 2 => Naming::File,
            RatersFrom::Auto | RatersFrom::Folder(None) => {
                let mut readings = candidates(&unnamed);
                if *from != RatersFrom::Auto {
                    readings.retain(|naming| matches!(naming, Naming::Folder(_)));
                }
                return infer(&unnamed, &readings)
                    .map_err(|why| undecided(why, &unnamed, &readings));
            }
        };
        let untold = unnamed.iter().filter(|it| naming.rater(it.file).is_none());
        let untold: Vec<&str> = untold.map(|it| it.file.name).collect();
        match untold.first() {
            None => Ok(naming),
            Some(first) => Err(format!(
                "{from} names no rater for {first}{}: choose rater names in another way (--raters)",
                and_more(untold.len() - 1)
            )),
        }
    }

    fn unnamed(&self) -> Vec<Unnamed<'a>> {
        let mut documents = vec![Vec::new(); self.named.len()];
        for entry in self.reading.entries.iter().filter(|it| is_told_by_path(self.reading, it)) {
            if let Some(documents) = documents.get_mut(entry.part) {
                documents.push(Content { text: entry.comparable, id: entry.id.as_deref() });
            }
        }
        let files = self.named.iter().zip(documents).zip(&self.nameless);
        let unnamed = files.filter(|(_, nameless)| **nameless);
        unnamed.map(|((file, documents), _)| Unnamed { file: *file, documents }).collect()
    }

    fn rated(&self, naming: &Naming, chosen: &RatersFrom) -> Rated {
        let Self { reading, .. } = self;
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
        let mut nobodys = 0;
        let rate = |entry: &Entry| {
            let file = self.named.get(entry.part);
            let work = entry.work.iter().map(|work| {
                if !reading.counts(entry, work) {
                    return None;
                }
                let stands_for = || match &entry.called {
                    Some(_) => Some(GOLD),
                    None => naming.rater(*file?),
                };
                let name = work.rater.as_deref().or_else(stands_for);
                nobodys += usize::from(name.is_none());
                name.map(&mut place_of)
            });
            let work = work.collect();
            RatedEntry { known_as: file.and_then(|it| self.known_as(entry, *it, naming)), work }
        };
        let entries = reading.entries.iter().map(rate).collect();
        let mut notes = Vec::new();
        if nobodys > 0 {
            let documents = domain::count(nobodys, "document");
            notes.push(format!("{documents} without a named rater: left out."));
        }
        let say_so = reading.parts.iter().filter(|part| part.names_raters);
        let say_so: Vec<&str> = say_so.map(|part| part.name.as_str()).collect();
        let is_told = matches!(chosen, RatersFrom::Auto | RatersFrom::Inside);
        if let Some(first) = say_so.first().filter(|_| !is_told) {
            let more = and_more(say_so.len() - 1);
            notes.push(format!("{first}{more}: raters are named inside; {chosen} does not apply."));
        }
        notes.extend(told_similar(&raters));
        let from = if self.nameless.contains(&true) { naming.choice() } else { RatersFrom::Inside };
        Rated { raters, entries, from, notes }
    }

    /// What a document is called beside its id. The whole of a file is called like the file,
    /// unless that is the rater's; then its folder may tell.
    fn known_as(&self, entry: &Entry, file: Named<'_>, naming: &Naming) -> Option<String> {
        let FilePath { stem, .. } = file.path;
        let name = &entry.name;
        let numbered = name.strip_prefix(stem.as_str()).and_then(|rest| rest.strip_prefix('-'));
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if numbered.is_some_and(is_number) || entry.id.as_ref() == Some(name) {
            None
        } else if name != stem {
            Some(name.clone())
        } else if is_told_by_path(self.reading, entry) {
            naming.document(file)
        } else {
            // Where the path stands for no rater, all of it is the document's.
            entry.called.clone().or_else(|| Naming::Inside.document(file))
        }
    }
}

/// What is to be known of raters whose names differ by case and white space alone.
fn told_similar(raters: &[String]) -> Vec<String> {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for rater in raters {
        groups.entry(rater.trim().to_lowercase()).or_default().push(format!("“{rater}”"));
    }
    let similar = groups.into_values().filter(|names| names.len() > 1);
    similar.map(|names| format!("{} count as different raters.", names.join(" and "))).collect()
}

/// Whether the path has to say whose some of the spans are.
fn is_told_by_path(reading: &Reading, entry: &Entry) -> bool {
    entry.called.is_none()
        && entry.work.iter().any(|work| work.rater.is_none() && reading.counts(entry, work))
}

/// Why nothing tells the raters, and what could be chosen.
fn undecided(why: Undecided, unnamed: &[Unnamed<'_>], readings: &[Naming]) -> String {
    let why = match why {
        Undecided::NothingRepeats => "no document is in two files",
        Undecided::NoneFits => {
            "by folders and by file names, people would have documents twice or one each"
        }
        Undecided::SeveralFit => "several readings fit",
    };
    let said = |naming: &Naming| {
        let raters: Option<BTreeSet<&str>> =
            unnamed.iter().map(|it| naming.rater(it.file)).collect();
        let raters: Vec<&str> = raters?.into_iter().collect();
        let first = raters.get(..SHOWN).unwrap_or(&raters).join(", ");
        let more = and_more(raters.len().saturating_sub(SHOWN));
        Some(format!("--raters {} ({first}{more})", naming.choice()))
    };
    let readings = if readings.iter().any(|naming| matches!(naming, Naming::Folder(_))) {
        readings.to_vec()
    } else {
        readings.iter().cloned().chain([Naming::Folder(1)]).collect()
    };
    let mut readings: Vec<String> = readings.iter().filter_map(said).collect();
    readings.sort();
    readings.push("--raters pattern:REGEX".to_owned());
    format!(
        "who made the spans cannot be told from {}: {why}. Choose rater names: {}",
        domain::count(unnamed.len(), "file"),
        readings.join(", ")
    )
}

fn and_more(others: usize) -> String {
    if others == 0 { String::new() } else { format!(" and {others} more") }
}

/// Everybody with the files that their spans are from.
pub(crate) fn understood(reading: &Reading, rated: &Rated) -> Vec<RaterFiles> {
    let of = |name: &String| RaterFiles {
        name: name.clone(),
        files: Vec::new(),
        file_count: 0,
        documents: 0,
        spans: 0,
    };
    let mut all: Vec<(RaterFiles, Option<usize>)> =
        rated.raters.iter().map(|name| (of(name), None)).collect();
    for (entry, who) in reading.entries.iter().zip(&rated.entries) {
        for (work, rater) in entry.work.iter().zip(&who.work) {
            let Some((found, last)) = rater.and_then(|rater| all.get_mut(rater)) else { continue };
            found.documents += 1;
            found.spans += saturating::<u64>(work.spans);
            // The documents of a file come one after the other.
            if last.replace(entry.part) != Some(entry.part) {
                found.file_count += 1;
                let name = reading.parts.get(entry.part).map_or("", |part| &part.name);
                if found.files.len() < SHOWN {
                    found.files.push(name.to_owned());
                }
            }
        }
    }
    all.into_iter().map(|(rater, _)| rater).collect()
}

/// What is to be known first: who has marked nothing at all, and which files hold no marks.
pub(crate) fn told_first(reading: &Reading, understood: &[RaterFiles]) -> Vec<String> {
    let works = reading.entries.iter().flat_map(|entry| &entry.work);
    let answering = works.filter(|work| work.has_only_answers());
    let answering: BTreeSet<&str> = answering.filter_map(|work| work.rater.as_deref()).collect();
    let has_nothing =
        |rater: &&RaterFiles| rater.spans == 0 && !answering.contains(rater.name.as_str());
    let nothing = understood.iter().filter(has_nothing);
    let nothing: Vec<&str> = nothing.map(|rater| rater.name.as_str()).collect();
    let bare = reading.parts.iter().filter(|part| !part.holds_spans);
    let bare: Vec<&str> = bare.map(|part| part.name.as_str()).collect();
    let mut notes = Vec::new();
    let shown = |names: &[&str]| {
        let first = names.get(..SHOWN).unwrap_or(names).join(", ");
        format!("{first}{}", and_more(names.len().saturating_sub(SHOWN)))
    };
    if !nothing.is_empty() {
        notes.push(format!("No spans at all by {}.", shown(&nothing)));
    }
    if !bare.is_empty() {
        notes.push(format!("Read as plain text, without spans: {}.", shown(&bare)));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::{super::tests::read_all, *};

    type Told = Result<Vec<(String, Option<String>)>, String>;

    /// Each file is one document; what comes of it is rater and name.
    fn raters_of(files: &[(&str, &str)], from: &str) -> Told {
        let files: Vec<_> =
            files.iter().map(|(name, text)| (*name, format!("{text} O\n"))).collect();
        let (reading, _) = read_all(&files);
        let Rated { raters, entries, .. } =
            rated(&reading, &from.parse().unwrap()).map_err(|problem| problem.message)?;
        let named = |entry: RatedEntry| {
            let rater = entry.raters().next().and_then(|place| raters.get(place));
            (rater.cloned().unwrap_or_default(), entry.known_as)
        };
        Ok(entries.into_iter().map(named).collect())
    }

    fn of(rater: &str, name: Option<&str>) -> (String, Option<String>) {
        (rater.to_owned(), name.map(str::to_owned))
    }

    #[test]
    fn a_file_is_a_rater_and_then_its_name_is_not_the_documents() {
        let flat = [("x/ana.conll", "Ur"), ("x/bo.conll", "Ur")];
        assert_eq!(raters_of(&flat, "auto"), Ok(vec![of("ana", None), of("bo", None)]));
        let told = raters_of(&flat, "folder");
        assert_eq!(told, Ok(vec![of("x", Some("ana")), of("x", Some("bo"))]));
        let told = raters_of(&[("ana.conll", "Ur"), ("b/bo.conll", "Ur")], "auto");
        assert_eq!(told, Ok(vec![of("ana", None), of("bo", Some("b"))]));
    }

    #[test]
    fn the_folder_of_a_rater_is_not_the_documents() {
        let (one, two) = (Some("1"), Some("2"));
        let by_person = [
            ("ana/1.conll", "Ur"),
            ("ana/2.conll", "Uz"),
            ("bo/1.conll", "Ur"),
            ("bo/2.conll", "Uz"),
        ];
        let told = Ok(vec![of("ana", one), of("ana", two), of("bo", one), of("bo", two)]);
        assert_eq!(raters_of(&by_person, "auto"), told);
        let by_document = [
            ("1/ana.conll", "Ur"),
            ("2/ana.conll", "Uz"),
            ("1/bo.conll", "Ur"),
            ("2/bo.conll", "Uz"),
        ];
        let told = Ok(vec![of("ana", one), of("ana", two), of("bo", one), of("bo", two)]);
        assert_eq!(raters_of(&by_document, "auto"), told);
        assert_eq!(raters_of(&by_document, "folder").unwrap()[0], of("1", Some("ana")));
        let nested = [
            ("truth/1.conll", "Ur"),
            ("workers/ana/1.conll", "Ur"),
            ("truth/2.conll", "Uz"),
            ("workers/bo/2.conll", "Uz"),
        ];
        let told = raters_of(&nested, "folder:2").unwrap();
        assert_eq!(told[..2], [of("truth", one), of("ana", Some("workers/1"))]);
    }

    #[test]
    fn a_pattern_names_rater_and_document() {
        let files = [("a/1_ana.conll", "Ur"), ("a/1_bo.conll", "Ur"), ("a/2_bo.conll", "Uz")];
        let told = raters_of(&files, r"pattern:_(?<rater>[^_]+)\.conll$");
        let named = |name| Some(name);
        let expected =
            vec![of("ana", named("a/1")), of("bo", named("a/1")), of("bo", named("a/2"))];
        assert_eq!(told, Ok(expected));
        let told = raters_of(&files, r"pattern:(?<document>\d)_(?<rater>[a-z]+)");
        assert_eq!(told.unwrap()[2], of("bo", Some("2")));
        let why = raters_of(&files, "pattern:_(?<rater>ana)").unwrap_err();
        assert!(why.contains("names no rater for a/1_bo.conll and 1 more"), "{why}");
        for (wrong, why) in [
            ("_(ana)", "a pattern names the rater by a group: (?<rater>…)"),
            ("(?<rater>", "invalid pattern: "),
            ("(?<rater>\\w{1000}){1000}", "the pattern is too large"),
        ] {
            let told = check_raters(&RatersFrom::Pattern(wrong.to_owned())).unwrap_err();
            assert!(told.to_string().contains(why), "{told}");
        }
    }

    #[test]
    fn who_is_not_to_be_told_is_asked_for_with_what_there_is_to_choose() {
        let files = [("x/1.conll", "Ur"), ("x/2.conll", "Uz")];
        assert_eq!(
            raters_of(&files, "auto").unwrap_err(),
            "who made the spans cannot be told from 2 files: no document is in two files. Choose \
             rater names: --raters file (1, 2), --raters folder:1 (x), --raters pattern:REGEX"
        );
        let why = raters_of(&[("ana.conll", "Ur"), ("bo.conll", "Uz")], "auto").unwrap_err();
        assert!(why.ends_with(": --raters file (ana, bo), --raters pattern:REGEX"), "{why}");
        let why = raters_of(&files, "folder:2").unwrap_err();
        assert_eq!(why, "folder:2 is too deep: the files lie in 1 level of folders");
        let loose = [("1.conll", "Ur"), ("2.conll", "Uz")];
        let why = raters_of(&loose, "folder").unwrap_err();
        assert!(why.starts_with("folder names no rater for 1.conll and 1 more"), "{why}");
    }
}
