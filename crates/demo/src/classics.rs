//! The larger sample project: passages of classic prose, six labelers with habits, one reviewer.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
};

use domain::{Range, Verdict, WorkState};

use super::{
    dice::Dice,
    habits::{HABITS, Habits},
    passages::{Passage, passages},
    sample::{Review, Sample, SampleRound, SampleWork},
};

/// The project's name.
pub(super) const NAME: &str = "Places and people in classic prose";

/// The labels, as in the guidelines.
pub(super) const LABELS: &[&str] = &["PERSON", "PLACE", "ORG", "WORK", "DATE", "QUANTITY"];

/// How many documents the first round had.
const FIRST_ROUND: usize = 28;

/// Documents that a labeler has begun and not handed in.
const UNDER_WAY: usize = 3;

/// How many times in a thousand the reviewer goes with the labelers against the guidelines, and
/// overlooks what all of them overlooked.
const YIELDS: u64 = 40;
const OVERLOOKS: u64 = 250;

/// The labels that one rater gave to one position.
type Labels = BTreeSet<&'static str>;

/// The project.
pub(super) fn sample() -> Sample {
    let labelers: Vec<Vec<SampleWork>> =
        (0..).zip(HABITS).map(|(number, habits)| assignments(number, &habits)).collect();
    Sample {
        name: NAME,
        rounds: rounds(),
        labels: LABELS,
        documents: passages()
            .iter()
            .map(|passage| (passage.name.clone(), passage.text.clone()))
            .collect(),
        reviews: reviews(&labelers),
        labelers,
    }
}

/// A first round to find out what the guidelines leave open, and a second one with it settled. The
/// days between were a weekend.
fn rounds() -> Vec<SampleRound> {
    let guidelines = include_str!("../samples/guidelines.md");
    let first = guidelines.split_once("## Hard cases").map_or(guidelines, |(first, _)| first);
    vec![
        SampleRound {
            title: "",
            note: "",
            guidelines: first,
            documents: FIRST_ROUND,
            days: &[0, 1, 2, 3],
        },
        SampleRound {
            title: "Hard cases settled",
            note: "What the first round left open is now under “Hard cases”, and “Names within \
                   names” says when to mark both. Nothing else has changed.",
            guidelines,
            documents: passages().len() - FIRST_ROUND,
            days: &[6, 7, 8, 9],
        },
    ]
}

/// A labeler's assignments: worked through from the first passage on.
fn assignments(number: u64, habits: &Habits) -> Vec<SampleWork> {
    let all = passages();
    let share = usize::try_from(habits.handed_in).unwrap_or(1000);
    let handed_in = all.len() * share / 1000;
    let states = iter::repeat_n(WorkState::Submitted, handed_in)
        .chain(iter::repeat_n(WorkState::Saved, UNDER_WAY))
        .chain(iter::repeat(WorkState::Open));
    (0..)
        .zip(all)
        .zip(states)
        .map(|((place, passage), state)| {
            let mut spans = habits.annotate(&mut Dice::new([number, place]), passage);
            match state {
                WorkState::Open => spans.clear(),
                // Whoever is under way has come to the middle.
                WorkState::Saved => spans.truncate(spans.len().div_ceil(2)),
                WorkState::Submitted => {}
            }
            SampleWork { state, spans }
        })
        .collect()
}

/// The reviewer has been through a third of the passages, and half-way through the next.
fn reviews(labelers: &[Vec<SampleWork>]) -> Vec<Review> {
    let reviewed = passages().len() / 3;
    passages()
        .iter()
        .enumerate()
        .take(reviewed + 1)
        .map(|(place, passage)| {
            let assignments = labelers.iter().filter_map(|assignments| assignments.get(place));
            let marked = marked(assignments.filter(|assignment| assignment.state.has_work()));
            let mut decisions = decide(place, passage, &marked);
            let state = if place < reviewed { WorkState::Submitted } else { WorkState::Saved };
            if state == WorkState::Saved {
                decisions.truncate(decisions.len() / 2);
            }
            Review { state, decisions }
        })
        .collect()
}

/// What the labelers gave to each position.
fn marked<'assignments>(
    assignments: impl Iterator<Item = &'assignments SampleWork>,
) -> BTreeMap<Range, Vec<Labels>> {
    let mut marked: BTreeMap<Range, Vec<Labels>> = BTreeMap::new();
    for assignment in assignments {
        for (range, labels) in by_position(&assignment.spans) {
            marked.entry(range).or_default().push(labels);
        }
    }
    marked
}

