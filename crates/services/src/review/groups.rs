//! The groups of a document's positions that differ in their boundaries: what is decided as one.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{
    DisagreementQuery, DocumentId, Given, Group, GroupPosition, MemberId, Position, PositionQuery,
    ProjectId, Range, Revision, Role, Standing, WorkState, alternatives, groups,
};
use live::{DocumentWork, Tallies, Work};

use super::quorum::{Quorums, standing};
use crate::{
    Result, Services,
    agreement::breakdowns::{ByDocument, Question, Remembered},
};

/// The groups of one document. What is unanimous is in question no more, and in none.
#[derive(Default)]
pub(crate) struct DocumentGroups {
    groups: Vec<Vec<Range>>,
    group_of: BTreeMap<Range, usize>,
}

impl DocumentGroups {
    /// The groups of what labelers have, where so many have to finish the document.
    pub(crate) fn of(work: &DocumentWork, quorum: u64) -> Self {
        let labelers = || work.iter().filter(|(_, work)| work.is_of_labeler());
        let mut given = Given::new();
        for (id, labeler) in labelers() {
            for (range, labels) in &labeler.judgements {
                given.entry(*range).or_default().insert(*id, labels);
            }
        }
        let is_open = |range: Range| {
            standing(labelers().map(|(_, work)| work), range, quorum) != Standing::Unanimous
        };
        let mut found = groups(&given);
        if !found.is_empty() {
            given.retain(|range, _| is_open(*range));
            found = groups(&given);
        }
        let groups = found;
        let places = groups.iter().enumerate();
        let group_of = places
            .flat_map(|(place, group)| group.iter().map(move |range| (*range, place)))
            .collect();
        Self { groups, group_of }
    }

    /// The group that a position is in.
    pub(crate) fn group(&self, range: Range) -> Option<&[Range]> {
        self.groups.get(*self.group_of.get(&range)?).map(Vec::as_slice)
    }

    /// The first position of the group that a position is in.
    pub(crate) fn first(&self, range: Range) -> Option<Range> {
        self.group(range)?.first().copied()
    }
}

/// The groups of all documents of a project that have any, in the order of documents, each with how many
/// have to finish it.
#[derive(Default)]
pub(crate) struct Groups(Vec<(DocumentId, Arc<(u64, DocumentGroups)>)>);

/// Groups, remembered while nothing moves, and those of each document for as long as that does not.
#[derive(Default)]
pub(crate) struct Known {
    all: Remembered<Groups, Arc<Quorums>>,
    kept: Arc<Kept>,
}

type Kept = ByDocument<(u64, DocumentGroups), ProjectId>;

/// The places of a list's positions that are the first of their decision, remembered while nothing moves.
pub(crate) type Firsts = Remembered<Vec<usize>, (List, Arc<Quorums>)>;

/// What a list is of.
#[derive(Clone, PartialEq)]
pub(crate) enum List {
    Disagreements(DisagreementQuery),
    /// With the revision that they were found in.
    Positions(PositionQuery, Vec<(MemberId, Role)>, Revision),
    Undecided(Question),
}

