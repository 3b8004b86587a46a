//! Which documents of different files are the same: by id, else by name, else by their texts.

use std::collections::{BTreeMap, BTreeSet};

use domain::{ImportProblem, MatchBy, saturating};
use formats::Repair;

use super::{
    Entry, EntryWork, Reading, ReadingOptions,
    problems::Problems,
    raters::{Rated, RatedEntry},
};
use crate::base::secrets::checksum::Digest;

/// The documents of files as they belong together, and how many only by their texts although they
/// are called differently.
#[derive(Debug)]
pub(crate) struct SameDocuments {
    /// The places of the entries that are one document, the first to turn up first.
    pub(crate) groups: Vec<Vec<usize>>,
    pub(crate) by_text_alone: usize,
}

/// Where the texts of two entries begin to differ, in characters; none if that is not at hand.
pub(crate) type Differ<'a> = &'a dyn Fn(usize, usize) -> Option<usize>;

/// Puts the documents of all files together. What cannot be one document and claims to be is a
/// problem.
pub(crate) fn match_documents(
    reading: &mut Reading,
    rated: &Rated,
    (by, options): (MatchBy, &ReadingOptions),
    differ: Differ<'_>,
    problems: &mut Problems,
) -> SameDocuments {
    let mut matcher = Matcher { reading, rated, differ, problems };
    matcher.check_raters();
    let mut groups = match by {
        MatchBy::Auto => {
            let groups = matcher.by_id();
            matcher.by_name(groups)
        }
        MatchBy::Text => (0..reading.entries.len()).map(|place| matcher.alone(place)).collect(),
    };
    let by_text_alone;
    (groups, by_text_alone) = matcher.by_text(groups, by);
    let groups: Vec<Vec<usize>> = groups.into_iter().map(|group| group.members).collect();
    let other: Vec<usize> = groups.iter().flat_map(|group| matcher.of_other_text(group)).collect();
    reading.repair(Repair::WhiteSpace, &other, options, problems);
    SameDocuments { groups, by_text_alone }
}

/// How many groups of one text are looked at for one that a rater is not in yet.
const LOOKED_AT: usize = 1_000;

/// Documents of files that are one document.
struct Group {
    /// Their places among all, in order.
    members: Vec<usize>,
    raters: BTreeSet<usize>,
}

struct Matcher<'a> {
    reading: &'a Reading,
    rated: &'a Rated,
    differ: Differ<'a>,
    problems: &'a mut Problems,
}

impl<'a> Matcher<'a> {
    fn alone(&self, place: usize) -> Group {
        Group { members: vec![place], raters: self.raters(place).collect() }
    }

