//! Which documents of different files are the same: by id, else by name, else by their texts.

mod group;
#[cfg(test)]
mod quadratic;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{ImportProblem, MatchBy, saturating};
use formats::Repair;
use litemap::LiteMap;

use super::{
    Entry, Reading, ReadingOptions,
    problems::Problems,
    raters::{Rated, RatedEntry},
};
use crate::base::secrets::checksum::Digest;
use group::{Chains, Group, Names, RaterWork, Roots, are_disjoint};

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

/// Puts the documents of all files together, in time that is near-linear in their number. What
/// cannot be one document and claims to be is a problem.
pub(crate) fn match_documents(
    reading: &mut Reading,
    rated: &Rated,
    (by, options): (MatchBy, &ReadingOptions),
    differ: Differ<'_>,
    problems: &mut Problems,
) -> SameDocuments {
    let chains = Chains::of(reading.entries.len());
    let mut matcher = Matcher { reading, rated, differ, problems, chains };
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
    let groups: Vec<Vec<usize>> =
        groups.iter().map(|group| matcher.chains.members(group).collect()).collect();
    let other: Vec<usize> = groups.iter().flat_map(|group| matcher.of_other_text(group)).collect();
    reading.repair(Repair::WhiteSpace, &other, options, problems);
    SameDocuments { groups, by_text_alone }
}

/// How many groups of one text are looked at for one that fits: more would be a matter of chance.
const LOOKED_AT: usize = 100;

/// The groups of one text.
#[derive(Default)]
struct SameText {
    /// Their places among all groups, in order.
    places: Vec<usize>,
    /// For each rater how many of them, from the first on, have that rater.
    passed: LiteMap<usize, usize>,
}

struct Matcher<'a> {
    reading: &'a Reading,
    rated: &'a Rated,
    differ: Differ<'a>,
    problems: &'a mut Problems,
    chains: Chains,
}