fn by_position(spans: &[(Range, &'static str)]) -> BTreeMap<Range, Labels> {
    let mut positions: BTreeMap<Range, Labels> = BTreeMap::new();
    for (range, label) in spans {
        positions.entry(*range).or_default().insert(label);
    }
    positions
}

/// The reviewer's decisions on a passage: by the guidelines, with a slip now and then.
fn decide(
    place: usize,
    passage: &Passage,
    marked: &BTreeMap<Range, Vec<Labels>>,
) -> Vec<(Range, Verdict, Vec<&'static str>)> {
    let mut dice = Dice::new([u64::try_from(place).unwrap_or(0), u64::MAX]);
    let gold = by_position(&passage.gold);
    let ranges: BTreeSet<Range> = gold.keys().chain(marked.keys()).copied().collect();
    let mut decisions = Vec::new();
    for range in ranges {
        let given = marked.get(&range).map_or(&[][..], Vec::as_slice);
        let yields = dice.chance(YIELDS);
        let right = match given.first() {
            Some(first) if yields => Some(first),
            _ => gold.get(&range),
        };
        let (verdict, labels) = match right {
            None => (Verdict::Reject, Vec::new()),
            Some(_) if given.is_empty() && dice.chance(OVERLOOKS) => continue,
            Some(right) => {
                let verdict = if given.is_empty() {
                    Verdict::Add
                } else if given.contains(right) {
                    Verdict::Accept
                } else {
                    Verdict::Relabel
                };
                (verdict, right.iter().copied().collect())
            }
        };
        decisions.push((range, verdict, labels));
    }
    decisions
}

#[cfg(test)]
mod tests {
    use domain::base::text;

    use super::*;

    #[test]
    fn the_demo_is_the_same_on_every_start() {
        let (first, second) = (sample(), sample());
        assert_eq!(first.labelers, second.labelers);
        assert_eq!(first.reviews, second.reviews);
    }

    #[test]
    fn assignments_are_mostly_handed_in_and_some_are_saved_or_open() {
        let sample = sample();
        let assignments: Vec<_> = sample.labelers.iter().flatten().collect();
        let in_state =
            |state| assignments.iter().filter(|assignment| assignment.state == state).count();
        assert_eq!(assignments.len(), 6 * passages().len());
        assert!(in_state(WorkState::Submitted) * 10 > assignments.len() * 7);
        assert!(in_state(WorkState::Saved) >= 12);
        assert!(in_state(WorkState::Open) >= 12);
    }

    #[test]
    fn everything_that_is_marked_lies_in_its_text_and_is_marked_once() {
        let sample = sample();
        for assignments in &sample.labelers {
            for (assignment, (name, body)) in assignments.iter().zip(&sample.documents) {
                let unique: BTreeSet<_> = assignment.spans.iter().collect();
                assert_eq!(unique.len(), assignment.spans.len(), "{name}");
                for (range, label) in &assignment.spans {
                    range.checked(text::length(body)).unwrap();
                    assert!(LABELS.contains(label));
                    let words = text::slice(body, *range);
                    assert_eq!(words, words.trim(), "{name}");
                }
            }
        }
    }

    #[test]
    fn the_careless_labeler_is_farthest_from_the_careful_one() {
        let labelers = sample().labelers;
        let same = |other: usize| {
            let (mut both, mut either) = (0, 0);
            for (first, second) in labelers[0].iter().zip(&labelers[other]) {
                if first.state == WorkState::Submitted && second.state == WorkState::Submitted {
                    let first: BTreeSet<_> = first.spans.iter().collect();
                    let second: BTreeSet<_> = second.spans.iter().collect();
                    both += first.intersection(&second).count();
                    either += first.union(&second).count();
                }
            }
            both * 100 / either
        };
        let overlaps: Vec<usize> = (1..6).map(same).collect();
        assert!(overlaps[4] < 60, "{overlaps:?}");
        assert!(overlaps[..4].iter().all(|overlap| *overlap > overlaps[4] + 10), "{overlaps:?}");
        assert!(overlaps.iter().all(|overlap| *overlap < 95), "{overlaps:?}");
    }

    #[test]
    fn every_verdict_occurs_and_describes_what_happens() {
        let sample = sample();
        let mut seen = BTreeSet::new();
        for (place, review) in sample.reviews.iter().enumerate() {
            let marked = marked(sample.labelers.iter().map(|assignments| &assignments[place]));
            for (range, verdict, labels) in &review.decisions {
                let labels: Labels = labels.iter().copied().collect();
                let given = marked.get(range).map_or(&[][..], Vec::as_slice);
                seen.insert(*verdict);
                match verdict {
                    Verdict::Accept => assert!(given.contains(&labels)),
                    Verdict::Relabel => assert!(!given.is_empty() && !given.contains(&labels)),
                    Verdict::Reject => assert!(!given.is_empty() && labels.is_empty()),
                    Verdict::Add => assert!(given.is_empty() && !labels.is_empty()),
                }
            }
        }
        assert_eq!(seen.len(), Verdict::ALL.len());
    }
}