    fn raters(&self, place: usize) -> impl Iterator<Item = usize> + use<'a> {
        self.rated.entries.get(place).into_iter().flat_map(RatedEntry::raters)
    }

    fn entry(&self, place: usize) -> Option<&'a Entry> {
        self.reading.entries.get(place)
    }

    fn first(&self, group: &Group) -> Option<&'a Entry> {
        self.entry(*group.members.first()?)
    }

    fn known_as(&self, place: usize) -> Option<&'a str> {
        self.rated.entries.get(place)?.known_as.as_deref()
    }

    /// A group for each id, and one for each document without an id.
    fn by_id(&mut self) -> Vec<Group> {
        let (mut groups, mut places) = (Vec::<Group>::new(), BTreeMap::<&str, usize>::new());
        for (place, document) in self.reading.entries.iter().enumerate() {
            if self.problems.are_many() {
                break;
            }
            let mine = self.alone(place);
            let known = document.id.as_deref().and_then(|id| places.get(id));
            let Some(group) = known.and_then(|known| groups.get_mut(*known)) else {
                if let Some(id) = document.id.as_deref() {
                    places.insert(id, groups.len());
                }
                groups.push(mine);
                continue;
            };
            self.check_same_text(group, &mine, "id", document.id.as_deref());
            self.check_once(group, &mine, document);
            group.merge(mine);
        }
        groups
    }

    /// Puts groups of the same name together, unless somebody has the name twice: then it tells
    /// nothing.
    fn by_name(&mut self, groups: Vec<Group>) -> Vec<Group> {
        let mut named: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (place, group) in groups.iter().enumerate() {
            for name in group.members.iter().filter_map(|member| self.known_as(*member)) {
                named.entry(name).or_default().insert(place);
            }
        }
        // Where each group is now: one that was put into another is where that is.
        let mut now: Vec<usize> = (0..groups.len()).collect();
        let mut groups: Vec<Option<Group>> = groups.into_iter().map(Some).collect();
        for (name, places) in named {
            if self.problems.are_many() {
                break;
            }
            let places: BTreeSet<usize> =
                places.into_iter().filter_map(|place| now.get(place).copied()).collect();
            let mut here =
                places.iter().filter_map(|place| Some((*place, groups.get(*place)?.as_ref()?)));
            let mut seen = BTreeSet::new();
            let tells = here.all(|(_, group)| group.raters.iter().all(|rater| seen.insert(*rater)));
            let mut places = places.into_iter();
            let Some(into) = places.next().filter(|_| tells) else { continue };
            for place in places {
                let Some(group) = groups.get_mut(place).and_then(Option::take) else { continue };
                let Some(Some(whole)) = groups.get_mut(into) else { continue };
                self.check_same_text(whole, &group, "name", Some(name));
                whole.merge(group);
                now.iter_mut().filter(|it| **it == place).for_each(|it| *it = into);
            }
        }
        groups.into_iter().flatten().collect()
    }

    /// Puts groups of the same text together: the first of one rater with the first of another,
    /// the second with the second. What one file tells apart by id or name stays apart.
    fn by_text(&self, groups: Vec<Group>, by: MatchBy) -> (Vec<Group>, usize) {
        let mut matched: Vec<Group> = Vec::new();
        // With each text the places of its groups, and from where on a rater may have none of them.
        let mut texts: BTreeMap<Digest, (Vec<usize>, BTreeMap<usize, usize>)> = BTreeMap::new();
        let mut alone = 0;
        for group in groups {
            let Some(first) = self.first(&group) else { continue };
            let (places, free) = texts.entry(first.comparable).or_default();
            // All before this have one of these raters already.
            let begin = group.raters.iter().filter_map(|rater| free.get(rater)).max().copied();
            let is_free = |place: usize| {
                matched.get(place).filter(|other| other.raters.is_disjoint(&group.raters))
            };
            let fits = |other: &Group| {
                self.are_alike(other, &group)
                    && (by == MatchBy::Text || !self.are_told_apart(other, &group))
            };
            let later = places.iter().enumerate().skip(begin.unwrap_or(0)).take(LOOKED_AT);
            let mut later = later.filter_map(|(at, place)| Some((at, *place, is_free(*place)?)));
            let first_free = later.clone().next().map_or(places.len(), |(at, ..)| at);
            let found = later.find(|(.., other)| fits(other)).map(|(at, place, _)| (at, place));
            if let [rater] = Vec::from_iter(&group.raters).as_slice() {
                let at = found.map_or(places.len(), |(at, _)| at);
                free.insert(**rater, first_free + usize::from(first_free == at));
            }
            match found.and_then(|(_, place)| matched.get_mut(place)) {
                None => {
                    places.push(matched.len());
                    matched.push(group);
                }
                Some(whole) => {
                    let leads = whole.members.first().zip(group.members.first());
                    let called = leads.is_some_and(|(one, other)| self.differ(*one, *other));
                    alone += usize::from(called && by == MatchBy::Auto);
                    whole.merge(group);
                }
            }
        }
        (matched, alone)
    }

    /// Whether both have the same text, but for white space in which nothing is marked.
    fn are_alike(&self, whole: &Group, group: &Group) -> bool {
        let Some((first, other)) = self.first(whole).zip(self.first(group)) else { return false };
        let mut members = group.members.iter().filter_map(|place| self.entry(*place));
        first.comparable == other.comparable && members.all(|member| member.reach <= first.length)
    }

    /// Whether two documents have different ids, or are called differently.
    fn differ(&self, one: usize, other: usize) -> bool {
        let id = |place| self.entry(place).and_then(|entry| entry.id.as_deref());
        differ(id(one), id(other)) || differ(self.known_as(one), self.known_as(other))
    }

    /// Whether a document of each is called differently in the same file or project's export, where
    /// that is no chance.
    fn are_told_apart(&self, whole: &Group, group: &Group) -> bool {
        let are_of_one = |one: &Entry, other: &Entry| {
            one.part == other.part || one.called.is_some() && other.called.is_some()
        };
        let pairs = whole.members.iter().flat_map(|one| group.members.iter().map(|it| (*one, *it)));
        pairs.into_iter().any(|(one, other)| {
            let entries = self.entry(one).zip(self.entry(other));
            entries.is_some_and(|(one, other)| are_of_one(one, other)) && self.differ(one, other)
        })
    }

    /// Those of a group that have other white space than the first.
    fn of_other_text(&self, group: &[usize]) -> Vec<usize> {
        let first = group.first().and_then(|place| self.entry(*place)).map(|first| first.text);
        let differs = |place: &usize| self.entry(*place).map(|other| other.text) != first;
        group.iter().copied().filter(differs).collect()
    }

    /// The same id or name stands for the same text.
    fn check_same_text(&mut self, whole: &Group, group: &Group, what: &str, called: Option<&str>) {
        let places = whole.members.first().copied().zip(group.members.first().copied());
        let Some((first_place, place)) = places else { return };
        let Some((first, other)) = self.entry(first_place).zip(self.entry(place)) else { return };
        if self.are_alike(whole, group) {
            return;
        }
        let from = (self.differ)(first_place, place)
            .map(|common| format!("they differ from character {common} on (counted from 0); "));
        let message = format!(
            "the document with the {what} \"{}\" has a different text in {}: {}use exports of the \
             same texts, or match documents by text only",
            called.unwrap_or_default(),
            self.place_of(first),
            from.unwrap_or_default()
        );
        self.refuse(other, "text", message);
    }

    /// Nobody is named in a file whose name or folder they are, too: whose spans would be whose?
    fn check_raters(&mut self) {
        let (reading, rated) = (self.reading, self.rated);
        for (document, entry) in reading.entries.iter().zip(&rated.entries) {
            let mut seen = BTreeSet::new();
            let twice = entry.raters().find(|rater| !seen.insert(*rater));
            if let Some(name) = twice.and_then(|rater| rated.raters.get(rater)) {
                let message = format!(
                    "{name} is named in the file, and its unnamed spans also belong to {name} by \
                     the name of the file or folder: rename one"
                );
                self.refuse(document, "work", message);
            }
        }
    }

    /// Nobody has a document twice.
    fn check_once(&mut self, group: &Group, mine: &Group, document: &Entry) {
        let mut both = group.raters.intersection(&mine.raters);
        let Some(twice) = both.find(|rater| !self.complement(group, mine, **rater)) else { return };
        let has = |place: &&usize| self.raters(**place).any(|rater| rater == *twice);
        let first = group.members.iter().find(has).and_then(|place| self.entry(*place));
        let message = format!(
            "{} already has this document, in {}",
            self.rated.raters.get(*twice).map_or("", String::as_str),
            first.map(|first| self.place_of(first)).unwrap_or_default()
        );
        self.refuse(document, "id", message);
    }

    /// Whether what a rater has in one adds to what they have in the other.
    fn complement(&self, group: &Group, mine: &Group, rater: usize) -> bool {
        let works = |group: &Group| -> Vec<&'a EntryWork> {
            let entries = group.members.iter().filter_map(|place| {
                let whose = &self.rated.entries.get(*place)?.work;
                Some(self.entry(*place)?.work.iter().zip(whose))
            });
            let own = entries.flatten().filter(|(_, of)| **of == Some(rater));
            own.map(|(work, _)| work).collect()
        };
        let (there, new) = (works(group), works(mine));
        new.iter().all(|work| there.iter().all(|other| other.complements(work)))
    }

    fn place_of(&self, document: &Entry) -> String {
        format!("{}, line {}", self.reading.file_of(document), document.line)
    }

    fn refuse(&mut self, document: &Entry, field: &str, message: String) {
        let (file, field) = (self.reading.file_of(document).to_owned(), Some(field.to_owned()));
        let line = Some(saturating::<u64>(document.line));
        self.problems.add(ImportProblem { file, line, field, message });
    }
}

