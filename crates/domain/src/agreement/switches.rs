//! The switches of the agreement pages, and what agreement is narrowed down to.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{DocumentId, Error, LabelId, LabelSet, RoundId};

switch! {
    /// The measure of the matrix.
    Measure {
        /// Cohen's κ (Cohen 1960).
        Kappa = "kappa",
        /// Krippendorff's α for nominal data (Krippendorff 2011).
        Alpha = "alpha",
        /// Scott's π (Scott 1955).
        Pi = "pi",
        /// Bennett's S (Bennett, Alpert and Goldstein 1954).
        S = "s",
        /// Gwet's AC1 (Gwet 2008).
        Ac1 = "ac1",
        /// The share of positions on which both said the same.
        Percent = "percent",
        /// F1 of exact spans: one-sided positions count against it, whatever the policy.
        F1 = "f1",
    }
}

switch! {
    /// How positions that only one of the two judged are treated.
    PolicyChoice {
        /// They are removed; the coverage says how many stayed.
        Cleaned = "cleaned",
        /// They count with the category ∅ for the other; over documents both submitted.
        EmptyLabel = "empty-label",
    }
}

impl PolicyChoice {
    /// What a number of this policy is called.
    pub const fn called(self) -> &'static str {
        match self {
            Self::Cleaned => "Same label where both marked",
            Self::EmptyLabel => "Everything counted",
        }
    }
}

switch! {
    /// Which documents of a pair are compared.
    Documents {
        /// Those that both have saved at least once.
        Saved = "saved",
        /// Those that both have submitted.
        Submitted = "submitted",
    }
}

switch! {
    /// The scale that gives a value its word and its colour.
    ScaleChoice {
        /// Landis and Koch (1977).
        LandisKoch = "landis-koch",
        /// Krippendorff (1980).
        Krippendorff = "krippendorff",
        /// Rietveld and van Hout (1993).
        RietveldVanHout = "rietveld-van-hout",
        /// Green (1997).
        Green = "green",
        /// Krenn, Evert and Zinsmeister (2004).
        Homogeneity = "homogeneity",
    }
}

/// The switches of the agreement pages; all of them stand in the URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Switches {
    pub measure: Measure,
    pub policy: PolicyChoice,
    pub documents: Documents,
    /// How values are read; it changes none of them.
    pub scale: ScaleChoice,
    /// What they are of.
    pub filter: Filter,
}

impl Switches {
    /// The same numbers: the switches with the scale on its default.
    #[must_use]
    pub fn without_scale(self) -> Self {
        Self { scale: ScaleChoice::default(), ..self }
    }

    /// The switches for counts of all labelers at once, in which F1's own way of counting has no
    /// say: its positions are counted as for the other measures.
    #[must_use]
    pub fn of_positions(self) -> Self {
        match self.measure {
            Measure::F1 => Self { measure: Measure::Alpha, ..self },
            _ => self,
        }
    }

    /// Whether a position that only one of two raters judged is counted, with ∅ for the other.
    pub const fn counts_one_sided(self) -> bool {
        matches!((self.measure, self.policy), (Measure::F1, _) | (_, PolicyChoice::EmptyLabel))
    }

    /// Which documents count. Absence is a judgement only where both have submitted, so the policy
    /// `empty label` leaves no choice; F1 has no use for a policy.
    pub const fn counted_documents(self) -> Documents {
        match (self.measure, self.policy) {
            (Measure::F1, _) | (_, PolicyChoice::Cleaned) => self.documents,
            (_, PolicyChoice::EmptyLabel) => Documents::Submitted,
        }
    }
}

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
    fn only_the_empty_label_leaves_no_choice_of_documents_and_none_of_it_touches_f1() {
        let saved = |measure, policy| {
            Switches { measure, policy, ..Switches::default() }.counted_documents()
        };
        assert_eq!(saved(Measure::Ac1, PolicyChoice::Cleaned), Documents::Saved);
        assert_eq!(saved(Measure::Ac1, PolicyChoice::EmptyLabel), Documents::Submitted);
        assert_eq!(saved(Measure::F1, PolicyChoice::EmptyLabel), Documents::Saved);
    }

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
