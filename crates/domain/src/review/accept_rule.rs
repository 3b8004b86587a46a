//! Accepting by rule what labelers agree on: what is asked for, and what it would decide.

use serde::{Deserialize, Serialize};

use crate::{ActSummary, Code, DocumentId, Error, Label, LabelId, LabelSet, Page, Revision};

/// The most positions that one act by rule decides.
pub const MOST_BY_RULE: usize = 20_000;

/// Which positions are accepted as labelers marked them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptRule {
    /// So many labelers who submitted gave it the same labels, and no other labels had as many;
    /// none for what is unanimous.
    pub at_least: Option<u32>,
    /// Only where that is this label alone.
    pub label: Option<LabelId>,
}

impl AcceptRule {
    /// Refuses what would not be agreement.
    pub fn checked(self) -> Result<Self, Error> {
        if self.at_least.is_some_and(|least| !(2..=1_000).contains(&least)) {
            let why = "at least two labelers";
            return Err(Code::OutOfRange.of("at_least", why));
        }
        Ok(self)
    }

    /// The rule as the reason that its decisions carry.
    pub fn reason(&self) -> String {
        match self.at_least {
            None => "by rule: unanimous".to_owned(),
            Some(least) => format!("by rule: at least {least} labelers agree"),
        }
    }
}

/// What a rule would decide now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptPreview {
    pub revision: Revision,
    pub rule: AcceptRule,
    pub labels: Vec<Label>,
    /// Positions that one act decides: all that the rule finds, or as many as that can be.
    pub positions: u64,
    /// Positions that it finds.
    pub found: u64,
    /// What would be decided, on how many positions; most first.
    pub sets: Vec<(LabelSet, u64)>,
    /// In which documents, on how many positions each.
    pub documents: Page<(DocumentId, String, u64)>,
    /// Documents that are left out since their review has ended.
    pub ended: u64,
    /// Documents that are left out since labelers are still to finish them.
    pub waiting: u64,
    /// Stands for exactly these decisions: they are refused if they would be others by then.
    pub seen: String,
    /// The viewer's own act that the address names.
    pub act: Option<ActSummary>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_labeler_alone_is_no_agreement() {
        let rule = |at_least| AcceptRule { at_least, label: None }.checked().is_ok();
        assert!(rule(None) && rule(Some(2)));
        assert!(!rule(Some(1)) && !rule(Some(0)));
    }
}