/// What to call the documents of a group: as one of them is known, else by an id, else by the name of
/// the first.
pub(crate) fn name_of<'a>(reading: &'a Reading, rated: &'a Rated, group: &[usize]) -> &'a str {
    let known_as = group.iter().find_map(|place| rated.entries.get(*place)?.known_as.as_deref());
    let first = || group.first().and_then(|place| reading.entries.get(*place));
    known_as
        .or_else(|| id_of(reading, group))
        .or_else(|| Some(first()?.name.as_str()))
        .unwrap_or_default()
}

/// The id of the documents of a group, if one of them has any.
pub(crate) fn id_of<'a>(reading: &'a Reading, group: &[usize]) -> Option<&'a str> {
    group.iter().find_map(|place| reading.entries.get(*place)?.id.as_deref())
}

impl Group {
    fn merge(&mut self, other: Self) {
        self.members.extend(other.members);
        self.raters.extend(other.raters);
    }
}

/// Whether both are there, and not the same.
fn differ(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

#[cfg(test)]
mod tests {
    use domain::RatersFrom;

    use super::{
        super::{raters::rated, tests::read_all},
        *,
    };

    type Matched = Result<Vec<(String, usize)>, Vec<String>>;

    /// Each document with how many raters it has, or what is wrong.
    fn match_files(files: &[(&str, &[&str])], by: MatchBy) -> (Matched, usize) {
        let files: Vec<_> = files.iter().map(|(name, lines)| (*name, lines.join("\n"))).collect();
        let (mut reading, mut problems) = read_all(&files);
        let from = RatersFrom::File;
        let rated = rated(&reading, &from).unwrap();
        let nowhere = |_, _| None;
        let SameDocuments { groups, by_text_alone } = match_documents(
            &mut reading,
            &rated,
            (by, &ReadingOptions::default()),
            &nowhere,
            &mut problems,
        );
        let matched = groups.iter().map(|group| {
            let raters = group.iter().map(|place| rated.entries[*place].raters().count()).sum();
            (name_of(&reading, &rated, group).to_owned(), raters)
        });
        let outcome = match problems.into_found() {
            None => Ok(matched.collect()),
            Some(problems) => Err(problems
                .into_iter()
                .map(|it| format!("{}:{}: {}", it.file, it.line.unwrap_or(0), it.message))
                .collect()),
        };
        (outcome, by_text_alone)
    }

    fn found(documents: &[(&str, usize)]) -> Vec<(String, usize)> {
        documents.iter().map(|(name, raters)| ((*name).to_owned(), *raters)).collect()
    }

    #[test]
    fn ids_come_first_whatever_the_order() {
        let one = r#"{"id": 1, "text": "Yes."}"#;
        let two = r#"{"id": 2, "text": "Yes."}"#;
        let files: [(&str, &[&str]); 2] = [("ana.jsonl", &[one, two]), ("bo.jsonl", &[two, one])];
        assert_eq!(match_files(&files, MatchBy::Auto), (Ok(found(&[("1", 2), ("2", 2)])), 0));
    }

    #[test]
    fn a_name_matches_where_there_is_no_id_and_a_text_where_there_is_no_name() {
        let files: [(&str, &[&str]); 2] = [
            ("ana.jsonl", &[r#"{"id": 7, "name": "Psalm", "text": "A"}"#, r#"{"text": "B"}"#]),
            (
                "bo.jsonl",
                &[r#"{"text": "B"}"#, r#"{"name": "Psalm", "text": "A"}"#, r#"{"text": "C"}"#],
            ),
        ];
        let expected = found(&[("Psalm", 2), ("ana-2", 2), ("bo-3", 1)]);
        assert_eq!(match_files(&files, MatchBy::Auto), (Ok(expected), 0));
    }

    #[test]
    fn texts_that_somebody_has_several_times_are_matched_in_their_order() {
        let no = r#"{"text": "No."}"#;
        let files: [(&str, &[&str]); 2] = [("ana.jsonl", &[no, no]), ("bo.jsonl", &[no, no, no])];
        let expected = found(&[("ana-1", 2), ("ana-2", 2), ("bo-3", 1)]);
        assert_eq!(match_files(&files, MatchBy::Auto), (Ok(expected), 0));
    }

    #[test]
    fn what_one_file_tells_apart_stays_apart_unless_somebody_says_otherwise() {
        let of = |id: u8, rater: &str| {
            format!(
                r#"{{"id": {id}, "text": "Yes.", "work": [{{"rater": "{rater}", "spans": []}}]}}"#
            )
        };
        let (ana, bo) = (of(1, "ana"), of(2, "bo"));
        let nameless = r#"{"text": "Yes."}"#;
        let files: [(&str, &[&str]); 2] = [("all.jsonl", &[&ana, &bo]), ("ana.jsonl", &[nameless])];
        assert_eq!(match_files(&files, MatchBy::Auto), (Ok(found(&[("1", 1), ("2", 2)])), 0));
        assert_eq!(match_files(&files, MatchBy::Text), (Ok(found(&[("1", 2), ("ana-1", 1)])), 0));
    }

    #[test]
    fn copies_with_other_white_space_are_one_document_unless_it_is_marked() {
        let files: [(&str, &[&str]); 2] = [
            ("ana.jsonl", &[r#"{"id": 1, "text": "Gil met\nHal."}"#, r#"{"text": "Kim sat."}"#]),
            (
                "bo.jsonl",
                &[r#"{"id": 1, "text": "Gil met Hal.\n\n"}"#, r#"{"text": "Kim sat.\r\n"}"#],
            ),
        ];
        let expected = found(&[("1", 2), ("ana-2", 2)]);
        assert_eq!(match_files(&files, MatchBy::Auto), (Ok(expected), 0));

        let files: Vec<_> = files.map(|(name, lines)| (name, lines.join("\n"))).to_vec();
        let (mut reading, mut problems) = read_all(&files);
        let rated = rated(&reading, &RatersFrom::File).unwrap();
        let mut options = ReadingOptions::default();
        options.files.strict = true;
        let by = (MatchBy::Auto, &options);
        match_documents(&mut reading, &rated, by, &|_, _| None, &mut problems);
        let [problem] = problems.into_first().try_into().unwrap();
        assert_eq!((problem.file.as_str(), problem.line), ("bo.jsonl", Some(1)));
        let told = "bo.jsonl, line 1: copies of a document with other white space, at the end or as \
                    long, read as one: 2";
        assert_eq!(reading.remarks(), [told]);

        let marked =
            r#"{"id": 1, "text": "Gil\n", "spans": [{"start": 0, "end": 4, "label": "A"}]}"#;
        let files: [(&str, &[&str]); 2] =
            [("ana.jsonl", &[r#"{"id": 1, "text": "Gil"}"#]), ("bo.jsonl", &[marked])];
        let problems = match_files(&files, MatchBy::Auto).0.unwrap_err();
        assert!(problems[0].contains("has a different text in ana.jsonl"), "{problems:?}");
        let files = [files[1], files[0]];
        assert_eq!(match_files(&files, MatchBy::Auto), (Ok(found(&[("1", 2)])), 0));
    }

    #[test]
    fn the_same_id_or_name_with_another_text_names_both_files() {
        let files: [(&str, &[&str]); 2] = [
            ("ana.jsonl", &[r#"{"id": 1, "text": "Abc"}"#, r#"{"name": "N", "text": "D"}"#]),
            ("bo.jsonl", &["", r#"{"id": 1, "text": "Abd"}"#, r#"{"name": "N", "text": "E"}"#]),
        ];
        let (outcome, _) = match_files(&files, MatchBy::Auto);
        let problems = outcome.unwrap_err();
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("bo.jsonl:2: the document with the id \"1\""));
        assert!(problems[0].contains("in ana.jsonl, line 1: use exports of the same texts"));
        assert!(problems[1].starts_with("bo.jsonl:3: the document with the name \"N\""));
    }

    #[test]
    fn ids_that_mean_nothing_are_passed_over_if_somebody_says_so() {
        let files: [(&str, &[&str]); 2] = [
            ("ana.jsonl", &[r#"{"id": 1, "text": "A"}"#, r#"{"id": 2, "text": "B"}"#]),
            ("bo.jsonl", &[r#"{"id": 1, "text": "B"}"#, r#"{"id": 2, "text": "A"}"#]),
        ];
        assert!(match_files(&files, MatchBy::Auto).0.is_err());
        assert_eq!(match_files(&files, MatchBy::Text), (Ok(found(&[("1", 2), ("2", 2)])), 0));
    }

    #[test]
    fn other_ids_of_the_same_text_are_matched_and_counted() {
        let files: [(&str, &[&str]); 2] = [
            ("ana.jsonl", &[r#"{"id": 1, "text": "A"}"#]),
            ("bo.jsonl", &[r#"{"id": 11, "text": "A"}"#]),
        ];
        assert_eq!(match_files(&files, MatchBy::Auto), (Ok(found(&[("1", 2)])), 1));
    }

    #[test]
    fn a_name_that_leads_to_a_document_by_another_way_loses_nobody() {
        let files: [(&str, &[&str]); 4] = [
            ("cy.jsonl", &[r#"{"name": "alpha", "text": "T"}"#]),
            ("ana.jsonl", &[r#"{"id": 1, "name": "alpha", "text": "T"}"#]),
            ("bo.jsonl", &[r#"{"id": 1, "name": "beta", "text": "T"}"#]),
            ("di.jsonl", &[r#"{"name": "beta", "text": "T"}"#]),
        ];
        assert_eq!(match_files(&files, MatchBy::Auto), (Ok(found(&[("alpha", 4)])), 0));
    }

    #[test]
    fn who_is_named_in_a_file_is_not_whom_the_file_stands_for() {
        let line = r#"{"text": "Gil", "spans": [{"start": 0, "end": 3, "label": "A"}], "work": [
            {"rater": "ana", "spans": []}]}"#
            .replace('\n', "");
        let (outcome, _) = match_files(&[("ana.jsonl", &[&line])], MatchBy::Auto);
        let problems = outcome.unwrap_err();
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("ana.jsonl:1: ana is named in the file"), "{problems:?}");
    }

    #[test]
    fn nobody_has_a_document_twice() {
        let line = r#"{"id": 1, "text": "A", "work": [{"rater": "ana", "spans": []}]}"#;
        let files: [(&str, &[&str]); 2] = [("one.jsonl", &[line]), ("two.jsonl", &[line])];
        let (outcome, _) = match_files(&files, MatchBy::Auto);
        assert_eq!(
            outcome.unwrap_err(),
            ["two.jsonl:1: ana already has this document, in one.jsonl, line 1"]
        );
    }
}
