//! Disagreements as they are looked at and worked through: those that are decided as one are one.

use serde::{Deserialize, Serialize};

use crate::{Disagreement, Group, Page, Position, Rater};

/// A row of the list as it is looked at: one decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    /// The position; of a group, all that it covers.
    pub row: Disagreement,
    /// The group that is decided as one.
    pub group: Option<Group>,
}

impl Dispute {
    /// A position by itself.
    pub const fn of(row: Disagreement) -> Self {
        Self { row, group: None }
    }

    /// The position that leads to the decision.
    pub fn at(&self) -> Position {
        let first = self.group.as_ref().and_then(|group| group.positions.first());
        let range = first.map_or(self.row.range, |first| first.range);
        Position { document: self.row.document, range }
    }
}

/// A page of the decisions that disagreements ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisputeList {
    pub raters: Vec<Rater>,
    /// How many positions these are.
    pub positions: u64,
    pub page: Page<Dispute>,
}
