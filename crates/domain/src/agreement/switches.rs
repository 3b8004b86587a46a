//! The switches of the agreement pages, and what agreement is narrowed down to.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{AnswerKind, AttributeId, Code, DocumentId, Error, LabelId, LabelSet, RoundId};

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
        /// F1: one-sided positions count against it, whatever the policy. Of exact spans, unless the
        /// policy has other positions.
        F1 = "f1",
        /// Cohen's weighted κ, by the squared difference of scores (Cohen 1968).
        WeightedKappa = "weighted-kappa",
        /// Krippendorff's α for ordinal data (Krippendorff 2011).
        AlphaOrdinal = "alpha-ordinal",
        /// Krippendorff's α for interval data (Krippendorff 2011).
        AlphaInterval = "alpha-interval",
        /// Krippendorff's α for ratio data (Krippendorff 2011).
        AlphaRatio = "alpha-ratio",
        /// Krippendorff's α of sets, by the distance MASI (Passonneau 2006).
        AlphaMasi = "alpha-masi",
        /// Gwet's AC2 with quadratic weights (Gwet 2014).
        Ac2 = "ac2",
        /// The intraclass correlation ICC(1) of Shrout and Fleiss (1979): each rating by any rater.
        Icc1 = "icc-1",
        /// ICC(A,1) of `McGraw` and Wong (1996), ICC(2) of Shrout and Fleiss: the same raters, who should give
        /// the same.
        IccA1 = "icc-a1",
        /// ICC(C,1), ICC(3) of Shrout and Fleiss: the same raters, who may differ by a constant.
        IccC1 = "icc-c1",
        /// ICC(k): ICC(1) of the mean of all raters.
        IccK = "icc-k",
        /// ICC(A,k): ICC(A,1) of the mean of all raters.
        IccAk = "icc-ak",
        /// ICC(C,k): ICC(C,1) of the mean of all raters.
        IccCk = "icc-ck",
    }
}

impl Measure {
    /// Those that categories without an order have.
    pub const OF_LABELS: [Self; 7] =
        [Self::Kappa, Self::Alpha, Self::Pi, Self::S, Self::Ac1, Self::Percent, Self::F1];

    /// Those of choices in an order, or of numbers.
    const OF_NUMBERS: [Self; 11] = [
        Self::WeightedKappa,
        Self::AlphaOrdinal,
        Self::AlphaInterval,
        Self::AlphaRatio,
        Self::Ac2,
        Self::Icc1,
        Self::IccA1,
        Self::IccC1,
        Self::IccK,
        Self::IccAk,
        Self::IccCk,
    ];

    /// Whether it weighs how far apart two categories are: answers may have an order or be sets, labels are not
    /// compared so.
    pub fn is_graded(self) -> bool {
        !Self::OF_LABELS.contains(&self)
    }

    /// Whether it reads categories as numbers, so that ∅ leaves no value.
    pub fn needs_numbers(self) -> bool {
        Self::OF_NUMBERS.contains(&self)
    }

    /// Whether all labelers at once have it too, weighing how far apart answers are.
    pub fn is_graded_of_all(self) -> bool {
        self.is_graded() && self != Self::WeightedKappa
    }

    /// Whether it is an intraclass correlation, which takes no agreement by chance off.
    pub const fn is_correlation(self) -> bool {
        matches!(
            self,
            Self::Icc1 | Self::IccA1 | Self::IccC1 | Self::IccK | Self::IccAk | Self::IccCk
        )
    }

    /// The measures that suit answers, the first of them to begin with.
    pub fn of_answers(answers: &AnswerKind) -> Vec<Self> {
        let numbers = |ratios| {
            let mut measures = Self::OF_NUMBERS.to_vec();
            measures.retain(|it| ratios || *it != Self::AlphaRatio);
            measures
        };
        match answers {
            // Places in an order have no zero.
            AnswerKind::One => [&Self::OF_LABELS[..], &numbers(false)].concat(),
            AnswerKind::Several => {
                // An even guess, and AC1 with its share of that, would be among all sets there could be.
                let mut measures = Self::OF_LABELS.to_vec();
                measures.retain(|it| !matches!(it, Self::S | Self::Ac1));
                measures.push(Self::AlphaMasi);
                measures
            }
            AnswerKind::Number(scale) => {
                let mut measures = numbers(scale.has_ratios());
                measures.retain(|it| *it != Self::Ac2 || scale.steps <= Self::MOST_WEIGHED);
                measures.sort_by_key(|it| *it != Self::AlphaInterval);
                measures.push(Self::Percent);
                measures
            }
        }
    }

    /// Of longer scales there is no AC2: its weights are of each two numbers.
    pub const MOST_WEIGHED: u16 = 200;
}

switch! {
    /// What is compared, and how what only one of the two judged is treated.
    PolicyChoice {
        /// Positions that only one judged are removed; the coverage says how many stayed.
        Cleaned = "cleaned",
        /// They count with the category ∅ for the other; over documents both submitted.
        EmptyLabel = "empty-label",
        /// Each token of a document that both submitted is a position, with the labels of all spans that
        /// touch it, or ∅.
        Token = "token",
        /// Spans of documents that both submitted are paired one to one, with the most text in common;
        /// what has no partner counts with ∅ for the other.
        Overlap = "overlap",
    }
}

/// What the positions are that raters are compared on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PositionKind {
    /// Stretches of text that somebody judged, exactly.
    #[default]
    Exact,
    /// Tokens, as the editor has them ([`crate::text::tokens`]).
    Tokens,
    /// Spans that overlap, paired one to one.
    Overlapping,
}