/// The rows of a list of so many positions: one for each decision. Counted on a thread that may block.
pub(crate) async fn rows(
    services: &Services,
    (tallies, groups): (&Arc<Tallies>, &Arc<Groups>),
    question: (List, Arc<Quorums>),
    (length, at): (usize, impl Fn(usize) -> Option<Position> + Send + 'static),
) -> Result<Arc<Vec<usize>>> {
    let groups = Arc::clone(groups);
    let count = move |_: &Tallies, _: &(List, Arc<Quorums>)| {
        let rows = groups.first_of_each((0..length).filter_map(&at));
        rows.map(|(place, _)| place).collect()
    };
    services.firsts.find_or_count(tallies, question, count).await
}

/// The groups of a project as the tallies have it, where so many have to finish each document; counted on a
/// thread that may block.
pub(crate) async fn counted(
    services: &Services,
    project: ProjectId,
    tallies: &Arc<Tallies>,
    quorums: &Arc<Quorums>,
) -> Result<Arc<Groups>> {
    let kept = Arc::clone(&services.groups.kept);
    let count = move |tallies: &Tallies, quorums: &Arc<Quorums>| {
        Groups::of(&kept, project, tallies, quorums)
    };
    services.groups.all.find_or_count(tallies, Arc::clone(quorums), count).await
}

impl Groups {
    fn of(kept: &Kept, project: ProjectId, tallies: &Tallies, quorums: &Quorums) -> Self {
        let holds = |document, (quorum, _): &(u64, _)| *quorum == quorums.of(document);
        let mut groups = kept.each(tallies, &project, holds, |document, work| {
            let quorum = quorums.of(document);
            (quorum, DocumentGroups::of(work, quorum))
        });
        groups.retain(|(_, groups)| !groups.1.groups.is_empty());
        Self(groups)
    }

    fn document(&self, document: DocumentId) -> Option<&DocumentGroups> {
        let place = self.0.binary_search_by_key(&document, |(document, _)| *document).ok()?;
        self.0.get(place).map(|(_, groups)| &groups.1)
    }

    /// The group that a position is in.
    pub(crate) fn group(&self, at: Position) -> Option<&[Range]> {
        self.document(at.document)?.group(at.range)
    }

    /// The first position of the group that a position is in.
    pub(crate) fn first(&self, at: Position) -> Option<Range> {
        self.group(at)?.first().copied()
    }

    /// All that is decided together with a position, itself among it.
    pub(crate) fn decided_with(&self, at: Position) -> Vec<Range> {
        self.group(at).map_or_else(|| vec![at.range], <[Range]>::to_vec)
    }

    /// The position that stands for the decision that a position is part of: the first of its group,
    /// or itself.
    pub(crate) fn decision(&self, at: Position) -> Position {
        Position { range: self.first(at).unwrap_or(at.range), ..at }
    }

    /// The decisions that positions are part of, each once, in the order of the first of its positions.
    pub(crate) fn decisions(
        &self,
        positions: impl Iterator<Item = Position> + Clone,
    ) -> Vec<Position> {
        let decision = |(_, position)| self.decision(position);
        self.first_of_each(positions).map(decision).collect()
    }

    /// Positions with their places, but for those whose decision an earlier one is part of.
    fn first_of_each(
        &self,
        positions: impl Iterator<Item = Position> + Clone,
    ) -> impl Iterator<Item = (usize, Position)> {
        let is_by_document = positions.clone().map(|position| position.document).is_sorted();
        let (mut document, mut seen) = (None, BTreeSet::new());
        positions.enumerate().filter(move |(_, position)| {
            // With a million spans, most of the time would go into remembering all documents.
            if is_by_document && document.replace(position.document) != Some(position.document) {
                seen.clear();
            }
            seen.insert(self.decision(*position))
        })
    }

    /// Whether a reviewer can decide on the position, or on another of its group, and has not.
    pub(crate) fn is_undecided(&self, tallies: &Tallies, reviewer: MemberId, at: Position) -> bool {
        let own = tallies.document(at.document).and_then(|work| work.get(&reviewer));
        own.is_none_or(|own| {
            let is_open = |range: &Range| !own.verdicts.contains_key(range);
            own.state != WorkState::Submitted && self.decided_with(at).iter().any(is_open)
        })
    }
}

/// A group of a document with what there is to choose from.
pub(crate) fn group_of(
    work: &DocumentWork,
    ranges: &[Range],
    position: impl Fn(Range) -> GroupPosition,
) -> Group {
    let labelers = || work.iter().filter(|(_, work)| work.is_of_labeler());
    let given = labelers().flat_map(|(id, work)| {
        let here = work.judgements.iter().filter(|(range, _)| ranges.contains(range));
        here.map(|(range, labels)| (*range, *id, labels))
    });
    let has_nothing = |work: &Work| {
        work.state.has_work() && !ranges.iter().any(|range| work.judgements.contains_key(range))
    };
    let without = labelers().filter(|(_, work)| has_nothing(work)).map(|(id, _)| *id);
    Group {
        positions: ranges.iter().map(|range| position(*range)).collect(),
        alternatives: alternatives(given),
        without: without.collect(),
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use domain::{LabelId, Span};

    use super::*;

    const PER: LabelId = LabelId(1);

    fn work(labelers: &[(WorkState, &[(u32, u32)])]) -> DocumentWork {
        let one = |(state, spans): &(WorkState, &[(u32, u32)])| {
            let spans = spans.iter().map(|(start, end)| Span::new(*start, *end, PER));
            Work::of_labeler(*state, DateTime::<Utc>::UNIX_EPOCH, spans)
        };
        (1..).map(MemberId).zip(labelers.iter().map(one)).collect()
    }

    #[test]
    fn what_everybody_agreed_on_who_is_to_finish_is_in_no_group() {
        let (short, long) = ([(0, 6)], [(0, 25)]);
        let drafted = work(&[
            (WorkState::Submitted, &short),
            (WorkState::Submitted, &short),
            (WorkState::Saved, &long),
        ]);
        assert!(DocumentGroups::of(&drafted, 2).groups.is_empty());
        let waiting = DocumentGroups::of(&drafted, 3);
        let both = [Range::new(0, 6), Range::new(0, 25)];
        assert_eq!(waiting.group(both[1]), Some(&both[..]));
        assert_eq!(waiting.first(both[1]), Some(both[0]));
    }
}
