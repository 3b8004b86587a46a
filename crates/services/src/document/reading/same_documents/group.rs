//! Documents that are one, held so that merging two groups of them takes no longer the larger they are.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashSet},
    iter, mem,
};

use litemap::LiteMap;

use crate::document::reading::EntryWork;

/// Entries that are one document.
pub(super) struct Group<'a> {
    /// The place of its first entry, which stands for all of them.
    pub(super) first: usize,
    last: usize,
    pub(super) raters: BTreeSet<usize>,
    /// How far into the text anything is marked, in characters.
    pub(super) reach: usize,
    /// Computed when it is needed first.
    pub(super) names: Option<Names<'a>>,
}

impl Group<'_> {
    pub(super) fn new(place: usize, raters: BTreeSet<usize>, reach: usize) -> Self {
        Self { first: place, last: place, raters, reach, names: None }
    }
}

/// The entry that follows each entry in its group.
pub(super) struct Chains(Vec<Option<usize>>);

impl Chains {
    /// As many entries, each of them alone.
    pub(super) fn of(entries: usize) -> Self {
        Self(vec![None; entries])
    }

    /// The places of a group's entries, in order.
    pub(super) fn members(&self, group: &Group<'_>) -> impl Iterator<Item = usize> {
        iter::successors(Some(group.first), |place| self.0.get(*place).copied().flatten())
    }

    /// Puts a group behind the entries of another.
    pub(super) fn merge<'a>(&mut self, whole: &mut Group<'a>, mut group: Group<'a>) {
        if let Some(next) = self.0.get_mut(whole.last) {
            *next = Some(group.first);
        }
        whole.last = group.last;
        whole.reach = whole.reach.max(group.reach);
        if whole.raters.len() < group.raters.len() {
            mem::swap(&mut whole.raters, &mut group.raters);
        }
        whole.raters.extend(group.raters);
        whole.names =
            whole.names.take().zip(group.names).map(|(names, others)| names.merged(others));
    }
}

/// Which group each group has become a part of (union–find).
pub(super) struct Roots(Vec<usize>);

impl Roots {
    pub(super) fn of(groups: usize) -> Self {
        Self((0..groups).collect())
    }

    /// The group that a group is a part of now. Paths are halved on the way.
    pub(super) fn find(&mut self, mut group: usize) -> usize {
        while let Some(parent) = self.0.get(group).copied().filter(|parent| *parent != group) {
            let above = self.0.get(parent).copied().unwrap_or(parent);
            self.join(group, above);
            group = above;
        }
        group
    }

    pub(super) fn join(&mut self, group: usize, into: usize) {
        if let Some(parent) = self.0.get_mut(group) {
            *parent = into;
        }
    }
}

/// Whether nobody is in two of the sets. The largest is not walked through.
pub(super) fn are_disjoint(mut sets: Vec<&BTreeSet<usize>>) -> bool {
    sets.sort_by_key(|set| Reverse(set.len()));
    let Some((largest, others)) = sets.split_first() else { return true };
    let mut seen = HashSet::new();
    others.iter().copied().flatten().all(|rater| !largest.contains(rater) && seen.insert(*rater))
}

/// What one rater has in the entries of a group.
pub(super) struct RaterWork<'a> {
    /// The place of the first of these entries.
    pub(super) first: usize,
    has_more_than_answers: bool,
    /// The questions that are answered.
    answered: BTreeSet<&'a str>,
}

impl<'a> RaterWork<'a> {
    pub(super) fn new(first: usize) -> Self {
        Self { first, has_more_than_answers: false, answered: BTreeSet::new() }
    }

    pub(super) fn add(&mut self, work: &'a EntryWork) {
        self.has_more_than_answers |= !work.has_only_answers();
        self.answered.extend(work.answered.iter().map(AsRef::as_ref));
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.has_more_than_answers |= other.has_more_than_answers;
        self.answered.extend(other.answered);
    }

    /// Whether later work of the same rater adds to this: one of them has answers only, and these
    /// to other questions.
    pub(super) fn complements(&self, later: &RaterWork<'_>) -> bool {
        let have_spans = self.has_more_than_answers && later.has_more_than_answers;
        !have_spans && self.answered.is_disjoint(&later.answered)
    }
}

/// Where a name tells documents apart: in one file, or in the paths of projects' exports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    File(usize),
    Exports,
}

/// Whether all documents that have a name have the same one.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Common<'a> {
    #[default]
    None,
    One(&'a str),
    Several,
}

impl Common<'_> {
    fn merged(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, some) | (some, Self::None) => some,
            (one, same) if one == same => one,
            _ => Self::Several,
        }
    }

    /// Whether a document of each has another name.
    fn differs(self, other: Self) -> bool {
        self != Self::None && other != Self::None && self.merged(other) == Self::Several
    }
}

impl<'a> From<Option<&'a str>> for Common<'a> {
    fn from(name: Option<&'a str>) -> Self {
        name.map_or(Self::None, Self::One)
    }
}

/// What the documents of a group are called in each scope: their ids, and their names.
#[derive(Default)]
pub(super) struct Names<'a>(LiteMap<Scope, [Common<'a>; 2]>);

impl<'a> Names<'a> {
    pub(super) fn add(
        &mut self,
        file: usize,
        is_of_export: bool,
        id: Option<&'a str>,
        name: Option<&'a str>,
    ) {
        let called = [id.into(), name.into()];
        self.add_in(Scope::File(file), called);
        if is_of_export {
            self.add_in(Scope::Exports, called);
        }
    }

    fn add_in(&mut self, scope: Scope, [id, name]: [Common<'a>; 2]) {
        let [known_id, known_name] = self.0.entry(scope).or_default();
        *known_id = known_id.merged(id);
        *known_name = known_name.merged(name);
    }

    fn merged(self, other: Self) -> Self {
        let (mut most, few) =
            if self.0.len() < other.0.len() { (other, self) } else { (self, other) };
        for (scope, called) in few.0 {
            most.add_in(scope, called);
        }
        most
    }

    /// Whether a document of each is called differently where that is no chance.
    pub(super) fn tell_apart(&self, other: &Self) -> bool {
        let (most, few) =
            if self.0.len() < other.0.len() { (&other.0, &self.0) } else { (&self.0, &other.0) };
        few.iter().any(|(scope, [id, name])| {
            most.get(scope).is_some_and(|[other_id, other_name]| {
                id.differs(*other_id) || name.differs(*other_name)
            })
        })
    }
}
