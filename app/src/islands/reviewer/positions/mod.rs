//! The positions of a review as the screen holds them: how the labelers stand there, and what the
//! reviewer decided, also where the server does not know it yet.

pub(crate) mod changes;
pub(crate) mod decisions;
pub(crate) mod groups;
pub(crate) mod marks;
pub(crate) mod navigation;
pub(crate) mod wording;

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use domain::{
    AtPosition, DecisionChange, Fact, LabelSet, MemberId, Range, ReviewPosition, Standing, Verdict,
};

/// A decision as it is sent: what was done, and the labels that are to stand there.
pub(crate) type Resolution = (Verdict, LabelSet);

/// A position in review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) range: Range,
    pub(crate) standing: Standing,
    /// Who marked it, with which labels.
    pub(crate) marked: Vec<(MemberId, LabelSet)>,
    /// What they answered there.
    pub(crate) chosen: Vec<(MemberId, Fact)>,
    pub(crate) decision: Option<Decided>,
    /// The first position of the group that it is in, if it is in one.
    pub(crate) group: Option<Range>,
}

/// The reviewer's decision on a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decided {
    pub(crate) verdict: Verdict,
    pub(crate) labels: LabelSet,
    /// Why, in the reviewer's words; empty without any.
    pub(crate) note: String,
    /// What is answered of attributes of the labels.
    pub(crate) answers: BTreeSet<Fact>,
    /// When the server stored it; nothing while it is on its way.
    pub(crate) at: Option<DateTime<Utc>>,
}

/// A set of labels that labelers gave to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) labels: LabelSet,
    /// How many gave exactly this set.
    pub(crate) given: usize,
}

impl Position {
    /// A position that no labeler marked.
    pub(crate) const fn added(range: Range, decision: Option<Decided>) -> Self {
        Self {
            range,
            standing: Standing::Added,
            marked: Vec::new(),
            chosen: Vec::new(),
            decision,
            group: None,
        }
    }

    /// The different label sets of the labelers: those that more gave first.
    pub(crate) fn choices(&self) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        for (_, labels) in &self.marked {
            match choices.iter_mut().find(|choice| choice.labels == *labels) {
                Some(choice) => choice.given += 1,
                None => choices.push(Choice { labels: labels.clone(), given: 1 }),
            }
        }
        // A few, put in order by hand: a browser would load a sort for them alone.
        let mut ranked: Vec<Choice> = Vec::with_capacity(choices.len());
        for choice in choices {
            let place = ranked.partition_point(|other| other.given >= choice.given);
            ranked.insert(place, choice);
        }
        ranked
    }

    /// The label set that more labelers gave than any other.
    pub(crate) fn majority(&self) -> Option<LabelSet> {
        let choices = self.choices();
        match choices.as_slice() {
            [first, second, ..] if first.given == second.given => None,
            [first, ..] => Some(first.labels.clone()),
            [] => None,
        }
    }

    /// What it is called to give this position these labels: the server accepts no other verdict.
    pub(crate) fn resolution(&self, labels: LabelSet) -> Resolution {
        let verdict = if self.marked.is_empty() {
            Verdict::Add
        } else if self.marked.iter().any(|(_, marked)| *marked == labels) {
            Verdict::Accept
        } else {
            Verdict::Relabel
        };
        (verdict, labels)
    }

    /// What leads back to the decision that stands here now.
    pub(crate) fn present(&self) -> DecisionChange {
        let decision = self.decision.as_ref();
        DecisionChange {
            range: self.range,
            decision: self.resolved(),
            answers: decision.map(|decided| decided.answers.clone()),
            note: decision.map(|decided| decided.note.clone()).unwrap_or_default(),
        }
    }

    /// What a decision for labels is answered with where nothing else is said: as the server has it.
    pub(crate) fn answers(&self, labels: &LabelSet) -> BTreeSet<Fact> {
        let there = AtPosition { marked: &self.marked, chosen: &self.chosen };
        let before = self.decision.as_ref().map(|decided| (&decided.labels, &decided.answers));
        there.answers(self.range, labels, before)
    }

    /// The decision as it would be sent.
    pub(crate) fn resolved(&self) -> Option<Resolution> {
        self.decision.as_ref().map(|decided| (decided.verdict, decided.labels.clone()))
    }
}