impl<'a> Matcher<'a> {
    fn alone(&self, place: usize) -> Group<'a> {
        let reach = self.entry(place).map_or(0, |entry| entry.reach);
        Group::new(place, self.raters(place).collect(), reach)
    }

    fn raters(&self, place: usize) -> impl Iterator<Item = usize> + use<'a> {
        self.rated.entries.get(place).into_iter().flat_map(RatedEntry::raters)
    }

    fn entry(&self, place: usize) -> Option<&'a Entry> {
        self.reading.entries.get(place)
    }

    fn id(&self, place: usize) -> Option<&'a str> {
        self.entry(place)?.id.as_deref()
    }

    fn known_as(&self, place: usize) -> Option<&'a str> {
        self.rated.entries.get(place)?.known_as.as_deref()
    }

    /// A group for each id, and one for each document without an id.
    fn by_id(&mut self) -> Vec<Group<'a>> {
        let (mut groups, mut places) = (Vec::new(), HashMap::new());
        let mut known = HashMap::new();
        for (place, document) in self.reading.entries.iter().enumerate() {
            if self.problems.are_over() {
                break;
            }
            let mine = self.alone(place);
            let Some(id) = document.id.as_deref() else {
                groups.push(mine);
                continue;
            };
            let at = *places.entry(id).or_insert(groups.len());
            let works = self.works(place);
            if let Some(group) = groups.get_mut(at) {
                self.check_same_text(group, &mine, "id", Some(id));
                self.check_once((at, &known), &works, document);
                self.chains.merge(group, mine);
            } else {
                groups.push(mine);
            }
            for (rater, work) in works {
                known.entry((at, rater)).or_insert_with(|| RaterWork::new(place)).extend(work);
            }
        }
        groups
    }

    /// What each rater of an entry has in it.
    fn works(&self, place: usize) -> BTreeMap<usize, RaterWork<'a>> {
        let mut works = BTreeMap::new();
        let whose = self.rated.entries.get(place).map_or(&[][..], |entry| &entry.work);
        let all = self.entry(place).map_or(&[][..], |entry| &entry.work);
        for (work, rater) in all.iter().zip(whose) {
            let Some(rater) = rater else { continue };
            works.entry(*rater).or_insert_with(|| RaterWork::new(place)).add(work);
        }
        works
    }

    /// Puts groups of the same name together, unless somebody has the name twice: then it tells
    /// nothing.
    fn by_name(&mut self, groups: Vec<Group<'a>>) -> Vec<Group<'a>> {
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, group) in groups.iter().enumerate() {
            for name in self.chains.members(group).filter_map(|member| self.known_as(member)) {
                let places = named.entry(name).or_default();
                if places.last() != Some(&place) {
                    places.push(place);
                }
            }
        }
        let mut roots = Roots::of(groups.len());
        let mut groups: Vec<Option<Group<'a>>> = groups.into_iter().map(Some).collect();
        for (name, places) in named {
            if self.problems.are_over() {
                break;
            }
            let places: BTreeSet<usize> =
                places.into_iter().map(|place| roots.find(place)).collect();
            let here = places.iter().filter_map(|place| groups.get(*place)?.as_ref());
            if !are_disjoint(here.map(|group| &group.raters).collect()) {
                continue;
            }
            let mut places = places.into_iter();
            let Some(into) = places.next() else { continue };
            for place in places {
                let Some(group) = groups.get_mut(place).and_then(Option::take) else { continue };
                let Some(Some(whole)) = groups.get_mut(into) else { continue };
                self.check_same_text(whole, &group, "name", Some(name));
                self.chains.merge(whole, group);
                roots.join(place, into);
            }
        }
        groups.into_iter().flatten().collect()
    }

    /// Puts groups of the same text together: the first of one rater with the first of another,
    /// the second with the second. What one file tells apart by id or name stays apart.
    fn by_text(&mut self, groups: Vec<Group<'a>>, by: MatchBy) -> (Vec<Group<'a>>, usize) {
        let mut matched: Vec<Group<'a>> = Vec::new();
        let mut texts: HashMap<Digest, SameText> = HashMap::new();
        let mut alone = 0;
        for mut group in groups {
            if self.problems.are_over() {
                break;
            }
            let Some(first) = self.entry(group.first) else { continue };
            let text = texts.entry(first.comparable).or_default();
            match self.find_same(text, &mut matched, &mut group, by) {
                None => {
                    text.places.push(matched.len());
                    matched.push(group);
                }
                Some(place) => {
                    let Some(whole) = matched.get_mut(place) else { continue };
                    let called = self.differ(whole.first, group.first);
                    alone += usize::from(called && by == MatchBy::Auto);
                    self.chains.merge(whole, group);
                }
            }
        }
        (matched, alone)
    }

    /// The first group of the same text that is the same document.
    fn find_same(
        &self,
        text: &mut SameText,
        matched: &mut [Group<'a>],
        group: &mut Group<'a>,
        by: MatchBy,
    ) -> Option<usize> {
        let mut begin = 0;
        for rater in &group.raters {
            let passed = text.passed.entry(*rater).or_insert(0);
            let has =
                |place| matched.get(place).is_some_and(|it: &Group<'_>| it.raters.contains(rater));
            while text.places.get(*passed).is_some_and(|place| has(*place)) {
                *passed += 1;
            }
            begin = begin.max(*passed);
        }
        text.places.iter().skip(begin).take(LOOKED_AT).copied().find(|place| {
            matched.get_mut(*place).is_some_and(|other| {
                other.raters.is_disjoint(&group.raters)
                    && self.are_alike(other, group)
                    && (by == MatchBy::Text || !self.are_told_apart(other, group))
            })
        })
    }

    /// Whether both have the same text, but for white space in which nothing is marked.
    fn are_alike(&self, whole: &Group<'_>, group: &Group<'_>) -> bool {
        let both = self.entry(whole.first).zip(self.entry(group.first));
        both.is_some_and(|(first, other)| {
            first.comparable == other.comparable && group.reach <= first.length
        })
    }

    /// Whether two documents have different ids, or are called differently.
    fn differ(&self, one: usize, other: usize) -> bool {
        let differ =
            |one: Option<&str>, other| one.zip(other).is_some_and(|(one, other)| one != other);
        differ(self.id(one), self.id(other)) || differ(self.known_as(one), self.known_as(other))
    }

    /// Whether a document of each is called differently in the same file or project's export, where
    /// that is no chance.
    fn are_told_apart(&self, whole: &mut Group<'a>, group: &mut Group<'a>) -> bool {
        for it in [&mut *whole, &mut *group] {
            if it.names.is_none() {
                it.names = Some(self.names(it));
            }
        }
        whole
            .names
            .as_ref()
            .zip(group.names.as_ref())
            .is_some_and(|(one, other)| one.tell_apart(other))
    }

    fn names(&self, group: &Group<'_>) -> Names<'a> {
        let mut names = Names::default();
        for place in self.chains.members(group) {
            if let Some(entry) = self.entry(place) {
                names.add(entry.part, entry.called.is_some(), self.id(place), self.known_as(place));
            }
        }
        names
    }

    /// Those of a group that have other white space than the first.
    fn of_other_text(&self, group: &[usize]) -> Vec<usize> {
        let first = group.first().and_then(|place| self.entry(*place)).map(|first| first.text);
        let differs = |place: &usize| self.entry(*place).map(|other| other.text) != first;
        group.iter().copied().filter(differs).collect()
    }

    /// The same id or name stands for the same text.
    fn check_same_text(
        &mut self,
        whole: &Group<'_>,
        group: &Group<'_>,
        what: &str,
        called: Option<&str>,
    ) {
        let both = self.entry(whole.first).zip(self.entry(group.first));
        let Some((first, other)) = both.filter(|_| !self.are_alike(whole, group)) else { return };
        let from = (self.differ)(whole.first, group.first)
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
    fn check_once(
        &mut self,
        (group, known): (usize, &HashMap<(usize, usize), RaterWork<'_>>),
        works: &BTreeMap<usize, RaterWork<'_>>,
        document: &Entry,
    ) {
        let both = works
            .iter()
            .filter_map(|(rater, work)| Some((*rater, work, known.get(&(group, *rater))?)));
        let twice = both.into_iter().find(|(_, work, known)| !known.complements(work));
        let Some((rater, _, known)) = twice else { return };
        let first = self.entry(known.first).map(|first| self.place_of(first));
        let message = format!(
            "{} already has this document, in {}",
            self.rated.raters.get(rater).map_or("", String::as_str),
            first.unwrap_or_default()
        );
        self.refuse(document, "id", message);
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

/// That the result is that of the quadratic algorithm, and comes sooner.
#[cfg(test)]
mod laws {
    use std::{sync::Arc, time::Duration};

    use proptest::prelude::*;

    use super::{super::EntryWork, super::NamedFile, *};
    use crate::base::clock::thread_time;

    /// A document of a file, drawn from few of everything so that much is the same.
    #[derive(Clone, Debug)]
    struct Drawn {
        part: usize,
        id: Option<usize>,
        name: Option<usize>,
        is_of_export: bool,
        text: u8,
        length: usize,
        reach: usize,
        /// Who has work in it: none for nobody, and whether it is spans, or answers to which question.
        work: Vec<(Option<usize>, Option<usize>)>,
    }

    fn drawn() -> impl Strategy<Value = Drawn> {
        let few = || prop::option::weighted(0.6, 0_usize..5);
        let work =
            (prop::option::weighted(0.9, 0_usize..4), prop::option::weighted(0.4, 0_usize..3));
        (
            (0_usize..3, few(), few(), prop::bool::weighted(0.2)),
            (0_u8..3, 4_usize..6, 0_usize..7, prop::collection::vec(work, 0..3)),
        )
            .prop_map(|((part, id, name, is_of_export), (text, length, reach, work))| {
                Drawn { part, id, name, is_of_export, text, length, reach, work }
            })
    }

    fn read(documents: &[Drawn]) -> (Reading, Rated) {
        let part = |at: usize| NamedFile {
            name: format!("file {at}"),
            file: at,
            holds_spans: true,
            names_raters: true,
        };
        let entry = |(line, it): (usize, &Drawn)| Entry {
            part: it.part,
            line,
            id: it.id.map(|id| id.to_string()),
            name: String::new(),
            called: it.is_of_export.then(String::new),
            text: [it.text * 16 + u8::try_from(it.length).unwrap(); 32],
            comparable: [it.text; 32],
            length: it.length,
            reach: it.reach,
            work: it.work.iter().map(|(_, question)| work(*question)).collect(),
        };
        let work_of = |it: &Drawn| it.work.iter().map(|(rater, _)| *rater).collect();
        let rated = |it: &Drawn| RatedEntry {
            known_as: it.name.map(|name| name.to_string()),
            work: work_of(it),
        };
        let reading = Reading {
            parts: (0..3).map(part).collect(),
            entries: documents.iter().enumerate().map(entry).collect(),
            ..Reading::default()
        };
        let rated = Rated {
            raters: (0..4).map(|rater| format!("rater {rater}")).collect(),
            entries: documents.iter().map(rated).collect(),
            ..Rated::nobody(&reading)
        };
        (reading, rated)
    }

    fn work(question: Option<usize>) -> EntryWork {
        EntryWork {
            rater: None,
            spans: usize::from(question.is_none()),
            answers: usize::from(question.is_some()),
            answered: question
                .map(|question| Arc::from(question.to_string()))
                .into_iter()
                .collect(),
            judged: true,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn the_result_is_that_of_trying_all_pairs(
            documents in prop::collection::vec(drawn(), 0..14),
            by in prop::sample::select(vec![MatchBy::Auto, MatchBy::Auto, MatchBy::Text]),
        ) {
            let options = ReadingOptions::default();
            let results = [match_documents, quadratic::match_documents].map(|algorithm| {
                let (mut reading, rated) = read(&documents);
                let mut problems = Problems::counting_all();
                let by = (by, &options);
                let found = algorithm(&mut reading, &rated, by, &|_, _| None, &mut problems);
                (found.groups, found.by_text_alone, problems.into_first(), reading.remarks())
            });
            let [quick, slow] = results;
            prop_assert_eq!(quick, slow);
        }
    }

    /// What matching may take of a thread here, where nothing is optimised: some ten times as much as it
    /// does, and a part of what trying all pairs takes.
    const UNOPTIMISED: Duration = Duration::from_secs(5);

    /// Draws a document by its number.
    type Draw = fn(usize) -> Drawn;

    const PLAIN: Drawn = Drawn {
        part: 0,
        id: None,
        name: None,
        is_of_export: false,
        text: 0,
        length: 4,
        reach: 0,
        work: Vec::new(),
    };

    #[test]
    fn many_documents_are_matched_in_near_linear_time() {
        let kinds: [(&str, usize, Draw); 5] = [
            ("ids differ and names match", 100_000, |n| Drawn {
                part: n % 2,
                id: Some(n),
                name: Some(n / 2),
                work: vec![(Some(n % 2), None)],
                ..PLAIN
            }),
            // Each shares its id with the one before or after it, and its name with the other.
            ("all hang together", 100_000, |n| Drawn {
                id: Some(n / 2),
                name: Some(n.div_ceil(2)),
                ..PLAIN
            }),
            ("nobody has marked one text", 20_000, |_| PLAIN),
            ("one file tells one text apart", 20_000, |n| Drawn {
                id: Some(n),
                work: vec![(Some(n % 2), None)],
                ..PLAIN
            }),
            ("one rater has answered one document in many files", 20_000, |n| Drawn {
                id: Some(0),
                work: vec![(Some(0), Some(n))],
                ..PLAIN
            }),
        ];
        for (kind, count, draw) in kinds {
            let documents: Vec<_> = (0..count).map(draw).collect();
            let (mut reading, rated) = read(&documents);
            let by = (MatchBy::Auto, &ReadingOptions::default());
            let mut problems = Problems::default();
            let before = thread_time();
            let found = match_documents(&mut reading, &rated, by, &|_, _| None, &mut problems);
            let time = thread_time().saturating_sub(before);
            assert_eq!(found.groups.iter().map(Vec::len).sum::<usize>(), count, "{kind}");
            assert_eq!(problems.count(), 0, "{kind}");
            assert!(time < UNOPTIMISED, "{kind}: {time:?}");
        }
    }
}
