//! Positions that differ in their boundaries: which of them are about the same thing and therefore one
//! decision, and what the labelers' answers to it are. Pure.
//!
//! Two positions are *rivals* where some labelers have the one and others the other for the same thing:
//!
//! 1. They overlap, and no labeler has both: whoever has both has told them apart.
//!    “Hamlet” and “Hamlet, Prince of Denmark” are rivals; a title that all have, and a name in it of
//!    which all have the same, are not.
//! 2. Each is what the other's labelers have in its place. Of a labeler's spans that overlap a position
//!    and each other, that is the closest one: who has a sentence, and in it “Hamlet”, answers “Hamlet,
//!    Prince of Denmark” by “Hamlet”, and the sentence is a rival of neither.
//! 3. A span around several of one labeler's is no rival of those it shares no label with: a sentence is
//!    another thing than the four names in it, but a PERSON “Rosencrantz and Guildenstern” is a rival of the
//!    two PERSONs in it.
//!
//! A group is made of rivals, directly or through others; positions without a rival are in none. Which
//! group a position is in depends only on what overlaps it, directly or through others.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
};

use serde::{Deserialize, Serialize};

use crate::{
    Code, DecisionSummary, Error, LabelId, LabelSet, MemberId, Range, base::collect_unsorted,
};

/// Positions that differ in their boundaries, and what there is to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// In order of position.
    pub positions: Vec<GroupPosition>,
    pub alternatives: Vec<Alternative>,
    /// Labelers who worked on the document and have nothing in the group.
    pub without: Vec<MemberId>,
}

impl Group {
    /// All that it covers.
    pub fn range(&self) -> Range {
        let ranges: Vec<_> = self.positions.iter().map(|position| position.range).collect();
        covered(&ranges)
    }
}

/// A position of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupPosition {
    pub range: Range,
    /// The latest decision, by whichever reviewer.
    pub decision: Option<DecisionSummary>,
    /// The viewer's own.
    pub own: Option<LabelSet>,
}

/// What labelers have in a document: by position, who gave it which labels.
pub type Given<'a> = BTreeMap<Range, BTreeMap<MemberId, &'a LabelSet>>;

/// The groups of a document, each in order of position, by their first positions.
pub fn groups(given: &Given<'_>) -> Vec<Vec<Range>> {
    overlapping(given).iter().flat_map(|near| joined(near, &rivals(given, near))).collect()
}

/// Positions that overlap, directly or through others: no rival of one is among those of another.
/// Such as overlap nothing are left out.
fn overlapping(given: &Given<'_>) -> Vec<Vec<Range>> {
    let mut all: Vec<Vec<Range>> = Vec::new();
    let mut reach = 0;
    for &range in given.keys() {
        match all.last_mut().filter(|_| range.start < reach) {
            Some(near) => near.push(range),
            None => all.push(vec![range]),
        }
        reach = range.end.max(reach);
    }
    all.retain(|near| near.len() > 1);
    all
}

/// Each position with its rivals, of positions that overlap.
fn rivals(given: &Given<'_>, near: &[Range]) -> BTreeMap<Range, Vec<Range>> {
    let mut own: BTreeMap<MemberId, Vec<Range>> = BTreeMap::new();
    for (range, labelers) in near.iter().filter_map(|range| Some((*range, given.get(range)?))) {
        for labeler in labelers.keys() {
            own.entry(*labeler).or_default().push(range);
        }
    }
    let mut answers: BTreeSet<(Range, Range)> = BTreeSet::new();
    let mut together: BTreeSet<(Range, Range)> = BTreeSet::new();
    for ranges in own.values() {
        for &range in near {
            if ranges.contains(&range) {
                together.extend(ranges.iter().map(|other| (range, *other)));
            } else {
                let in_place = in_place_of(given, range, ranges);
                answers.extend(in_place.into_iter().map(|other| (range, other)));
            }
        }
    }
    let mut rivals: BTreeMap<Range, Vec<Range>> = BTreeMap::new();
    for &(range, other) in &answers {
        if answers.contains(&(other, range)) && !together.contains(&(range, other)) {
            rivals.entry(range).or_default().push(other);
        }
    }
    rivals
}

