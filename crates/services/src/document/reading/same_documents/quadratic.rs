//! The same result in quadratic time, as plainly as it can be said: tests compare with it.

use std::collections::{BTreeMap, BTreeSet};

use domain::{ImportProblem, MatchBy, saturating};
use formats::Repair;

use super::{Differ, SameDocuments};
use crate::{
    base::secrets::checksum::Digest,
    document::reading::{
        Entry, EntryWork, Reading, ReadingOptions,
        problems::Problems,
        raters::{Rated, RatedEntry},
    },
};

/// Puts the documents of all files together. What cannot be one document and claims to be is a
/// problem.
pub(super) fn match_documents(
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
            if self.problems.are_over() {
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
            if self.problems.are_over() {
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
        new.iter().all(|work| there.iter().all(|other| complement(other, work)))
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

/// Whether the work of one rater in another file adds to this.
fn complement(work: &EntryWork, later: &EntryWork) -> bool {
    (work.has_only_answers() || later.has_only_answers())
        && !later.answered.iter().any(|question| work.answered.contains(question))
}
