//! The positions of the list that is walked through, and the way from one to the next. Mostly pure.

use std::{collections::BTreeSet, sync::Arc};

use domain::{LabelId, MemberId, Position, ProjectId, Revision, Role, WalkList};
use live::Tallies;

use super::{about::About, labels};
use crate::{
    Result, Services,
    agreement::{
        breakdowns::Remembered,
        disagreements,
        positions::{self, FoundPosition, FoundPositions, Of},
    },
    base::names::Names,
    review::quorum::Quorums,
};

/// The decisions of a list, each once, in its order: positions, and of a group the first of it.
pub(super) struct Listed(pub(super) Vec<Position>);

/// A list, and how far a reviewer is with it.
pub(crate) struct Progress {
    pub(super) listed: Listed,
    /// How many decisions the reviewer can still take, and the first of them.
    pub(super) undecided: Option<(usize, Option<Position>)>,
}

/// Lists by what they are of, how many have to finish each document, and who reviews; remembered while
/// nothing moves.
pub(crate) type Known = Remembered<Progress, Question>;

type Question = (List, Arc<Quorums>, Option<MemberId>);

/// What a list is of, the raters of the project, and the revision that it was found in.
type List = (WalkList, Vec<(MemberId, Role)>, Revision);

/// What was found for a list.
enum Source {
    Disagreements(Arc<Vec<disagreements::Found>>),
    Positions(Arc<FoundPositions>),
    Label(LabelId),
}

impl Source {
    fn positions(&self, tallies: &Tallies) -> Vec<Position> {
        match self {
            Self::Disagreements(found) => {
                let position = |found: &disagreements::Found| Position {
                    document: found.document,
                    range: found.range,
                };
                found.iter().map(position).collect()
            }
            Self::Positions(found) => found.listed.iter().flat_map(marked).collect(),
            Self::Label(label) => labels::positions(tallies, *label),
        }
    }
}

/// Finds the positions of a list and what is decided together. Decisions are about exact positions: lists of
/// others are refused.
pub(super) async fn load(
    services: &Arc<Services>,
    project: ProjectId,
    names: &Names,
    list: &WalkList,
    about: &About,
    reviewer: Option<MemberId>,
) -> Result<Arc<Progress>> {
    let (revision, source) = match list {
        WalkList::Disagreements(query) => {
            let (tallies, found) = disagreements::find_all(services, project, *query).await?;
            (tallies.revision, Source::Disagreements(found))
        }
        WalkList::Positions(query) => {
            query.switches.policy.check_exact()?;
            let (tallies, found) = positions::find_all(services, project, names, query).await?;
            (tallies.revision, Source::Positions(found))
        }
        WalkList::Label(label) => (about.tallies.revision, Source::Label(*label)),
    };
    let raters = names.raters().iter().map(|rater| (rater.id, rater.role)).collect();
    let question = ((list.clone(), raters, revision), Arc::clone(&about.quorums), reviewer);
    let here = about.clone();
    let count = move |tallies: &Tallies, (.., reviewer): &Question| {
        let found = source.positions(tallies);
        let listed = Listed(here.groups.decisions(found.iter().copied()));
        let undecided = reviewer.map(|reviewer| {
            let mut all = listed.0.iter().copied();
            let is_undecided = |at: &Position| here.is_undecided(reviewer, *at);
            let first = all.find(is_undecided);
            (usize::from(first.is_some()) + all.filter(is_undecided).count(), first)
        });
        Progress { listed, undecided }
    };
    services.walks.find_or_count(&about.tallies, question, count).await
}

impl Listed {
    /// The position's place in the list, from 0.
    pub(super) fn place(&self, at: Position) -> Option<usize> {
        self.0.iter().position(|position| *position == at)
    }

    /// The positions before and after one. Around one that is not in the list (any more), those
    /// that come before and after it in the text.
    pub(super) fn neighbours(&self, at: Position) -> (Option<Position>, Option<Position>) {
        let Some(place) = self.place(at) else {
            let before = self.0.iter().filter(|position| **position < at).max();
            let after = self.0.iter().filter(|position| **position > at).min();
            return (before.copied(), after.copied());
        };
        let before = place.checked_sub(1).and_then(|before| self.0.get(before));
        (before.copied(), self.0.get(place + 1).copied())
    }

    /// The next position after one that is wanted; from the end it goes on at the beginning.
    pub(super) fn next_wanted(
        &self,
        at: Position,
        mut wanted: impl FnMut(Position) -> bool,
    ) -> Option<Position> {
        let place = match (self.place(at), self.neighbours(at)) {
            (Some(place), _) => place + 1,
            (None, (_, Some(next))) => self.place(next).unwrap_or_default(),
            (None, (_, None)) => 0,
        };
        let (before, after) = self.0.split_at_checked(place)?;
        let others = after.iter().chain(before).copied();
        others.filter(|position| *position != at).find(|position| wanted(*position))
    }
}

/// The positions of a row: of a group of overlapping marks, where each of them is.
fn marked(found: &FoundPosition) -> Vec<Position> {
    let at = |range| Position { document: found.document, range };
    match &found.of {
        Of::Two(..) | Of::Labelers => vec![at(found.range)],
        Of::Apart(two) => two.map(|(_, range)| at(range)).into(),
        Of::Group(_, _, group) => {
            let ranges: BTreeSet<_> = group.first.iter().chain(&group.second).copied().collect();
            ranges.into_iter().map(at).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::{DocumentId, Range};

    use super::*;

    fn at(document: i64, start: u32) -> Position {
        Position { document: DocumentId(document), range: Range::new(start, start + 2) }
    }

    #[test]
    fn neighbours_are_those_of_the_list_in_its_own_order() {
        let list = Listed(vec![at(2, 0), at(1, 4), at(1, 0)]);
        assert_eq!(list.neighbours(at(2, 0)), (None, Some(at(1, 4))));
        assert_eq!(list.neighbours(at(1, 4)), (Some(at(2, 0)), Some(at(1, 0))));
        assert_eq!(list.neighbours(at(1, 0)), (Some(at(1, 4)), None));
    }

    #[test]
    fn a_position_that_has_left_the_list_keeps_its_place_in_the_text() {
        let list = Listed(vec![at(1, 0), at(1, 8), at(2, 0)]);
        assert_eq!(list.place(at(1, 4)), None);
        assert_eq!(list.neighbours(at(1, 4)), (Some(at(1, 0)), Some(at(1, 8))));
        assert_eq!(list.neighbours(at(3, 0)), (Some(at(2, 0)), None));
        assert_eq!(Listed(Vec::new()).neighbours(at(1, 0)), (None, None));
    }

    #[test]
    fn the_walk_goes_on_to_what_is_wanted_next_and_round_to_the_beginning() {
        let list = Listed(vec![at(1, 0), at(1, 4), at(1, 8), at(2, 0)]);
        let wanted = |position: Position| position != at(1, 8);
        assert_eq!(list.next_wanted(at(1, 4), wanted), Some(at(2, 0)));
        assert_eq!(list.next_wanted(at(2, 0), wanted), Some(at(1, 0)));
        // One that has left the list.
        assert_eq!(list.next_wanted(at(1, 2), wanted), Some(at(1, 4)));
        assert_eq!(list.next_wanted(at(9, 0), wanted), Some(at(1, 0)));
        assert_eq!(list.next_wanted(at(1, 4), |_| false), None);
        assert_eq!(Listed(vec![at(1, 0)]).next_wanted(at(1, 0), |_| true), None);
    }
}
