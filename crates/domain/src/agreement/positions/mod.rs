//! The positions list: exactly the positions that a count on an agreement page counts.

mod disagreement;

pub use disagreement::*;

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    Code, DocumentId, Error, Group, LabelId, LabelSet, MemberId, Page, Position, Range, Rater,
    Revision, Role, Switches,
};

/// Whose judgements are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Whose {
    /// Two raters; a row is a position.
    Pair(MemberId, MemberId),
    /// One rater with every other of this role; a row is a position and one of the others.
    Pooled(MemberId, Role),
    /// All labelers at once; a row is a position.
    Labelers,
}

switch! {
    /// How the raters compared stand on a position. With [`PositionQuery::label`] the question is
    /// not "what is it?" but "is it this?".
    PositionOutcome {
        /// Whatever they said; with a label: at least one of them gave it.
        Any = "any",
        /// All said the same; with a label: all gave it.
        Agree = "agree",
        /// They did not; with a label: some gave it and some did not.
        Differ = "differ",
        /// Both judged the position, whatever the policy; with a label: both gave it.
        Both = "both",
        /// Only the first judged the position, whatever the policy; with a label: only the first
        /// gave it.
        OnlyFirst = "only-first",
        /// The same of the second.
        OnlySecond = "only-second",
        /// With a label: it is counted, and nobody gave it. Without one there is no such position.
        Neither = "neither",
    }
}

switch! {
    /// How marks of two raters that overlap without being the same lie to each other, told from
    /// the first rater's mark. One mark each, but for the last three.
    Boundary {
        /// Starts earlier, ends at the same place.
        StartsEarlier = "starts-earlier",
        /// Starts later, ends at the same place.
        StartsLater = "starts-later",
        /// Starts at the same place, ends earlier.
        EndsEarlier = "ends-earlier",
        /// Starts at the same place, ends later.
        EndsLater = "ends-later",
        /// Starts earlier and ends earlier.
        Before = "starts-and-ends-earlier",
        /// Starts later and ends later.
        After = "starts-and-ends-later",
        /// Starts earlier and ends later: the other's mark is nested in it.
        Around = "around",
        /// Starts later and ends earlier: it is nested in the other's mark.
        Inside = "inside",
        /// The first has several marks where the second has one.
        Split = "split",
        /// The first has one span where the second has several.
        Merged = "merged",
        /// A chain of overlaps with several marks of both.
        Several = "several",
    }
}

/// Which positions are wanted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionQuery {
    pub whose: Whose,
    pub switches: Switches,
    /// What the first said, exactly; of all labelers at once: what at least one of them said.
    pub said: Option<LabelSet>,
    /// What the second said, exactly; of all labelers at once: what at least one of them said.
    pub against: Option<LabelSet>,
    /// Asks "is this the label?" instead of "what is it?"; see [`PositionOutcome`].
    pub label: Option<LabelId>,
    pub outcome: PositionOutcome,
    /// Rows are groups of overlapping marks of this type; only for [`Whose::Pair`].
    pub boundary: Option<Boundary>,
    pub document: Option<DocumentId>,
    /// From 0.
    pub page: u64,
}

impl PositionQuery {
    /// Everything that is counted.
    pub fn of(whose: Whose, switches: Switches) -> Self {
        Self {
            whose,
            switches,
            said: None,
            against: None,
            label: None,
            outcome: PositionOutcome::Any,
            boundary: None,
            document: None,
            page: 0,
        }
    }
}

/// What one rater has in a row; a group of overlapping marks has several of one rater.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    pub rater: MemberId,
    pub judgement: Judgement,
    /// Where, and the text there, if it is not the row's own range.
    pub elsewhere: Option<(Range, String)>,
}

/// A row of the positions list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionRow {
    pub document: DocumentId,
    pub document_name: String,
    /// The position; of overlapping marks, all that they cover.
    pub range: Range,
    /// The text there, and up to 40 characters before and after it.
    pub quote: String,
    pub left: String,
    pub right: String,
    /// In what way all who judged the document differ here, whoever is compared; none if they do not.
    pub kind: Option<DisagreementKind>,
    /// What those compared have here, in the order of the raters.
    pub said: Vec<Said>,
    /// Of all labelers at once: the positions that are decided as one, of which this row tells.
    pub group: Option<Group>,
    pub decision: Option<DecisionSummary>,
}

impl PositionRow {
    /// The position that leads to the decision.
    pub fn at(&self) -> Position {
        let first = self.group.as_ref().and_then(|group| group.positions.first());
        Position { document: self.document, range: first.map_or(self.range, |first| first.range) }
    }
}

/// A page of the positions list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionList {
    pub revision: Revision,
    /// All raters of the project, with the names that the viewer may know.
    pub raters: Vec<Rater>,
    /// The name of the one document that was asked for.
    pub document_name: Option<String>,
    /// The count that led here, without what is not listed: a row may tell of several.
    pub positions: u64,
    /// Tokens that nobody judged, which the count counts and which are no rows.
    pub unlisted: u64,
    pub page: Page<PositionRow>,
}

/// A category in an address: ids joined by full stops, `none` for ∅.
impl fmt::Display for LabelSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        for (place, label) in self.iter().enumerate() {
            let dot = if place == 0 { "" } else { "." };
            write!(f, "{dot}{label}")?;
        }
        Ok(())
    }
}

impl FromStr for LabelSet {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text == "none" {
            return Ok(Self::EMPTY);
        }
        text.split('.')
            .map(str::parse::<LabelId>)
            .collect::<Result<_, _>>()
            .map_err(|_| Code::Malformed.of("said", "a category is ids of labels, or none"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_survives_the_address() {
        let several: LabelSet = [LabelId(12), LabelId(3)].into_iter().collect();
        for (category, text) in
            [(LabelSet::EMPTY, "none"), (LabelSet::one(LabelId(7)), "7"), (several, "3.12")]
        {
            assert_eq!(category.to_string(), text);
            assert_eq!(text.parse(), Ok(category));
        }
        assert!("".parse::<LabelSet>().is_err());
        assert!("3.x".parse::<LabelSet>().is_err());
    }
}
