//! The positions of the list that is walked through, and the way from one to the next. Mostly pure.

use std::{collections::BTreeSet, sync::Arc};

use domain::{Position, ProjectId, WalkList};

use super::labels;
use crate::{
    Error, Result, Services,
    agreement::{
        disagreements,
        positions::{self, FoundPosition, Of},
    },
    base::names::Names,
    review::groups::Groups,
};

/// The decisions of a list, each once, in its order: positions, and of a group the first of it.
pub(super) struct Listed(pub(super) Vec<Position>);

impl Listed {
    /// Finds the positions of a list and what is decided together.
    pub(super) async fn load(
        services: &Arc<Services>,
        project: ProjectId,
        names: &Names,
        list: &WalkList,
        groups: &Groups,
    ) -> Result<Self> {
        let found: Vec<Position> = match list {
            WalkList::Disagreements(query) => {
                let (_, found) = disagreements::find_all(services, project, *query).await?;
                let position = |found: &disagreements::Found| Position {
                    document: found.document,
                    range: found.range,
                };
                found.iter().map(position).collect()
            }
            WalkList::Positions(query) => {
                let (_, found) = positions::find_all(services, project, names, query).await?;
                found.iter().flat_map(marked).collect()
            }
            WalkList::Label(label) => {
                let (tallies, label) = (services.live.read(project).await?, *label);
                let found = tokio::task::spawn_blocking(move || labels::positions(&tallies, label));
                found.await.map_err(Error::broken)?
            }
        };
        Ok(Self(groups.decisions(found)))
    }

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
