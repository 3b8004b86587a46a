//! What agreement is narrowed down to.

use serde::{Deserialize, Serialize};

use crate::{DocumentId, LabelId, LabelSet, RoundId};

/// What the numbers are of; of everything where nothing is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Filter {
    /// One label against everything else: what is not this label, whatever it is, is ∅. Of the
    /// positions that count, none is lost by it (one-versus-rest, as Fleiss 1971 has it for the
    /// agreement on a single category).
    pub label: Option<LabelId>,
    pub document: Option<DocumentId>,
    /// The documents of one round.
    pub round: Option<RoundId>,
}

impl Filter {
    /// Everything.
    pub const NONE: Self = Self { label: None, document: None, round: None };

    /// Whether anything is named.
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }

    /// Whether a document of a round is in it.
    pub fn has_document(self, document: DocumentId, round: Option<RoundId>) -> bool {
        self.document.is_none_or(|wanted| wanted == document)
            && self.round.is_none_or(|wanted| round == Some(wanted))
    }

    /// What is left of a judgement.
    #[must_use]
    pub fn judgement(self, labels: &LabelSet) -> LabelSet {
        match self.label {
            None => labels.clone(),
            Some(label) if labels.contains(label) => LabelSet::one(label),
            Some(_) => LabelSet::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_stands_against_everything_else() {
        let filter = Filter { label: Some(LabelId(1)), ..Filter::NONE };
        let one = LabelSet::one(LabelId(1));
        let mut both = one.clone();
        both.insert(LabelId(2));
        assert_eq!(filter.judgement(&both), one);
        assert_eq!(filter.judgement(&LabelSet::one(LabelId(2))), LabelSet::EMPTY);
        assert_eq!(filter.judgement(&LabelSet::EMPTY), LabelSet::EMPTY);
        assert_eq!(Filter::NONE.judgement(&both), both);
    }

    #[test]
    fn a_document_has_to_be_the_one_and_of_the_round() {
        let filter = Filter { round: Some(RoundId(2)), ..Filter::NONE };
        assert!(filter.has_document(DocumentId(1), Some(RoundId(2))));
        assert!(!filter.has_document(DocumentId(1), Some(RoundId(1))));
        assert!(!filter.has_document(DocumentId(1), None));
        let filter = Filter { document: Some(DocumentId(3)), ..Filter::NONE };
        assert!(!filter.has_document(DocumentId(1), None));
    }
}