/// What a labeler with these positions has in the place of one that they do not have.
fn in_place_of(given: &Given<'_>, range: Range, ranges: &[Range]) -> Vec<Range> {
    let mut rest: Vec<Range> =
        ranges.iter().copied().filter(|other| other.overlaps(range)).collect();
    let mut closest = Vec::new();
    while let Some(next) = rest.iter().copied().reduce(|one, other| closer(range, one, other)) {
        rest.retain(|other| !other.overlaps(next));
        closest.push(next);
    }
    if closest.len() > 1 {
        let labels = labels_of(given, range);
        closest.retain(|other| {
            let is_around = range.start <= other.start && other.end <= range.end;
            !is_around || labels_of(given, *other).iter().any(|label| labels.contains(label))
        });
    }
    closest
}

/// Which of two positions shares more with a third, relative to what both cover; the first of equals.
fn closer(range: Range, one: Range, other: Range) -> Range {
    let share = |of: Range| {
        let shared = of.end.min(range.end).saturating_sub(of.start.max(range.start));
        let covered = of.end.max(range.end).saturating_sub(of.start.min(range.start));
        (u64::from(shared), u64::from(covered))
    };
    let ((shared, covered), (other_shared, other_covered)) = (share(one), share(other));
    if other_shared * covered > shared * other_covered { other } else { one }
}

/// All labels that somebody gave a position.
fn labels_of(given: &Given<'_>, range: Range) -> BTreeSet<LabelId> {
    let given = given.get(&range).into_iter().flat_map(BTreeMap::values);
    collect_unsorted(given.flat_map(|labels| labels.iter()))
}

/// The groups that rivals make.
fn joined(near: &[Range], rivals: &BTreeMap<Range, Vec<Range>>) -> Vec<Vec<Range>> {
    let mut seen: BTreeSet<Range> = BTreeSet::new();
    let mut groups = Vec::new();
    for &range in near.iter().filter(|range| rivals.contains_key(range)) {
        let mut group = BTreeSet::new();
        let mut next = vec![range];
        while let Some(range) = next.pop() {
            if seen.insert(range) {
                group.insert(range);
                next.extend(rivals.get(&range).into_iter().flatten());
            }
        }
        if !group.is_empty() {
            groups.push(group.into_iter().collect());
        }
    }
    groups
}

/// All that positions cover.
pub fn covered(positions: &[Range]) -> Range {
    let start = positions.iter().map(|range| range.start).min();
    let end = positions.iter().map(|range| range.end).max();
    Range::new(start.unwrap_or_default(), end.unwrap_or_default())
}

/// What is to stand in a group: positions with their labels; nothing rejects all of it. In a form,
/// `0-6=1.2;9-14=3`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GroupAnswer(pub BTreeMap<Range, LabelSet>);

impl GroupAnswer {
    /// One position with these labels.
    pub fn one(range: Range, labels: LabelSet) -> Self {
        Self(BTreeMap::from([(range, labels)]))
    }
}

impl fmt::Display for GroupAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (Range { start, end }, labels)) in self.0.iter().enumerate() {
            let joint = if place == 0 { "" } else { ";" };
            write!(f, "{joint}{start}-{end}={labels}")?;
        }
        Ok(())
    }
}

impl FromStr for GroupAnswer {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Code::Malformed.of("choice", "positions and their labels, joined by =");
        let part = |part: &str| {
            let (range, labels) = part.split_once('=').ok_or_else(wrong)?;
            let (start, end) = range.split_once('-').ok_or_else(wrong)?;
            let bound = |text: &str| text.parse().map_err(|_| wrong());
            let labels: LabelSet = labels.parse()?;
            if labels.is_empty() {
                return Err(wrong());
            }
            Ok((Range::new(bound(start)?, bound(end)?), labels))
        };
        let parts = text.split(';').filter(|part| !part.is_empty());
        parts.map(part).collect::<Result<_, _>>().map(Self)
    }
}

written_as_text! { GroupAnswer }

/// What labelers have in a group, all of them alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    pub answer: GroupAnswer,
    /// In the order of the raters.
    pub by: Vec<MemberId>,
}