impl From<ReviewPosition> for Position {
    fn from(position: ReviewPosition) -> Self {
        let ReviewPosition { range, standing, marked, chosen, decision, group } = position;
        let decision = decision.map(|decision| Decided {
            verdict: decision.verdict,
            labels: decision.labels,
            note: decision.note,
            answers: decision.answers,
            at: Some(decision.decided_at),
        });
        Self { range, standing, marked, chosen, decision, group }
    }
}

/// The positions of what the server says, in order.
pub(crate) fn positions_of(positions: Vec<ReviewPosition>) -> Vec<Position> {
    positions.into_iter().map(Position::from).collect()
}

/// The position with exactly this range.
pub(crate) fn find_position(positions: &[Position], range: Range) -> Option<&Position> {
    let index = index_of(positions, range).ok()?;
    positions.get(index)
}

/// Where the position with this range stands in the list, or where it would have to.
pub(crate) fn index_of(positions: &[Position], range: Range) -> Result<usize, usize> {
    positions.binary_search_by_key(&range, |position| position.range)
}

#[cfg(test)]
pub(crate) mod examples {
    use domain::{LabelId, WorkState};

    use super::*;

    pub(crate) const PER: i64 = 1;
    pub(crate) const ORG: i64 = 2;
    pub(crate) const LOC: i64 = 3;

    /// A label set by the numbers of its labels.
    pub(crate) fn labels(ids: &[i64]) -> LabelSet {
        ids.iter().copied().map(LabelId).collect()
    }

    /// A position of two characters that labelers marked with these sets, out of `raters` who finished.
    pub(crate) fn position(start: u32, marked: &[&[i64]], raters: usize) -> Position {
        let marked: Vec<_> =
            marked.iter().zip(1..).map(|(ids, id)| (MemberId(id), labels(ids))).collect();
        let silent = raters.saturating_sub(marked.len());
        let given = marked.iter().map(|(_, labels)| Some(labels));
        let answers = given.chain(std::iter::repeat_n(None, silent));
        let quorum = u64::try_from(raters.max(2)).unwrap();
        let standing = Standing::of(answers.map(|given| (WorkState::Submitted, given)), quorum);
        let range = Range::new(start, start + 2);
        Position { range, standing, marked, chosen: Vec::new(), decision: None, group: None }
    }

    /// The position with a decision that the server has not stored yet.
    pub(crate) fn decided(position: Position, verdict: Verdict, ids: &[i64]) -> Position {
        let (labels, note, answers) = (labels(ids), String::new(), BTreeSet::new());
        let decision = Some(Decided { verdict, labels, note, answers, at: None });
        Position { decision, ..position }
    }
}

#[cfg(test)]
mod tests {
    use super::{examples::*, *};

    #[test]
    fn choices_are_counted_and_the_most_frequent_comes_first() {
        let position = position(0, &[&[ORG], &[PER], &[PER], &[PER, ORG]], 4);
        let choices: Vec<_> =
            position.choices().into_iter().map(|choice| (choice.labels, choice.given)).collect();
        assert_eq!(choices, [(labels(&[PER]), 2), (labels(&[ORG]), 1), (labels(&[PER, ORG]), 1)]);
    }

    #[test]
    fn a_tie_has_no_majority() {
        assert_eq!(position(0, &[&[ORG], &[PER]], 2).majority(), None);
        assert_eq!(position(0, &[&[ORG], &[PER], &[PER]], 3).majority(), Some(labels(&[PER])));
        assert_eq!(position(0, &[&[ORG]], 3).majority(), Some(labels(&[ORG])));
        assert_eq!(Position::added(Range::new(0, 1), None).majority(), None);
    }

    #[test]
    fn the_verdict_follows_from_what_the_labelers_marked() {
        let there = position(0, &[&[ORG], &[PER]], 2);
        assert_eq!(there.resolution(labels(&[ORG])).0, Verdict::Accept);
        assert_eq!(there.resolution(labels(&[ORG, PER])).0, Verdict::Relabel);
        assert_eq!(there.resolution(labels(&[LOC])).0, Verdict::Relabel);
        let added = Position::added(Range::new(0, 1), None);
        assert_eq!(added.resolution(labels(&[ORG])).0, Verdict::Add);
    }
}
