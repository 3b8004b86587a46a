//! The switches of the agreement pages.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Error, Filter};

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
}