/// The labelers' answers in a group: what more gave comes first, then in the order of the text.
/// Whoever has nothing in it has none.
pub fn alternatives<'a>(
    given: impl IntoIterator<Item = (Range, MemberId, &'a LabelSet)>,
) -> Vec<Alternative> {
    let mut answers: BTreeMap<MemberId, GroupAnswer> = BTreeMap::new();
    for (range, labeler, labels) in given {
        answers.entry(labeler).or_default().0.insert(range, labels.clone());
    }
    let mut alike: BTreeMap<GroupAnswer, Vec<MemberId>> = BTreeMap::new();
    for (labeler, answer) in answers {
        alike.entry(answer).or_default().push(labeler);
    }
    // A few, put in order by hand: a browser would load a sort for them alone.
    let mut ranked: Vec<Alternative> = Vec::with_capacity(alike.len());
    for (answer, by) in alike {
        let place = ranked.partition_point(|other| other.by.len() >= by.len());
        ranked.insert(place, Alternative { answer, by });
    }
    ranked
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PER: i64 = 1;
    const LOC: i64 = 2;
    const QUOTE: i64 = 3;

    type Spans = Vec<(u32, u32, i64)>;

    fn sets(labelers: &[Spans]) -> Vec<(MemberId, BTreeMap<Range, LabelSet>)> {
        let one = |spans: &Spans| {
            let mut sets: BTreeMap<Range, LabelSet> = BTreeMap::new();
            for (start, end, label) in spans {
                sets.entry(Range::new(*start, *end)).or_default().insert(LabelId(*label));
            }
            sets
        };
        (1..).map(MemberId).zip(labelers.iter().map(one)).collect()
    }

    fn given(labelers: &[(MemberId, BTreeMap<Range, LabelSet>)]) -> Given<'_> {
        let mut given = Given::new();
        for (labeler, sets) in labelers {
            for (range, labels) in sets {
                given.entry(*range).or_default().insert(*labeler, labels);
            }
        }
        given
    }

    fn found(labelers: &[Spans]) -> Vec<Vec<(u32, u32)>> {
        let bare = |group: Vec<Range>| group.iter().map(|range| (range.start, range.end)).collect();
        groups(&given(&sets(labelers))).into_iter().map(bare).collect()
    }

    #[test]
    fn several_boundaries_of_one_name_are_one_group_whatever_the_labels() {
        let (short, long, late) = ((0, 6), (0, 25), (4, 25));
        let span = |(start, end): (u32, u32), label| vec![(start, end, label)];
        let six = [
            span(short, PER),
            span(short, PER),
            span(long, PER),
            span(long, LOC),
            span(late, PER),
            vec![],
        ];
        assert_eq!(found(&six), [vec![short, long, late]]);
    }

    #[test]
    fn what_all_have_alike_is_in_no_group_and_joins_none() {
        let (title, one, other) = ((0, 40, QUOTE), (4, 10, PER), (20, 26, PER));
        let nested = vec![title, one, other];
        assert!(found(&[nested.clone(), nested]).is_empty());
        // In a title that both have, they differ in the ends of two names.
        let names = [vec![title, one, other], vec![title, (4, 12, PER), (20, 28, PER)]];
        assert_eq!(found(&names), [vec![(4, 10), (4, 12)], vec![(20, 26), (20, 28)]]);
    }

    #[test]
    fn what_one_labeler_has_beside_a_position_is_no_rival_of_it() {
        let quote = (0, 40, QUOTE);
        // The sentence is an extra of the first; the name has two ends.
        assert_eq!(
            found(&[vec![quote, (4, 10, PER)], vec![(4, 12, PER)]]),
            [vec![(4, 10), (4, 12)]]
        );
        // A third has both: the place in the name is told apart from it, for all.
        let name = (4, 25, PER);
        let place = (18, 25, LOC);
        assert!(found(&[vec![name], vec![place], vec![name, place]]).is_empty());
        assert_eq!(found(&[vec![name], vec![place]]), [vec![(4, 25), (18, 25)]]);
    }

    #[test]
    fn a_sentence_does_not_swallow_the_names_in_it() {
        let sentence = vec![(0, 60, QUOTE)];
        let names = vec![(2, 8, PER), (12, 18, PER), (30, 36, LOC)];
        let longer = vec![(2, 10, PER), (12, 18, PER), (30, 36, LOC)];
        assert_eq!(found(&[sentence, names, longer]), [vec![(2, 8), (2, 10)]]);
        // Two persons against one span of both are two ways to see the same thing.
        let (apart, whole) = (vec![(0, 11, PER), (16, 28, PER)], vec![(0, 28, PER)]);
        assert_eq!(found(&[apart, whole]), [vec![(0, 11), (0, 28), (16, 28)]]);
    }

    #[test]
    fn what_touches_or_stands_alone_is_in_no_group() {
        assert!(found(&[vec![(0, 5, PER)], vec![(5, 9, PER)]]).is_empty());
        assert!(found(&[vec![(0, 5, PER)], vec![(0, 5, LOC)]]).is_empty());
        assert!(found(&[vec![(0, 5, PER)], vec![]]).is_empty());
    }

    #[test]
    fn alternatives_are_whole_answers_and_the_most_frequent_comes_first() {
        let labelers = sets(&[
            vec![(0, 28, PER)],
            vec![(0, 11, PER), (16, 28, PER)],
            vec![(0, 11, PER), (16, 28, PER)],
            vec![(0, 28, LOC)],
        ]);
        let of = |(labeler, sets): &'static (MemberId, BTreeMap<Range, LabelSet>)| {
            sets.iter().map(move |(range, labels)| (*range, *labeler, labels))
        };
        let labelers: &'static Vec<_> = Box::leak(Box::new(labelers));
        let told: Vec<_> = alternatives(labelers.iter().flat_map(of))
            .into_iter()
            .map(|alternative| (alternative.answer.to_string(), alternative.by.len()))
            .collect();
        let text = |text: &str, n| (text.to_owned(), n);
        assert_eq!(told, [text("0-11=1;16-28=1", 2), text("0-28=1", 1), text("0-28=2", 1)]);
    }

    #[test]
    fn an_answer_survives_a_form() {
        let one = LabelSet::one(LabelId(3));
        let mut two =
            GroupAnswer::one(Range::new(0, 6), [LabelId(1), LabelId(2)].into_iter().collect());
        two.0.insert(Range::new(9, 14), one);
        for (answer, text) in [(GroupAnswer::default(), ""), (two, "0-6=1.2;9-14=3")] {
            assert_eq!(answer.to_string(), text);
            assert_eq!(text.parse(), Ok(answer));
        }
        for wrong in ["0-6", "0=1", "0-6=none", "a-6=1", "0-6=1;;x"] {
            assert!(wrong.parse::<GroupAnswer>().is_err(), "{wrong}");
        }
    }

    fn labelers() -> impl Strategy<Value = Vec<Spans>> {
        let span = (0_u32..50, 1_u32..14, 1_i64..4);
        let span = span.prop_map(|(start, length, label)| (start, start + length, label));
        prop::collection::vec(prop::collection::vec(span, 0..7), 1..6)
    }

    proptest! {
        #[test]
        fn groups_part_the_positions_and_hold_together(labelers in labelers()) {
            let sets = sets(&labelers);
            let given = given(&sets);
            let found = groups(&given);
            let mut seen = BTreeSet::new();
            for group in &found {
                prop_assert!(group.len() > 1);
                for range in group {
                    prop_assert!(given.contains_key(range));
                    prop_assert!(seen.insert(*range), "in two groups");
                    prop_assert!(group.iter().any(|other| other != range && other.overlaps(*range)));
                }
                // Nobody has all of it: there is something to choose.
                let has_all = |sets: &BTreeMap<Range, LabelSet>| {
                    group.iter().all(|range| sets.contains_key(range))
                };
                prop_assert!(sets.iter().all(|(_, sets)| !has_all(sets)));
                prop_assert!(alternatives(given.iter().filter(|(range, _)| group.contains(range))
                    .flat_map(|(range, by)| by.iter().map(|(id, set)| (*range, *id, *set)))).len() > 1);
            }
        }

        #[test]
        fn who_is_who_does_not_matter(labelers in labelers(), turn in 0_usize..6) {
            let mut others = labelers.clone();
            let by = turn % others.len();
            others.rotate_left(by);
            for spans in &mut others {
                spans.reverse();
            }
            prop_assert_eq!(found(&labelers), found(&others));
        }

        #[test]
        fn what_is_saved_elsewhere_changes_nothing(
            labelers in labelers(), elsewhere in labelers(),
        ) {
            let before = found(&labelers);
            let mut all = labelers;
            for (place, spans) in elsewhere.into_iter().enumerate() {
                let moved = spans.into_iter().map(|(start, end, label)| (start + 64, end + 64, label));
                match all.get_mut(place) {
                    Some(own) => own.extend(moved),
                    None => all.push(moved.collect()),
                }
            }
            let near: Vec<_> = found(&all)
                .into_iter()
                .filter(|group| group.iter().all(|(_, end)| *end <= 64))
                .collect();
            prop_assert_eq!(near, before);
        }

        #[test]
        fn whoever_has_the_same_as_another_adds_nothing(labelers in labelers()) {
            let mut more = labelers.clone();
            more.extend(labelers.first().cloned());
            prop_assert_eq!(found(&more), found(&labelers));
        }
    }
}