impl PositionKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Tokens, Self::Overlapping];
}

impl PolicyChoice {
    /// The two that headline agreement, and that targets and limits are about: the same exact positions,
    /// with and without those that one alone judged.
    pub const HEADLINES: [Self; 2] = [Self::Cleaned, Self::EmptyLabel];

    /// What a number of this policy is called.
    pub const fn called(self) -> &'static str {
        match self {
            Self::Cleaned => "Same label where both marked",
            Self::EmptyLabel => "Everything counted",
            Self::Token => "Token by token",
            Self::Overlap => "Spans that overlap",
        }
    }

    /// What it compares raters on.
    pub const fn positions(self) -> PositionKind {
        match self {
            Self::Cleaned | Self::EmptyLabel => PositionKind::Exact,
            Self::Token => PositionKind::Tokens,
            Self::Overlap => PositionKind::Overlapping,
        }
    }

    /// The policy of other positions, that treats what only one judged as this one does, or counts it.
    #[must_use]
    pub const fn by(self, positions: PositionKind) -> Self {
        match (positions, self.positions()) {
            (PositionKind::Exact, PositionKind::Exact) => self,
            (PositionKind::Exact, _) => Self::EmptyLabel,
            (PositionKind::Tokens, _) => Self::Token,
            (PositionKind::Overlapping, _) => Self::Overlap,
        }
    }

    /// Whether ∅ is one of the categories that raters choose from.
    pub const fn has_empty(self) -> bool {
        !matches!(self, Self::Cleaned)
    }

    /// Refuses what is of all raters at once where positions are pairs of spans, of two raters each.
    pub fn check_common(self) -> Result<(), Error> {
        match self.positions() {
            PositionKind::Exact | PositionKind::Tokens => Ok(()),
            PositionKind::Overlapping => Err(Code::Unsuitable.of(
                "policy",
                "not of all labelers at once: spans are paired by two raters at a time",
            )),
        }
    }

    /// Refuses what is of exact positions only.
    pub fn check_exact(self) -> Result<(), Error> {
        match self.positions() {
            PositionKind::Exact => Ok(()),
            PositionKind::Tokens | PositionKind::Overlapping => {
                Err(Code::Unsuitable.of("policy", "one of: cleaned empty-label"))
            }
        }
    }

    /// Which documents count of those that are asked for. Absence is a judgement only in what was
    /// submitted, so that only the policy that makes none of it leaves a choice.
    pub const fn documents(self, asked: Documents) -> Documents {
        if self.has_empty() { Documents::Submitted } else { asked }
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

    /// The switches that count the same documents by exact position: for what is about those only.
    #[must_use]
    pub fn of_exact_positions(self) -> Self {
        Self { policy: self.policy.by(PositionKind::Exact), ..self }
    }

    /// Whether a position that only one of two raters judged is counted, with ∅ for the other.
    pub const fn counts_one_sided(self) -> bool {
        matches!(self.measure, Measure::F1) || self.policy.has_empty()
    }

    /// Which documents count. Absence is a judgement only where both have submitted, so most policies leave
    /// no choice; F1 of exact spans has no use for a policy.
    pub const fn counted_documents(self) -> Documents {
        match (self.measure, self.policy.positions()) {
            (Measure::F1, PositionKind::Exact) => self.documents,
            _ => self.policy.documents(self.documents),
        }
    }
}

/// What the numbers are of; of everything where nothing is named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Filter {
    /// What was chosen of one attribute, in the place of labels; of labels where none is named.
    pub question: Option<AttributeId>,
    /// One label, or one choice of the question, against everything else: what is not this label, whatever it is, is ∅. Of the
    /// positions that count, none is lost by it (one-versus-rest, as Fleiss 1971 has it for the
    /// agreement on a single category).
    pub label: Option<LabelId>,
    pub document: Option<DocumentId>,
    /// The documents of one round.
    pub round: Option<RoundId>,
}

impl Filter {
    /// Everything.
    pub const NONE: Self = Self { question: None, label: None, document: None, round: None };

    /// Everything that was chosen of an attribute; of labels, if none is named.
    pub const fn of_question(question: Option<AttributeId>) -> Self {
        Self { question, ..Self::NONE }
    }

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
    fn what_makes_a_judgement_of_absence_leaves_no_choice_of_documents_and_f1_of_exact_spans_has_one()
     {
        let saved = |measure, policy| {
            Switches { measure, policy, ..Switches::default() }.counted_documents()
        };
        assert_eq!(saved(Measure::Ac1, PolicyChoice::Cleaned), Documents::Saved);
        assert_eq!(saved(Measure::Ac1, PolicyChoice::EmptyLabel), Documents::Submitted);
        assert_eq!(saved(Measure::F1, PolicyChoice::EmptyLabel), Documents::Saved);
        for policy in [PolicyChoice::Token, PolicyChoice::Overlap] {
            for &measure in Measure::ALL {
                assert_eq!(saved(measure, policy), Documents::Submitted, "{measure}, {policy}");
            }
        }
    }

    #[test]
    fn every_policy_leads_to_every_kind_of_positions_and_exact_ones_stay_as_they_are() {
        for &policy in PolicyChoice::ALL {
            for positions in PositionKind::ALL {
                assert_eq!(policy.by(positions).positions(), positions);
            }
            assert_eq!(policy.by(policy.positions()), policy);
        }
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
